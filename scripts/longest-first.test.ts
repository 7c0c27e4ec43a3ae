import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { LONG } from "./longest-first.ts"

describe("the order of test files", () => {
  it("names files that there are", () => {
    assert.deepStrictEqual(LONG.filter((path) => !existsSync(path)), [])
    assert.strictEqual(new Set(LONG).size, LONG.length)
  })
})
