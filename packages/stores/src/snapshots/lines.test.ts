import { assert, describe, it } from "@effect/vitest"
import { bestOf, hitsIn, wordsOf } from "./lines.ts"

const hits = (query: string, text: string) =>
  hitsIn(wordsOf(query), { source: "content", path: "a.ts", text }).map(({ line, words }) => [line, words])

describe("lines that hold words of a query", () => {
  it("are found without regard to capitals, as parts of words, and with their signs", () => {
    const text = "import { useTotal } from \"./total.ts\"\n\nconst sum = TOTAL()\n"
    assert.deepStrictEqual(hits("total", text), [[1, 1], [3, 1]])
    assert.deepStrictEqual(hits("total()", text), [[3, 1]])
    assert.deepStrictEqual(hits("./TOTAL.ts total sum", text), [[1, 2], [3, 2]])
    assert.deepStrictEqual(hits("nothing", text), [])
  })

  it("are the fifty best, clipped, whatever was there before them", () => {
    const many = hitsIn(["x"], { source: "artifact", path: "a.md", text: `${"x\n".repeat(100)}` })
    assert.deepStrictEqual([many.length, many.at(-1)?.line], [50, 50])
    const long = hitsIn(["x", "y"], { source: "content", path: "b.ts", text: `  ${"x".repeat(239)}\u{1F98A}y` })
    assert.deepStrictEqual([long[0]?.text.length, long[0]?.text.isWellFormed()], [240, true])
    assert.deepStrictEqual(bestOf([...many, ...long]).slice(0, 2).map(({ path }) => path), ["b.ts", "a.md"])
  })

  it("are of sixteen words at most, each once", () => {
    assert.deepStrictEqual(wordsOf("  A a\tB\n"), ["a", "b"])
    assert.lengthOf(wordsOf(Array.from({ length: 40 }, (_, n) => `w${n}`).join(" ")), 16)
    assert.deepStrictEqual(wordsOf("   "), [])
  })
})
