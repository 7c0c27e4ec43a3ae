import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { beginningOf, flatLine, oneLine } from "./text.ts"

const accepts = Schema.is(oneLine(5))

it.each([
  ["a", true],
  ["a b", true],
  ["Ångst", true],
  ["日本語", true],
  ["👩‍🚀", true],
  ["12345", true],
  ["123456", false],
  ["😀😀😀😀😀", true],
  ["😀😀😀😀😀😀", false],
  ["", false],
  [" ", false],
  [" a", false],
  ["a ", false],
  ["a\n", false],
  ["a\nb", false],
  ["a\u2028b", false],
  ["a\u0000b", false],
  ["\u007f", false],
  ["a\ud800", false],
  ["\udc00a", false],
  ["a\ud800b", false]
])("%j: %s", (text, ok) => {
  assert.strictEqual(accepts(text), ok)
})

it.each([
  ["a\n# b", "a # b"],
  ["a\u2028b\u2029c\u0085d\r\n\te", "a b c d e"],
  ["\n", ""],
  ["日本 語", "日本 語"]
])("%j on one line is %j", (text, line) => assert.strictEqual(flatLine(text), line))

it.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["ab😀", 4, "ab😀"],
  ["ab😀", 3, "ab"],
  ["ab😀c", 4, "ab😀"],
  ["abc😀", 3, "abc"],
  ["\ud83d", 3, "\ufffd"],
  ["a\ude00b", 2, "a\ufffd"],
  ["ab\ud83d", 3, "ab\ufffd"],
  ["", 3, ""]
])("the beginning of %j in %d units is %j", (text, most, beginning) => assert.strictEqual(beginningOf(text, most), beginning))

it.prop("a beginning is whole characters of the text, and never longer than it may be", [
  Schema.Array(Schema.Literals(["a", "é", "😀", "👩‍🚀", "\ud800", "\udc00"])),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
], ([parts, most]) => {
  const text = parts.join("")
  const beginning = beginningOf(text, most)
  assert.isTrue(beginning.isWellFormed())
  assert.isAtMost(beginning.length, most)
  assert.isTrue(text.toWellFormed().startsWith(beginning))
  assert.isAtLeast(beginning.length, Math.min(text.length, most - 1))
})
