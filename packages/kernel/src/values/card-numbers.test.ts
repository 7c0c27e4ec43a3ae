import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { sentences, spellings, testNumbers } from "./card-number-fixture.ts"
import { containsCardNumber, findCardNumber, networks, redactCardNumbers } from "./card-numbers.ts"
import { makeId } from "./ids.ts"

const runs = { arbitrary: { runs: 1000 } }
const between = (minimum: number, maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const digits = (length: number) =>
  Arbitrary.map(Arbitrary.array(between(0, 9), { minLength: length, maxLength: length }), (all) => all.join(""))

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

/** Every network with each of its lengths and ranges. */
const kinds = networks.flatMap(([name, lengths, ...ranges]) =>
  lengths.flatMap((length) => ranges.map((range) => ({ name, length, range })))
)
/** A number of a random network, without its check digit. */
const numberBody = between(0, kinds.length - 1).pipe(
  Arbitrary.flatMap((index) => {
    const { length, range: [from, to] } = kinds[index]!
    return Arbitrary.all([between(from, to), digits(length - 5)])
  }),
  Arbitrary.map(([lead, rest]) => `${lead}${rest}`)
)
const card = Arbitrary.map(numberBody, passing)
// Text that can stand beside a number without touching it.
const words = Arbitrary.map(Arbitrary.schema(Schema.String), (text) => text.replace(/\d/g, ""))
const digitsIn = (text: string): string => text.replace(/\D/g, "")

describe("findCardNumber", () => {
  it.for(testNumbers)("finds the published %s however it is written, wherever it stands", (number) => {
    for (const spelling of spellings(number)) {
      for (const text of sentences(spelling)) {
        const span = findCardNumber(text)
        assert.isDefined(span, JSON.stringify(text))
        assert.isTrue(digitsIn(text.slice(span?.start, span?.end)).startsWith(number), JSON.stringify(text))
      }
    }
  })

  it.for([
    "4242-4242-4242-4242-4242-4242-4242-4242",
    "4242 4242 4242 4242 5555 5555 5555 4444",
    "1234 5678 4242 4242 4242 4242",
    "12 4242 4242 4242 4242",
    "AB12 4242 4242 4242 4242",
    "DE12 4242 4242 4242 4242 11",
    "5.4242424242424242, 4242424242424242",
    "4242 4242 4242 4242 4th",
    "4242 4242 4242 4242\u20444",
    "4242424242424242.50",
    "-4242424242424242"
  ])("finds one in %j", (text) => {
    assert.isDefined(findCardNumber(text))
  })

  it.for<readonly [label: string, text: string]>([
    ["13 digits", "4222222222222"],
    ["13 digits of Maestro", "5018000000009"],
    ["20 digits", "42424242424242424242"],
    ["one digit wrong", "4242424242424241"],
    ["no network", "1234567812345670"],
    ["a length the network has not", passing("4242424242424242")],
    ["15 digits of Visa", passing("42424242424242")],
    ["letters before", "x4242424242424242"],
    ["letters after", "4242424242424242a"],
    ["decimals", "0.4242424242424242"],
    ["other groups", "42424242 42424242"],
    ["two signs between", "4242  4242  4242  4242"],
    ["different signs", "4242 4242-4242 4242"],
    ["points", "4242.4242.4242.4242"],
    ["a list", "4242, 4242, 4242, 4242"],
    ["lines", "4242\n4242\n4242\n4242"],
    ["other digits", "\uff14\uff12".repeat(8)],
    ["a UATP number", "135410014004955"],
    ["gift cards of Givex", "6036280000000000000"],
    ["of SVS", "6006490000000000"],
    ["and of Fiserv", "7777182708544835"],
    ["an IMEI", "353918055555555"],
    ["an EAN in a list", "4006381333931 4006381333931 4006381333931"],
    ["an Amazon order number", "302-4242424-2424242"],
    ["a mobile number", "+49 151 23456789"],
    ["one together", "004915123456789"],
    ["milliseconds", "1767225600000"],
    ["microseconds", "1767225600000000"],
    ["nanoseconds", "1767225600000000000"],
    ["a parcel of UPS", "1Z4242424242424242"],
    ["a parcel of USPS as printed", "9405 5555 5555 5555 4444 00"],
    ["a UUID whose groups add up to one", `40000000-1234-4${passing("400000001234400").slice(-3)}-8000-0123456789ab`],
    ["a UUID of digits", "42424242-4242-4242-4242-424242424242"],
    ["a SHA-256", "4ebbfc24f968d43f920a2634c0cd2c0f85af29e51c9f0e34d096177606afd088"],
    ["the largest amount", "99999999999"],
    ["an IBAN", "DE89370400440532013000"],
    ["an IBAN as printed whose groups add up to one", "DE44 5001 0517 5407 3249 31"],
    ["an ISO time", "2026-01-01T00:00:00.000Z"],
    ["an empty text", ""]
  ])("does not take %s for one", ([, text]) => {
    assert.isUndefined(findCardNumber(text))
  })

  it.for(
    [
      [13, ""],
      [14, "3000-3059 3095 3600-3699 3800-3999"],
      [15, "3000-3059 3095 3400-3499 3600-3999"],
      [
        16,
        "2200-2204 2221-2720 3000-3059 3088-3102 3112-3120 3158-3159 3337-3349 3528-3589 3600-3699 3800-5899 6011 6062 6069-6085 6200-6299 6304 6331-6334 6362-6363 6370-6376 6390 6440-6599 6700-6799 8100-8201 8600 9704 9792 9860"
      ],
      [
        17,
        "2200-2204 3000-3059 3095 3528-3589 3600-3699 3800-3999 5000-5099 5600-5899 6011 6200-6299 6304 6331-6334 6390 6440-6599 6700-6799 8100-8199"
      ],
      [
        18,
        "2200-2204 3000-3059 3095 3528-3589 3600-3699 3800-5099 5600-5899 6011 6200-6299 6304 6331-6334 6390 6440-6599 6700-6799 8100-8199"
      ],
      [
        19,
        "2200-2204 3000-3059 3095 3528-3589 3600-3699 3800-5099 5600-5899 6011 6200-6299 6304 6331-6334 6390 6440-6599 6700-6799 8100-8199 9704"
      ],
      [20, ""]
    ] as const
  )("of numbers of %d digits those that begin with %s", ([length, expected]) => {
    const found = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(4, "0")).filter((lead) =>
      findCardNumber(passing(lead + "0".repeat(length - 5))) !== undefined
    )
    const ranges: Array<string> = []
    for (const lead of found) {
      const [from = "", to = from] = ranges.at(-1)?.split("-") ?? []
      if (Number(to) + 1 === Number(lead) && from !== "") ranges[ranges.length - 1] = `${from}-${lead}`
      else ranges.push(lead)
    }
    assert.strictEqual(ranges.join(" "), expected)
  })

  it("steps over an IBAN only when it is one: inside this one a Visa number would begin", () => {
    assert.isUndefined(findCardNumber("ES95 4242 4242 4242 4242 4242"))
    assert.isDefined(findCardNumber("ES96 4242 4242 4242 4242 4242"))
  })

  it("does not take ids for numbers", () => {
    for (let i = 0; i < 20_000; i++) assert.isUndefined(findCardNumber(makeId("pi", 1_767_225_600_000 + i)))
  })

  it.prop(
    "finds a number of any network in any text, and all of it",
    [card, words, words, between(0, 7)],
    ([number, before, after, choice]) => {
      const spelling = spellings(number)[choice] ?? number
      const text = `${before} ${spelling};${after}`
      const span = findCardNumber(text)
      assert.strictEqual(text.slice(span?.start, span?.end), spelling)
    },
    runs
  )

  it.prop("does not find a number whose check digit is wrong", [numberBody, between(0, 7)], ([body, choice]) => {
    const wrong = spellings(failing(body))[choice] ?? failing(body)
    const span = findCardNumber(wrong)
    // The first or last groups of a wrong number can be a right one.
    if (span !== undefined) assert.isBelow(span.end - span.start, wrong.length)
    assert.isUndefined(findCardNumber(failing(body)))
  }, runs)
})

describe("containsCardNumber", () => {
  const number = "4242424242424242"

  it.for<readonly [label: string, value: unknown, path: ReadonlyArray<string> | undefined]>([
    ["a text", number, []],
    ["a number", 4242424242424242, []],
    ["a field", { metadata: { note: `card ${number}` } }, ["metadata", "note"]],
    ["an item", { items: [{}, { name: number }] }, ["items", "1", "name"]],
    ["a name, whose own text is not repeated", { metadata: { [number]: "x" } }, ["metadata"]],
    ["a name at the top", { [number]: { [number]: 1 } }, []],
    ["an absent value", undefined, undefined],
    [
      "nothing",
      { amount: 1250, ok: true, none: null, list: [], id: "pi_01ARYZ6S41TSV4RRFFQ69G5FAV", at: "2026-01-01T00:00:00.000Z" },
      undefined
    ]
  ])("%s", ([, value, path]) => {
    assert.deepStrictEqual(containsCardNumber(value), path)
  })

  it("does not follow a value without end", () => {
    const cycle: Record<string, unknown> = {}
    cycle["self"] = cycle
    assert.isUndefined(containsCardNumber(cycle))
    let deep: unknown = number
    for (let i = 0; i < 20_000; i++) deep = [deep]
    assert.isUndefined(containsCardNumber(deep))
  })

  it.prop("finds a number at any place of any value", [
    Schema.Json,
    Schema.Array(Schema.Union([Schema.Int, Schema.String])).check(Schema.isMaxLength(30)),
    card
  ], ([value, path, pan]) => {
    const planted = path.reduceRight<unknown>(
      (inner, key) => typeof key === "number" ? [value, inner] : { first: value, [`k${key}`]: inner },
      pan
    )
    assert.isDefined(containsCardNumber(planted))
  }, runs)
})

describe("redactCardNumbers", () => {
  it.for(
    [
      ["paid with 4242424242424242.", "paid with ************4242."],
      ["4242 4242 4242 4242", "**** **** **** 4242"],
      ["3782-822463-10005", "****-******-*0005"],
      ["4242424242424242 and 5555 5555 5555 4444", "************4242 and **** **** **** 4444"],
      ["4242 4242 4242 4242 5555 5555 5555 4444", "**** **** **** 4242 **** **** **** 4444"],
      ["{\"message\":\"line\\n4242424242424242\\n\"}", "{\"message\":\"line\\n************4242\\n\"}"],
      ["%B4242424242424242^DOE/JANE^", "%B************4242^DOE/JANE^"],
      ["order 1234567812345670", "order 1234567812345670"],
      ["DE44 5001 0517 5407 3249 31", "DE44 5001 0517 5407 3249 31"],
      ["", ""]
    ] as const
  )("%j becomes %j", ([text, expected]) => {
    assert.strictEqual(redactCardNumbers(text), expected)
  })

  it.prop("leaves no number, keeps the length and the last four digits, and changes nothing twice", [
    Arbitrary.array(card, { minLength: 1, maxLength: 4 }),
    words,
    between(0, 7)
  ], ([numbers, middle, choice]) => {
    const text = numbers.map((number) => spellings(number)[choice] ?? number).join(` ${middle} `)
    const redacted = redactCardNumbers(text)
    assert.isUndefined(findCardNumber(redacted))
    assert.strictEqual(redacted.length, text.length)
    assert.isTrue(digitsIn(redacted).endsWith(numbers.at(-1)?.slice(-4) ?? ""))
    assert.strictEqual(redactCardNumbers(redacted), redacted)
  }, runs)

  it.prop("leaves a text without one as it is", [Schema.String], ([text]) => {
    if (findCardNumber(text) === undefined) assert.strictEqual(redactCardNumbers(text), text)
  }, runs)
})
