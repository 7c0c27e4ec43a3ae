/** Pieces of mixed lines, as UAX #9 orders them. */
import { assert, describe, it } from "@effect/vitest"
import { piecesOf, readsRightToLeft } from "./direction.ts"

/** The pieces from left to right; `<` before one that runs from right to left. */
const shown = (text: string) =>
  piecesOf(text, readsRightToLeft(text), (piece) => [piece]).map(({ rightToLeft, text: piece }) => `${rightToLeft ? "<" : ""}${piece}`)

describe("the order of a line", () => {
  it.each([
    ["of Latin letters is as it is read", "Basic (12%)", ["Basic (12%)"]],
    ["of Arabic is one piece", "كمال م", ["<كمال م"]],
    ["of Arabic after Latin letters keeps the number with the letters", "Basic 12 كمال م", ["Basic 12 ", "<كمال م"]],
    ["of Latin letters in Arabic turns round the words, not the letters", "كمال Basic م", ["< م", "Basic", "<كمال "]],
    ["keeps a number with its separators; the sign behind one in Arabic follows the Arabic", "كمال 12.5%", ["<%", "12.5", "<كمال "]],
    ["keeps a number in Hebrew with its sign", "שלום 12.5%", ["12.5%", "<שלום "]],
    ["heeds marks of direction, which are not shown", "كمال \u200E-12", ["-12", "<كمال "]],
    ["of money in Arabic has its amount first", "\u200F123.456 د.ك.\u200F", ["< د.ك.", "123.456"]],
    ["mirrors brackets that run from right to left", "كمال (م)", ["<كمال )م("]],
    ["takes a sign of two code units for a neutral one", "😀 كمال", ["<😀 كمال"]],
    ["of Hebrew runs from right to left", "שלום 12", ["12", "<שלום "]]
  ])("%s", (_, text, pieces) => {
    assert.deepStrictEqual(shown(text), pieces)
  })
})
