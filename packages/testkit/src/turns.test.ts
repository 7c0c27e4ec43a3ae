import { assert, describe, it } from "@effect/vitest"
import { afterEach, vi } from "vitest"
import { numbersOf, PARTS } from "./turns.ts"

afterEach(() => void vi.unstubAllEnvs())

describe("the numbers of a long random run", () => {
  it("are played once in the parts of a week, none left out", () => {
    const parts = Array.from({ length: PARTS }, (_, part) => {
      vi.stubEnv("TEST_PART", String(part))
      return numbersOf("NOT_SET", 500)
    })
    assert.deepStrictEqual(parts.flat().toSorted((a, b) => a - b), Array.from({ length: 500 }, (_, n) => n))
    for (const part of parts) assert.include([71, 72], part.length)
  })

  it("are all played where no part is named, and where somebody asks for a count", () => {
    for (const part of [undefined, "all"]) {
      vi.stubEnv("TEST_PART", part)
      assert.strictEqual(numbersOf("NOT_SET", 500).length, 500)
    }
    vi.stubEnv("TEST_PART", "3")
    vi.stubEnv("ASKED", "10")
    assert.deepStrictEqual(numbersOf("ASKED", 500), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})
