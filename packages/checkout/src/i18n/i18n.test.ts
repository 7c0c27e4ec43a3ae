import { assert, describe, it } from "@effect/vitest"
import { day, days, decimalOf, minute, money } from "@svc/design/format"
import { locales, pageLocaleFor, rangesOf } from "@svc/design/locale"
import { currencies, exponentOf } from "@svc/kernel/values/currency"
import { SignedAmount } from "@svc/kernel/values/money"
import { declineCodes } from "@svc/payments/rails/model"
import { DateTime, Schema } from "effect"
import { messagesOf } from "./messages.ts"

describe("the language of a page", () => {
  it.each<readonly [string | null, string | undefined, string, string]>([
    ["de", undefined, "de", "de"],
    ["de-AT", "fr", "de", "de-AT"],
    ["zh-Hant-TW", "fr-CH, en;q=0.9", "fr", "fr-CH"],
    [null, "da, en-GB;q=0.8, de;q=0.9", "de", "de"],
    [null, "es-419", "es", "es-419"],
    [null, "ar-EG-u-nu-latn", "ar", "ar-EG"],
    [null, "ja;q=0, fr;q=0.1", "fr", "fr"],
    [null, "*", "en", "en"],
    [null, undefined, "en", "en"],
    [null, "x", "en", "en"],
    ["not a language", "", "en", "en"],
    ["DE-de", undefined, "de", "de-DE"],
    ["de-CH-1996", undefined, "de", "de-CH-1996"]
  ])("chosen %s, asked %s", (chosen, asked, locale, tag) => {
    const { direction, ...found } = pageLocaleFor(chosen, asked)
    assert.deepEqual(found, { locale: locales.find((one) => one === locale) ?? "en", tag })
    assert.strictEqual(direction, locale === "ar" ? "rtl" : "ltr")
  })

  it("is found in any header without an error", () => {
    assert.deepEqual(rangesOf("fr;q=0.5, en, de;q=0.7,,;q=1"), ["en", "de", "fr"])
  })

  it.prop("is one of ours, whatever is chosen and asked", [Schema.String, Schema.String], ([chosen, asked]) => {
    assert.include(locales, pageLocaleFor(chosen, asked).locale)
  })
})

describe("amounts", () => {
  it.each<readonly [string, number, string, string]>([
    ["en", 1999, "USD", "$19.99"],
    ["en", 9_007_199_254_740_991, "USD", "$90,071,992,547,409.91"],
    ["de", 123_456, "EUR", "1.234,56 €"],
    ["fr", 123_456, "EUR", "1 234,56 €"],
    ["ja", 1500, "JPY", "￥1,500"],
    ["en", 5, "KWD", "KWD 0.005"],
    ["en", -450, "USD", "-$4.50"],
    ["en", 12_345, "CLF", "CLF 1.2345"],
    ["es", 0, "EUR", "0,00 €"]
  ])("%s %d %s", (tag, amount, currency, text) => {
    assert.strictEqual(money({ tag }, amount, currency).replace(/[\u00a0\u202f]/gu, " "), text)
  })

  it.prop(
    "keep every minor unit, in every currency and language",
    [SignedAmount, Schema.Literals(currencies), Schema.Literals(locales)],
    ([amount, currency, tag]) => {
      const parts = new Intl.NumberFormat(tag).formatToParts(9_876_543_210)
      const digits = new Map(
        Array.from(parts.map(({ type, value }) => type === "integer" ? value : "").join(""), (digit, at) => [digit, String(9 - at)])
      )
      const found = Array.from(money({ tag }, amount, currency), (character) => digits.get(character) ?? "").join("").replace(
        /^0+(?=\d)/u,
        ""
      )
      assert.strictEqual(found.replace(/^0+/u, ""), String(Math.abs(amount)).replace(/^0+/u, ""), `${amount} ${currency} ${tag}`)
      assert.strictEqual(decimalOf(amount, exponentOf(currency)).replace(".", "").replace(/^(-?)0+(?=\d)/u, "$1"), String(amount))
    },
    { arbitrary: { runs: 2_000 } }
  )
})

describe("words", () => {
  it("name days as the language does", () => {
    const at = DateTime.makeUnsafe("2026-11-22T23:30:00Z")
    assert.strictEqual(day({ tag: "de" }, at), "22. November 2026")
    assert.strictEqual(day({ tag: "ja" }, at, "Asia/Tokyo"), "2026年11月23日")
    assert.include(minute({ tag: "en-GB" }, at), "22 November 2026")
    assert.deepEqual([days({ tag: "en" }, 1), days({ tag: "en" }, 14), days({ tag: "de" }, 14)], ["1 day", "14 days", "14 Tage"])
  })

  it.each(locales)("are all there and none is left in another language, %s", (locale) => {
    const texts = (value: unknown): ReadonlyArray<string> =>
      typeof value === "string"
        ? [value]
        : typeof value === "function"
        ? [String(value("{one}", "{two}"))]
        : Object.values(value ?? {}).flatMap(texts)
    const said = texts(messagesOf({ locale }))
    assert.isEmpty(said.filter((text) => text.trim() === ""))
    const { declines } = messagesOf({ locale })
    assert.sameMembers(Object.keys(declines), [...declineCodes])
    // Whoever holds a lost or stolen card learns nothing of it.
    assert.strictEqual(declines.lost_card, declines.stolen_card)
    assert.strictEqual(declines.lost_card, declines.fraudulent)
    if (locale === "en") return
    const english = new Set(texts(messagesOf({ locale: "en" })))
    const same = said.filter((text) => english.has(text))
    assert.isEmpty(same.filter((text) => !["USDC", "Total", "MM / YY"].includes(text)), same.join("; "))
  })
})
