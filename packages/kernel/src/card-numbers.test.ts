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
const bodyOf = (choice: typeof kinds) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: choice.length - 1 }))).pipe(
    Arbitrary.flatMap((index) => {
      const { range: [from, to], length } = choice[index]!
      return Arbitrary.all([
        Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: Number(from), maximum: Number(to) }))),
        digits(length - 1 - from.length)
      ])
    }),
    Arbitrary.map(([lead, rest]) => `${lead}${rest}`)
  )
const numberBody = bodyOf(kinds)
const card = Arbitrary.map(numberBody, passing)
/** The sizes in which cards of these lengths are printed. */
const printed: Readonly<Record<number, ReadonlyArray<number>>> = {
  14: [4, 6, 4], 15: [4, 6, 5], 16: [4, 4, 4, 4], 18: [4, 4, 4, 4, 2], 19: [4, 4, 4, 4, 3]
}
const printedCard = Arbitrary.map(bodyOf(kinds.filter(({ length }) => length in printed)), passing)
const asPrinted = (number: string): ReadonlyArray<string> => {
  let at = 0
  return (printed[number.length] ?? []).map((size) => number.slice(at, at += size))
}
const Zero = Schema.Literals(["0", "\u0660", "\u0966", "\uff10", "\u{1d7ce}", "\u{1d7f6}", "\u{1fbf0}"])
const inScript = (number: string, zero: string): string => number.replace(/\d/g, (digit) => String.fromCodePoint(zero.codePointAt(0)! + Number(digit)))
const inDigits = (text: string, zero: string): string =>
  Array.from(text.matchAll(/\p{Nd}/gu), ([digit]) => digit.codePointAt(0)! - zero.codePointAt(0)!).join("")
const Invisible = Schema.Literals(["", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u200b\u200b\u00ad"])
const WeakSign = Schema.Literals([".", "/", "_", ",", " . ", " / ", "  ", " - ", "--", " \u2013 ", "\t", "\n", "\r\n", "\u2028", "\uff0e", "\u00b7"])
// Text that can stand beside a number without touching it.
const words = Arbitrary.map(Arbitrary.schema(Schema.String), (text) => text.replace(/\p{Nd}/gu, ""))
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
    "12 4242 4242 4242 4242", "4242 4242 4242 4242 12/27", "_4242424242424242_", "Karte\u00e94242424242424242", "-4242424242424242", "4242424242424242,5", "a-4242424242424242-b",
    "4242.4242.4242.4242", "4242/4242/4242/4242", "4242_4242_4242_4242", "4242,4242,4242,4242", "4242 / 4242 / 4242 / 4242", "3782.822463.10005", "3622_720627_1667",
    "4242 - 4242 - 4242 - 4242", "4242  4242  4242  4242", "4242  4242 4242 - 4242", "4242\t4242\t4242\t4242", "4242\n4242\n4242\n4242", "4242\r\n4242\r\n4242\r\n4242",
    "\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12", "\u0664\u0662\u0664\u0662 4242 \uff14242 4242", "4\ufe0f\u20e3242424242424242",
    "4242\u200b4242\u200b4242\u200b4242", "4242\u00ad-\u00ad4242\u2060-4242\ufeff-4242", "42\u200d42424242424242", "x\u200b4242424242424242",
    "4242/4242/4242/4242/12/27", "4242.4242.4242.4242, 12/27", "5,4242,4242,4242,4242,123", "invoice_4242_4242_4242_4242", "1,4242.4242.4242.4242", "+4242424242424242", "+378282246310005",
    "DE45 5001 0517 5407 3249 31", "30 2026 06 01 2026 09 01", "49 1512 3456704", "2026-01-01 4242 4242 4242 4242", "2026-01-01 4242.4242.4242.4242"
  ])("finds it in %j", (text) => {
    assert.isDefined(findCardNumber(text))
  })

  it.for([
    ["one digit wrong", "4242424242424241"], ["no network", "1234567812345670"], ["twelve digits", "500000000009"], ["20 digits", "42424242424242424242"],
    ["letters before", "x4242424242424242"], ["letters after", "4242424242424242a"], ["a script's letters after", "\uff14242424242424242a"],
    ["five spaces between", "4242     4242     4242     4242"], ["a sign and a space, as in prose", "4242, 4242, 4242, 4242"], ["different signs between", "4242.4242/4242.4242"],
    ["other groups with a weaker sign", "42.42.42.42.42.42.42.42"], ["other groups with two spaces", "42  4242  424242  4242"], ["a list", "4242,4242,4242,4242,4242"], ["a column", "4242\n4242\n4242\n4242\n4242\n4242"],
    ["20 digits of a script", "\u{1d7d2}\u{1d7d0}".repeat(10)], ["circled digits", "\u2463\u2461".repeat(8)], ["a length the network has not", passing("42424242424242")], ["milliseconds", "1767225600000"],
    ["nanoseconds", "1767225600000000000"], ["an ISO time", "2026-01-01T00:00:00.000Z"], ["a date and time in digits", "2026-11-20-101530"], ["a SHA-256", "4ebbfc24f968d43f920a2634c0cd2c0f85af29e51c9f0e34d096177606afd088"],
    ["the largest amount", "99999999999"], ["a phone number", "+49 30 901820"], ["an IBAN", "DE89 3704 0044 0532 0130 00"], ["an IBAN whose groups add up to one", "DE44 5001 0517 5407 3249 31"],
    ["dates whose parts add up to one", "2026-01-30 2026-06-01 2026-09-01"], ["a mobile number that begins like a Visa number", "+49 1512 3456704"], ["an IPv4 address", "142.250.185.206"], ["decimals", "1234.56,7890.12,4242.42,4242.42"],
    ["an interval", "2026-01-01/2026-12-31"], ["years", "2019,2020,2021,2022"], ["thousands", "4,242,424,242,424"], ["an empty text", ""]
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

  const int = (minimum: number, maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
  const date = Arbitrary.map(Arbitrary.all([int(1950, 2099), int(1, 12), int(1, 28)]), (parts) => parts.map((part) => String(part).padStart(2, "0")).join("-"))
  const amount = Arbitrary.map(Arbitrary.all([int(0, 99_999_999), digits(2)]), ([units, cents]) => `${units}.${cents}`)
  const address = Arbitrary.map(Arbitrary.array(int(0, 255), { minLength: 4, maxLength: 4 }), (bytes) => bytes.join("."))
  const phone = Arbitrary.map(Arbitrary.all([int(1, 99), int(100, 9999), int(100_000, 99_999_999)]), (parts) => `+${parts.join(" ")}`)
  const hexes = (length: number) => Arbitrary.map(Arbitrary.array(int(0, 15), { minLength: length, maxLength: length }), (all) => all.map((one) => one.toString(16)).join(""))
  const uuids = Arbitrary.map(hexes(32), (hex) => hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"))

  const honestKinds = [date, amount, address, phone, uuids, hexes(64)]
  const honest = Arbitrary.flatMap(int(0, honestKinds.length - 1), (kind) => Arbitrary.array(honestKinds[kind]!, { minLength: 1, maxLength: 5 }))

  it.prop("does not take lists of dates, amounts, addresses, telephone numbers, UUIDs or hashes for numbers",
    [honest, Schema.Literals([" ", ",", ", ", "/", " / ", "  ", "\n", "; "])], ([list, sign]) => {
      assert.isUndefined(findCardNumber(list.join(sign)))
    }, runs)

  it("takes time in proportion to the text, also for a text made of near misses", () => {
    const pieces = ["4242 4242 4242 4241 ", "4242.4242.4242.4241.", "4242/4242/4242/4241/12/", "1\u200b\u200b", "\u{1d7d2}", "4     ", "2026-01-30 ", "DE45 5001 "]
    for (const piece of pieces) assert.isUndefined(findCardNumber(piece.repeat(1_000_000 / piece.length)), piece)
    const hits = "4242424242424242 ".repeat(20_000)
    assert.strictEqual(redactCardNumbers(hits), "************4242 ".repeat(20_000))
  }, 5000)

  it.prop("finds a number of any network in any text, grouped in any way", [card, words, words, Separator, Size], ([number, before, after, separator, size]) => {
    const text = `${before} ${grouped(number, size, separator)};${after}`
    const span = findCardNumber(text)
    assert.isDefined(span)
    assert.strictEqual(text.slice(span?.start, span?.end).replace(/\D/g, ""), number)
  }, runs)

  it.prop("finds a number as it is printed, in any script, with the same weaker sign and what cannot be seen between", [printedCard, WeakSign, Zero, Invisible, words], ([number, sign, zero, invisible, before]) => {
    const text = `${before} ${asPrinted(number).map((group) => inScript(group, zero)).join(`${invisible}${sign}${invisible}`)};`
    const span = findCardNumber(text)
    assert.isDefined(span)
    assert.strictEqual(inDigits(text.slice(span?.start, span?.end), zero), number)
    const redacted = redactCardNumbers(text)
    assert.strictEqual(inDigits(redacted, zero), number.slice(-4))
    assert.strictEqual(redacted.length, text.length)
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
    ["order 1234567812345670", "order 1234567812345670"], [`key ${uuid}`, `key ${uuid}`], [`${uuid} 4242-4242-4242-4242`, `${uuid} ****-****-****-4242`], ["", ""],
    ["4242.4242.4242.4242/12", "****.****.****.4242/12"], ["4242  4242  4242  4242", "****  ****  ****  4242"], ["\uff14242 4242 4242 424\uff12", "**** **** **** 424\uff12"],
    ["4242,4242,4242,4242,4242", "4242,4242,4242,4242,4242"], ["DE44 5001 0517 5407 3249 31", "DE44 5001 0517 5407 3249 31"]
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
