import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { EMPTY_ROOT, leafHash, levelsOf, nodeHash, pathIn, rootFrom, rootOf } from "./merkle.ts"

const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map((hex) =>
  leafHash(Buffer.from(hex, "hex"))
)

/** Of Certificate Transparency's own tests: the roots of the first n of these leaves. */
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
]

/** The definition of RFC 6962, word for word. */
const byDefinition = (of: ReadonlyArray<Buffer>): Buffer => {
  const [only] = of
  if (only === undefined) return EMPTY_ROOT
  if (of.length === 1) return only
  let half = 1
  while (half * 2 < of.length) half *= 2
  return nodeHash(byDefinition(of.slice(0, half)), byDefinition(of.slice(half)))
}

const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))
const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const RUNS = { arbitrary: { runs: 300 } }

const made = (size: number) => Array.from({ length: size }, (_, n) => leafHash(Buffer.from(String(n))))

describe("a Merkle tree", () => {
  it("has the roots that other implementations compute", () => {
    assert.deepStrictEqual(roots.map((_, n) => rootOf(leaves.slice(0, n)).toString("hex")), roots)
  })

  it.prop("is that of the definition, and each leaf's path leads to its root", [Size, Index], ([size, index]) => {
    const all = made(size)
    const at = index % size
    const levels = levelsOf(all)
    assert.isTrue(byDefinition(all).equals(rootOf(all)))
    assert.isTrue(rootFrom(all[at] ?? EMPTY_ROOT, at, size, pathIn(levels, at))?.equals(rootOf(all)))
  }, RUNS)

  it.prop("takes no other leaf, place or path", [Size, Index, Index], ([size, index, other]) => {
    const all = made(size)
    const [at, wrong] = [index % size, other % size]
    const [root, path] = [rootOf(all), pathIn(levelsOf(all), at)]
    const leads = (leaf: Buffer, place: number, along: ReadonlyArray<Buffer>) => rootFrom(leaf, place, size, along)?.equals(root) === true
    const leaf = all[at] ?? EMPTY_ROOT
    assert.isFalse(leads(leafHash(Buffer.from("another")), at, path))
    if (wrong !== at) assert.isFalse(leads(leaf, wrong, path))
    assert.isFalse(leads(leaf, at, [...path, root]))
    if (path.length > 0) assert.isFalse(leads(leaf, at, path.slice(0, -1)))
    assert.isFalse(leads(leaf, size, path))
  }, RUNS)
})
