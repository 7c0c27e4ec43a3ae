import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { meanOf, withoutMean } from "./adapter.ts"
import { DIMENSIONS, hashNgram } from "./hash-ngram.ts"

const embed = (text: string): ReadonlyArray<number> => hashNgram(text) ?? assert.fail(`no vector of ${JSON.stringify(text)}`)
const cosine = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

describe("vectors by words", () => {
  it("are those of hash-ngram-v1: who stored some can go on comparing", () => {
    const rounded = ["a red bicycle", "Grüße aus 東京!"].map((text) => embed(text).map((value) => value.toFixed(6)).join())
    assert.strictEqual(
      createHash("sha256").update(rounded.join("\n")).digest("hex"),
      "7e5f70e2296123f526c87fcc3e68b5215658ff5fe07a94eaa7f19332acd95bf0"
    )
  })

  it.each([
    ["refund of a payment", "payments that are refunded", "weather in Lisbon"],
    ["a red bicycle", "red bicycles", "a blue car"],
    ["東京の天気", "東京は晴れ", "請求書の支払い"],
    ["Straße", "STRASSE strasse straße", "bicycle"]
  ])("of %j lie closer to %j than to %j", (text, near, far) => {
    assert.isAbove(cosine(embed(text), embed(near)), cosine(embed(text), embed(far)) + 0.1)
  })

  it.prop("have length 1 in as many dimensions as asked for, or there is nothing to embed", { text: Schema.String }, ({ text }) => {
    for (const dimensions of [1, 7, DIMENSIONS]) {
      const vector = hashNgram(text, dimensions)
      if (vector === undefined) continue
      assert.lengthOf(vector, dimensions)
      assert.closeTo(Math.hypot(...vector), 1, 1e-9)
    }
  }, { arbitrary: { runs: 100 } })

  it.each(["", " ", "\t\n\u3000"])("of %j there are none", (text) => assert.isUndefined(hashNgram(text)))
})

describe("an adapter", () => {
  it("takes out what all texts say, so that what tells them apart counts", () => {
    const shared = "This agreement is made between the parties and governed by the laws of the state. "
    const texts = ["bicycle", "invoice", "weather", "volcano"].map((word) => embed(shared + word))
    const [bicycle = [], invoice = []] = texts
    const mean = meanOf(texts)
    const without = cosine(withoutMean(bicycle, mean) ?? [], withoutMean(invoice, mean) ?? [])
    assert.isAbove(cosine(bicycle, invoice), 0.6)
    assert.isBelow(without, 0.2)
    assert.isUndefined(withoutMean(mean, mean))
  })
})
