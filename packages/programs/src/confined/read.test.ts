import { assert, describe, it } from "@effect/vitest"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { factsFromText } from "../facts/stored.ts"
import { pack } from "./pack.ts"
import { engine } from "./read.ts"

const MEBIBYTE = 1024 * 1024

/** The facts of one file, and why they are not all. */
const read = async (path: string, text: string) => {
  const { files: [file], skipped: [skipped], unread } = await engine(pack([{ name: path, bytes: deflateRawSync(text) }]))
  assert.deepStrictEqual(unread, [])
  const { facts } = factsFromText(path, inflateRawSync(Buffer.from(file?.facts ?? "", "base64")).toString())
  return { facts, reason: skipped?.reason }
}

describe("what is read of a file", () => {
  it("ends after 20,000 facts, and the file is named", async () => {
    // One more than are kept, with that of the file itself: a slow machine has to read them within the time of a file.
    const { facts, reason } = await read(".env.example", "A=1\n".repeat(20_000))
    assert.lengthOf(facts, 20_000)
    assert.strictEqual(facts[0]?.kind, "file")
    assert.strictEqual(reason, "read in part: only its first 20000 facts")
  })

  it.each([
    ["pyproject.toml", "= ="],
    ["main.css", "a { b: c"],
    ["package.json", "[".repeat(10_000)],
    ["tsconfig.json", "{\"a\":".repeat(10_000)]
  ])("holds that %s is there, whatever a reader says of it", async (path, text) => {
    const { facts, reason } = await read(path, text)
    assert.strictEqual(facts[0]?.kind, "file")
    assert.notMatch(reason ?? "", /stack/u)
  })

  it.each([
    ["blanks between comments", "a.ts", `/*a*/${" ".repeat(MEBIBYTE / 2)}x/*b*/`],
    ["quotes of SQL that never close", "b.ts", `x = "${"\\\"select ".repeat(50_000)}"`],
    ["methods in one line", "c.ts", `class A{${"a(){}".repeat(30_000)}}`]
  ])("comes in time from %s", async (_, path, text) => {
    const { facts } = await read(path, text)
    assert.strictEqual(facts[0]?.kind, "file")
  })
})
