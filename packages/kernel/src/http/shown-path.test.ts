/** The path of a field in an answer: whole characters, no card number, and never long. */
import { assert, it } from "@effect/vitest"
import { shownPath } from "./shown-path.ts"

it.each([
  ["a.0.b", ["a", 0, "b"]],
  ["", []],
  [`${"x".repeat(199)}…`, [`${"x".repeat(199)}😀`]],
  [`${"x".repeat(198)}😀`, [`${"x".repeat(198)}😀`]],
  ["a\ufffd", ["a\ud800"]],
  ["************1111", ["4111111111111111"]]
])("%s", (shown, path) => assert.strictEqual(shownPath(path), shown))

it("of a long name never ends within a surrogate pair, wherever the pairs stand", () => {
  for (let start = 0; start < 2; start++) {
    const shown = shownPath([`${"x".repeat(start)}${"😀".repeat(500)}`])
    assert.isTrue(shown.isWellFormed())
    assert.isAtMost(shown.length, 201)
  }
})
