/**
 * The currencies money may be in: the active alphabetic codes of ISO 4217 that have a minor unit,
 * list one as published with the amendments up to January 2026 (BGN is withdrawn, XAD and XCG are in).
 * Metals, bond-market units, the test code XTS and "no currency" XXX have no minor unit, so an amount
 * in minor units cannot be written in them and they are not accepted.
 */
import { Schema } from "effect"

const codesByExponent: ReadonlyArray<readonly [exponent: number, codes: string]> = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [
    2,
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY " +
    "COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS " +
    "INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR " +
    "MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP " +
    "STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG"
  ],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"]
]

const exponents: ReadonlyMap<string, number> = new Map(
  codesByExponent.flatMap(([exponent, codes]) => codes.split(" ").map((code) => [code, exponent] as const))
)

/** Every accepted code, in alphabetical order. */
export const currencies: ReadonlyArray<string> = Array.from(exponents.keys()).sort()

const message = "Expected an active ISO 4217 currency code in capital letters, for example USD, EUR or JPY"

/** An active ISO 4217 alphabetic code, in capital letters. */
export const Currency = Schema.String.annotate({ message }).check(
  Schema.makeFilter((code: string) => exponents.has(code), {
    message,
    toJsonSchema: () => ({ enum: currencies }),
    arbitraryConstraint: { patterns: [{ source: `^(?:${currencies.join("|")})$`, flags: "" }] }
  })
).annotate({
  identifier: "Currency",
  title: "Currency",
  description: "Active ISO 4217 alphabetic code, capital letters"
})
export type Currency = typeof Currency.Type

/**
 * The number of decimal digits between the currency's minor and major unit: 2 for USD (cents), 0 for
 * JPY, 3 for KWD, 4 for CLF. Throws a RangeError, a defect, for a code that `Currency` would refuse.
 */
export const exponentOf = (code: Currency): number => {
  const exponent = exponents.get(code)
  if (exponent === undefined) throw new RangeError(`${code} is not a known ISO 4217 currency code; decode it with Currency first`)
  return exponent
}
