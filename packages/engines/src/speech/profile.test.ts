/** The rules of a brand's voice, one by one. */
import { assert, describe, it } from "@effect/vitest"
import { brandVoiceOf, pronounced } from "./profile.ts"

describe("the voice of a brand", () => {
  it("is slow where sentences are long, fast where they are short, and says why", () => {
    const long = brandVoiceOf(`${"word ".repeat(25)}end.`)
    assert.strictEqual(long.rate, 150)
    assert.include(long.reasons[0], "26 words on average")
    assert.strictEqual(brandVoiceOf("We sell shoes. We like them.").rate, 180)
    assert.strictEqual(brandVoiceOf("We sell a lot of very good shoes to people who like them.").rate, 165)
  })

  it("is high where it exclaims, low where it is formal, and says why", () => {
    assert.strictEqual(brandVoiceOf("Buy now! We wait.").pitch, 60)
    const formal = brandVoiceOf("We act pursuant to the law.")
    assert.strictEqual(formal.pitch, 40)
    assert.include(formal.reasons[1], "pursuant")
    assert.strictEqual(brandVoiceOf("We sell shoes.").pitch, 50)
  })

  it("pronounces as the brand says before it spells or parts, and whole words only", () => {
    const { pronunciations } = brandVoiceOf("PayPal and SQL (say: sequel) meet HTTP, and NASA. SQL again.")
    assert.deepStrictEqual(pronunciations, [
      { written: "SQL", spoken: "sequel" },
      { written: "HTTP", spoken: "H T T P" },
      { written: "PayPal", spoken: "Pay Pal" }
    ])
    assert.strictEqual(pronounced("MySQL is SQL, by PayPal.", pronunciations), "MySQL is sequel, by Pay Pal.")
  })

  it("of a text without a sentence is the usual one", () => {
    assert.deepInclude(brandVoiceOf("…"), { pitch: 50, pronunciations: [] })
  })
})
