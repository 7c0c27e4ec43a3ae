import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Country, StoredCountry } from "./country.ts"

const takes = Schema.is(Country)

describe("a country", () => {
  it("is an assigned code of ISO 3166-1 in capitals, and nothing that looks like one", () => {
    for (const code of ["DE", "US", "GB", "GG", "SS", "ZW"]) assert.isTrue(takes(code), code)
    for (const code of ["XX", "ZZ", "EU", "UK", "AN", "SU", "XK", "AA", "de", "DEU", "D", "", " DE", "276"]) {
      assert.isFalse(takes(code), code)
    }
  })
  it("is one of 249, whose names this machine knows", () => {
    const letters = Array.from({ length: 26 }, (_, n) => String.fromCharCode(65 + n))
    const codes = letters.flatMap((one) => letters.map((other) => one + other)).filter(takes)
    assert.strictEqual(codes.length, 249)
    const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
    assert.deepStrictEqual(codes.filter((code) => names.of(code) === undefined), [])
  })
  it("that was stored before can still be read", () => {
    assert.isTrue(Schema.is(StoredCountry)("XX"))
  })
})
