import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { flatLine, oneLine } from "./text.ts"

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
