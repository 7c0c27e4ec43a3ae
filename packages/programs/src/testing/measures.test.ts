import { assert, describe, it } from "@effect/vitest"
import { markdown } from "../claims/markdown.ts"
import { absence, claim, heading } from "../claims/model.ts"
import { fact } from "../facts/model.ts"
import { citedShare, sharedSequences, unitsOf, unknownNames } from "./measures.ts"

const texts = { "src/price.ts": "export const price = 21\nexport const tax = 3\n" }
const symbol = (name: string, line: number, path = "src/price.ts") =>
  fact("symbol", name, { kind: "constant", exported: true, container: null, signature: name, doc: null }, {
    path,
    start_line: line,
    end_line: line
  })

describe("measures of artifacts", () => {
  it("count a unit whose lines are there and hold a word of it", () => {
    const artifact = markdown([
      heading(1, "Shop"),
      claim("`price` is what an article costs without tax", symbol("price", 1)),
      claim("`price` is said to stand where it does not", symbol("price", 9)),
      claim("These are words that its lines have nowhere", symbol("tax", 2)),
      absence("No route of any web framework was found here.", 1)
    ])
    const units = unitsOf("a.md", artifact, texts)
    assert.deepStrictEqual(units.map(({ line, resolves, worded }) => [line, resolves, worded]), [
      [3, true, true],
      [4, false, false],
      [5, true, false]
    ])
    assert.strictEqual(citedShare(units), 1 / 3)
  })

  it("find names that no fact knows", () => {
    const artifact = markdown([claim("`price` and `discount`, since 2.1.0, see https://example.com", symbol("price", 1))])
    assert.deepStrictEqual(unknownNames(artifact, [symbol("price", 1)]), ["discount", "2.1.0", "https://example.com"])
  })

  it("say how much of the shorter text stands in the other", () => {
    assert.strictEqual(sharedSequences("one two three four five six", "zero one two three four five"), 0.5)
    assert.strictEqual(sharedSequences("", "one two three four five"), 0)
  })
})
