/** How answers write times. */
import { assert, describe, it } from "@effect/vitest"
import { momentOf, withMoments } from "./topic.ts"

describe("a moment", () => {
  it("is written as people read it, wherever it stands in a text", () => {
    assert.strictEqual(momentOf("2026-11-28T03:48:12.345Z"), "28 November 2026, 03:48 UTC")
    assert.strictEqual(
      withMoments("It ends at 2026-11-28T15:05:00Z, not on 2026-11-28."),
      "It ends at 28 November 2026, 15:05 UTC, not on 2026-11-28."
    )
  })
})
