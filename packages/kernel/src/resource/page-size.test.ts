import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fitting, MAX_PAGE_BYTES } from "./page-size.ts"

const MIB = 1024 ** 2

describe("how many items fit into a page", () => {
  it.for(
    [
      ["none of none", [], 0],
      ["all that are small", Array.from({ length: 100 }, (_, id) => ({ id, metadata: { order: "1" } })), 100],
      ["one, however large it is", [{ text: "x".repeat(5 * MIB) }], 1],
      ["a large one and no other", [{ text: "x".repeat(5 * MIB) }, { text: "" }], 1],
      ["three of a little more than a MiB", Array.from({ length: 9 }, () => ({ deep: [{ text: "x".repeat(MIB) }] })), 3],
      ["bytes and not characters", Array.from({ length: 9 }, () => ({ text: "€".repeat(MIB) })), 1],
      ["bytes as JSON writes them", Array.from({ length: 9 }, () => ({ text: "\0".repeat(MIB / 4) })), 2],
      ["names count, too", Array.from({ length: 9 }, () => ({ ["n".repeat(MIB)]: null })), 3]
    ] as const
  )("%s", ([, items, expected]) => {
    assert.strictEqual(fitting(items), expected)
  })

  it.prop("never more than the limit of bytes and one item, and never stops early", [
    Schema.Array(Schema.Struct({ text: Schema.String, n: Schema.Int })).check(Schema.isMinLength(5))
  ], ([items]) => {
    const many = items.map((item) => ({ ...item, text: item.text + "\u001f".repeat(100_000) }))
    const fits = fitting(many)
    const bytes = (count: number) => Buffer.byteLength(JSON.stringify(many.slice(0, count)))
    assert.isTrue(fits <= 1 || bytes(fits) <= MAX_PAGE_BYTES)
    // The little that is put down for numbers and punctuation is less than one of these items.
    if (fits < many.length) assert.isAbove(bytes(fits + 1), MAX_PAGE_BYTES - 100_000)
  }, { arbitrary: { runs: 25 } })
})
