import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { containsCardNumber, findCardNumber, networks, passesLuhn, redactCardNumbers } from "./card-numbers.ts"
import { makeId } from "./ids.ts"

const runs = { arbitrary: { runs: 1000 } }
const Digit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
const digits = (length: number) => Arbitrary.map(Arbitrary.array(Arbitrary.schema(Digit), { minLength: length, maxLength: length }), (all) => all.join(""))

/** The digit that makes the text pass, by the definition: the sum must be a multiple of ten. */
const checkDigit = (body: string): number => {
  const sum = Array.from(body).reverse().reduce((total, char, i) => {
    const digit = Number(char) * (i % 2 === 0 ? 2 : 1)
    return total + Math.floor(digit / 10) + digit % 10
  }, 0)
  return (10 - sum % 10) % 10
}
const passing = (body: string): string => body + checkDigit(body)
const failing = (body: string): string => body + (checkDigit(body) + 5) % 10

const kinds = networks.flatMap(({ name, ranges, lengths }) => lengths.flatMap((length) => ranges.map((range) => ({ name, length, range }))))

/** A number of a random network, without its check digit. */
const numberBody = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: kinds.length - 1 }))).pipe(
  Arbitrary.flatMap((index) => {
    const { range: [from, to], length } = kinds[index]!
    return Arbitrary.all([
      Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: Number(from), maximum: Number(to) }))),
      digits(length - 1 - from.length)
    ])
  }),
  Arbitrary.map(([lead, rest]) => `${lead}${rest}`)
)
const card = Arbitrary.map(numberBody, passing)
// Text that can stand beside a number without touching it.
const words = Arbitrary.map(Arbitrary.schema(Schema.String), (text) => text.replace(/[0-9]/g, ""))
const Separator = Schema.Literals(["", " ", "-", "\u00a0", "\u2011"])
const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))

const grouped = (number: string, size: number, separator: string): string =>
  Array.from({ length: Math.ceil(number.length / size) }, (_, i) => number.slice(i * size, (i + 1) * size)).join(separator)

// Version 4 and variant 8 as RFC 9562 lays them out; its first three groups are a card number.
const uuid = `40000000-1234-4${passing("400000001234400").slice(-3)}-8000-0123456789ab`

describe("findCardNumber", () => {
  it.for([
    ["visa", "4242424242424242"], ["visa of 13", "4222222222222"], ["visa of 19", "4000000000000000006"], ["mastercard", "5555555555554444"],
    ["mastercard 2-series", "2223003122003222"], ["amex", "378282246310005"], ["discover", "6011111111111117"], ["diners", "3056930009020004"],
    ["diners of 14", "36227206271667"], ["jcb", "3566002020360505"], ["unionpay", "6200000000000005"], ["unionpay of 19", "6205500000000000004"],
    ["maestro", "6759649826438453"], ["maestro of 18", passing("67677000000000000")]
  ] as const)("finds %s", ([, number]) => {
    assert.deepStrictEqual(findCardNumber(number), { start: 0, end: number.length })
  })

  it.for([
    "4242 4242 4242 4242", "4242-4242-4242-4242", "3782 822463 10005", "3782-822463-10005", "42 42 42 42 42 42 42 42", "4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2",
    "4242\u00a04242\u20114242\u202f4242", "(4242424242424242)", "card:4242424242424242.", "\"4242424242424242\"", "pan=4242424242424242&cvc=123",
    "12 4242 4242 4242 4242", "4242 4242 4242 4242 12/27", "_4242424242424242_", "Karte\u00e94242424242424242", "-4242424242424242", "4242424242424242,5", "a-4242424242424242-b"
  ])("finds it in %j", (text) => {
    assert.isDefined(findCardNumber(text))
  })

  it.for([
    ["one digit wrong", "4242424242424241"], ["no network", "1234567812345670"], ["twelve digits", "500000000009"], ["20 digits", "42424242424242424242"],
    ["letters before", "x4242424242424242"], ["letters after", "4242424242424242a"], ["two spaces between", "4242  4242  4242  4242"],
    ["other signs between", "4242.4242.4242.4242"], ["a length the network has not", passing("42424242424242")], ["milliseconds", "1767225600000"],
    ["nanoseconds", "1767225600000000000"], ["an ISO time", "2026-01-01T00:00:00.000Z"], ["a date and time in digits", "2026-11-20-101530"], ["a SHA-256", "4ebbfc24f968d43f920a2634c0cd2c0f85af29e51c9f0e34d096177606afd088"],
    ["the largest amount", "99999999999"], ["a phone number", "+49 30 901820"], ["an IBAN", "DE89 3704 0044 0532 0130 00"], ["an empty text", ""]
  ] as const)("does not find %s", ([, text]) => {
    assert.isUndefined(findCardNumber(text))
  })

  it("does not take a UUID's groups for a number, even when they add up to one", () => {
    assert.isDefined(findCardNumber(uuid.slice(0, 18)))
    assert.isUndefined(findCardNumber(uuid))
    assert.isUndefined(findCardNumber(`key ${uuid.toUpperCase()}, again`))
    assert.isDefined(findCardNumber(`${uuid} 4242-4242-4242-4242`))
  })

  it("does not take ids for numbers", () => {
    for (let i = 0; i < 20_000; i++) assert.isUndefined(findCardNumber(makeId("pi", 1_767_225_600_000 + i)))
  })

  it("takes time in proportion to the text, also for a text made of near misses", () => {
    const text = "4242 4242 4242 4241 ".repeat(50_000)
    assert.isUndefined(findCardNumber(text))
    const hits = "4242424242424242 ".repeat(20_000)
    assert.strictEqual(redactCardNumbers(hits), "************4242 ".repeat(20_000))
  }, 5000)

  it.prop("finds a number of any network in any text, grouped in any way", [card, words, words, Separator, Size], ([number, before, after, separator, size]) => {
    const text = `${before} ${grouped(number, size, separator)};${after}`
    const span = findCardNumber(text)
    assert.isDefined(span)
    assert.strictEqual(text.slice(span?.start, span?.end).replace(/\D/g, ""), number)
  }, runs)

  it.prop("does not find a number whose check digit is wrong", [numberBody, Separator, Size], ([body, separator, size]) => {
    // Groups of a wrong number can add up to a right one; without separators there is only the number.
    assert.isUndefined(findCardNumber(failing(body)))
    const span = findCardNumber(grouped(failing(body), size, separator))
    if (span !== undefined) assert.isBelow(span.end - span.start, grouped(failing(body), size, separator).length)
  }, runs)

  it.prop("agrees with the definition of the check digit", [digits(15)], ([body]) => {
    assert.isTrue(passesLuhn(passing(body)))
    for (let other = 1; other < 10; other++) assert.isFalse(passesLuhn(body + (checkDigit(body) + other) % 10))
  }, runs)
})

describe("containsCardNumber", () => {
  const number = "4242424242424242"

  it.for<readonly [label: string, value: unknown, path: ReadonlyArray<string | number> | undefined]>([
    ["a text", number, []], ["a number", 4242424242424242, []], ["a bigint", 4242424242424242n, []],
    ["a field", { metadata: { note: `card ${number}` } }, ["metadata", "note"]], ["an item", { items: [{}, { name: number }] }, ["items", 1, "name"]],
    ["a key, whose own text is not repeated", { metadata: { [number]: "x" } }, ["metadata"]], ["a key at the top", { [number]: { [number]: 1 } }, []],
    ["nothing", { amount: 1250, ok: true, none: null, list: [], id: "pi_01ARYZ6S41TSV4RRFFQ69G5FAV", at: "2026-01-01T00:00:00.000Z" }, undefined],
    ["an absent value", undefined, undefined]
  ])("%s", ([, value, path]) => {
    assert.deepStrictEqual(containsCardNumber(value), path)
  })

  it("walks cycles and depth to the end", () => {
    const cycle: Record<string, unknown> = {}
    cycle["self"] = cycle
    assert.isUndefined(containsCardNumber(cycle))
    let deep: unknown = number
    for (let i = 0; i < 20_000; i++) deep = [deep]
    assert.strictEqual(containsCardNumber(deep)?.length, 20_000)
  })

  it.prop("finds a number at any place of any value", [Schema.Json, Schema.Array(Schema.Union([Schema.Int, Schema.String])), card], ([value, path, pan]) => {
    const planted = path.reduceRight<unknown>((inner, key) => typeof key === "number" ? [value, inner] : { first: value, [`k${key}`]: inner }, pan)
    assert.isDefined(containsCardNumber(planted))
  }, runs)
})

describe("redactCardNumbers", () => {
  it.for([
    ["paid with 4242424242424242.", "paid with ************4242."], ["4242 4242 4242 4242", "**** **** **** 4242"], ["3782-822463-10005", "****-******-*0005"],
    ["4242424242424242 and 5555 5555 5555 4444", "************4242 and **** **** **** 4444"], ["4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2", "* * * * * * * * * * * * 4 2 4 2"],
    ["order 1234567812345670", "order 1234567812345670"], [`key ${uuid}`, `key ${uuid}`], [`${uuid} 4242-4242-4242-4242`, `${uuid} ****-****-****-4242`], ["", ""]
  ] as const)("%j becomes %j", ([text, expected]) => {
    assert.strictEqual(redactCardNumbers(text), expected)
  })

  it.prop("leaves no number, keeps the length and the last four digits, and changes nothing twice", [Arbitrary.array(card, { minLength: 1, maxLength: 4 }), words, Separator], ([numbers, between, separator]) => {
    const text = numbers.map((number) => grouped(number, 4, separator)).join(` ${between} `)
    const redacted = redactCardNumbers(text)
    assert.isUndefined(findCardNumber(redacted))
    assert.strictEqual(redacted.length, text.length)
    assert.isTrue(redacted.replaceAll(separator, "").endsWith(numbers.at(-1)?.slice(-4) ?? ""))
    assert.strictEqual(redactCardNumbers(redacted), redacted)
  }, runs)

  it.prop("leaves a text without one as it is", [Schema.String], ([text]) => {
    if (findCardNumber(text) === undefined) assert.strictEqual(redactCardNumbers(text), text)
  }, runs)
})
