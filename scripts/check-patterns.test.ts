import { assert, describe, it } from "@effect/vitest"
import { hashOf, patternsOf } from "./check-patterns.ts"

describe("patterns of a source", () => {
  it("finds those that repeat without bound, with their line", () => {
    const text = "const a = /x+$/u\nconst b = text.split(/[a-z]{2,}/u)\nconst c = /^ab{1,3}$/u\nconst d = 4 / 2 / 1 // /x*/u\n"
    assert.deepStrictEqual(patternsOf("a.ts", text), [
      { source: "x+$", flags: "u", place: "a.ts:1" },
      { source: "[a-z]{2,}", flags: "u", place: "a.ts:2" }
    ])
  })
})

describe("a verdict that is listed", () => {
  it("is of one pattern with its flags, by one version of the judge", () => {
    const pattern = { source: "a+b", flags: "u" }
    const others = [{ source: "a+c", flags: "u" }, { source: "a+b", flags: "v" }]
    assert.strictEqual(hashOf(pattern), hashOf({ ...pattern }))
    for (const other of others) assert.notStrictEqual(hashOf(other), hashOf(pattern))
    assert.notStrictEqual(hashOf(pattern, "1.0.0"), hashOf(pattern, "1.0.1"))
  })
})
