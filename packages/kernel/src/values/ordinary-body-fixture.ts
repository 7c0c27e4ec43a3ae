/** Bodies as merchants send them, with every sort of long number that is no card number, from a source of randomness with a seed. */
import type { Random } from "effect"

type Choices<A> = readonly [A, ...ReadonlyArray<A>]

/** Draws from the source. */
export interface Dice {
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly digits: (length: number) => string
  readonly pick: <A>(choices: Choices<A>) => A
}

export const makeDice = (random: Random.Random): Dice => {
  const between = (low: number, high: number) => low + Math.floor(random.nextDoubleUnsafe() * (high - low + 1))
  return {
    between,
    // No more than 15 digits come of one draw.
    digits: (length) => {
      let digits = ""
      while (digits.length < length) digits += random.nextDoubleUnsafe().toFixed(15).slice(2, 14)
      return digits.slice(0, length)
    },
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0]
  }
}
/** One of several ways to make a value; only that one is made. */
const either = <A>(...ways: Choices<(dice: Dice) => A>) => (dice: Dice): A => dice.pick(ways)(dice)

/** The check digit of GS1, for articles, parcels and pallets: weights 3 and 1 from the right. */
const gs1 = (body: string): string => {
  const sum = Array.from(body).reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return `${body}${(10 - sum % 10) % 10}`
}
const inFours = (text: string): string => text.replace(/.{4}(?=.)/g, "$& ")
const two = (value: number): string => String(value).padStart(2, "0")
/** A number of that length that does not begin with zero. */
const plain = (dice: Dice, length: number): string => `${dice.between(1, 9)}${dice.digits(length - 1)}`

const hex = (dice: Dice, length: number): string => Array.from({ length }, () => dice.between(0, 15).toString(16)).join("")
const uuid = (dice: Dice): string => [8, 4, 4, 4, 12].map((length) => hex(dice, length)).join("-")
const date = (dice: Dice): string => `20${dice.between(20, 30)}-${two(dice.between(1, 12))}-${two(dice.between(1, 28))}`
const time = (dice: Dice): string => `${date(dice)}T${two(dice.between(0, 23))}:${two(dice.between(0, 59))}:${two(dice.between(0, 59))}`

const german = (dice: Dice): string => gs1(`4${dice.between(0, 4)}${dice.digits(10)}`)
const british = (dice: Dice): string => gs1(`50${dice.digits(10)}`)
const ean = either(german, german, british, (dice) => gs1(dice.digits(12)))
const gtin14 = (dice: Dice): string => gs1(`${dice.between(1, 8)}${ean(dice).slice(0, 12)}`)
const basket = (dice: Dice): string => Array.from({ length: 10 }, () => ean(dice)).join(dice.pick([",", ", ", " ", ";", "\n", "-"]))

/** The spellings of a German mobile number, and two of other countries. */
const phone = (dice: Dice): string => {
  const [area, number] = [
    dice.pick(["151", "152", "157", "160", "162", "170", "171", "172", "174", "175", "176", "179"]),
    plain(dice, dice.pick([7, 8]))
  ]
  return dice.pick([
    `+49 ${area} ${number}`,
    `+49${area}${number}`,
    `0049 ${area} ${number}`,
    `0049${area}${number}`,
    `49${area}${number}`,
    `0${area} ${number}`,
    `0${area}/${number}`,
    `0${area}-${number}`,
    `0${area}${number}`,
    `+49 (0)${area} ${number}`,
    `+49 ${area} ${number.slice(0, 4)} ${number.slice(4)}`,
    `+49-${area}-${number.slice(0, 4)}-${number.slice(4)}`,
    `0${area} ${number.slice(0, 3)} ${number.slice(3, 5)} ${number.slice(5)}`,
    `+49 ${area}${number.slice(0, 1)} ${number.slice(1)}`,
    `+44 7${number.slice(0, 3)} ${number}`,
    `+1 (${area}) 555-${number.slice(0, 4)}`
  ])
}

/** Country, how its account numbers begin, and how long they are. */
const countries: Choices<readonly [country: string, bank: string, length: number]> = [
  ["DE", "5", 18],
  ["DE", "4", 18],
  ["DE", "3", 18],
  ["GB", "NWBK", 18],
  ["GB", "BARC", 18],
  ["FR", "3000", 23],
  ["ES", "2", 20],
  ["NL", "INGB", 14],
  ["AT", "", 16],
  ["BE", "", 12]
]
const iban = (dice: Dice): string => {
  const [country, bank, length] = dice.pick(countries)
  const body = bank + dice.digits(length - bank.length)
  const rest = BigInt(`${body}${country}00`.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))) % 97n
  const whole = `${country}${two(98 - Number(rest))}${body}`
  return dice.pick([whole, inFours(whole)])
}

const usps = (dice: Dice): string =>
  gs1(`${dice.pick(["9400", "9205", "9405", "9407", "9361", "9270"])}${dice.pick(["1", "5", "8"])}${dice.digits(16)}`)
const dhl = (dice: Dice): string => gs1(`00340434${dice.digits(11)}`)
const parcel = either(
  (dice) => `1Z${hex(dice, 6).toUpperCase()}${dice.digits(10)}`,
  usps,
  (dice) => inFours(usps(dice)),
  (dice) => gs1(`9${dice.between(1, 5)}${dice.digits(17)}`),
  dhl,
  (dice) => inFours(dhl(dice)),
  (dice) => `JJD${dice.digits(18)}`,
  (dice) => plain(dice, 12),
  (dice) => plain(dice, 12),
  // Deutsche Post's routing code begins with a postal code, DPD's number of 14 digits with a zero.
  (dice) => gs1(`${two(dice.between(1, 99))}${dice.digits(11)}`),
  (dice) => `0${dice.digits(13)}`,
  (dice) => plain(dice, 15),
  (dice) => `RR${dice.digits(9)}DE`
)

/** Seconds to nanoseconds since 1970, of the years 2015 to 2032. */
const timestamp = (dice: Dice): string => `${dice.between(1_420_000_000, 1_980_000_000)}${dice.digits(dice.pick([0, 3, 6, 9]))}`
/** Ids of databases that number by time and machine: 17 to 19 digits, taken as random. */
const snowflake = (dice: Dice): string => plain(dice, dice.between(17, 19))
/** Orders of Shopify have 13 digits; its variants 14, counted up since 2018 through those that Diners Club begins with. */
const shopify = either((dice) => plain(dice, 13), (dice) => String(dice.between(31_000_000_000_000, 52_000_000_000_000)))
const giftCard = (dice: Dice): string => `${dice.pick(["603628", "600649", "636453", "777718"])}${dice.digits(dice.pick([10, 13]))}`
/** As people write them, and as a program leaves them that has divided. */
const amount = either(
  (dice) => `${dice.between(0, 9999)}.${dice.digits(2)}`,
  (dice) => `${dice.between(0, 999)}.${dice.digits(3)},${dice.digits(2)}`,
  (dice) => `${dice.between(1, 99_999_999) / dice.between(3, 999)}`
)
const reference = either(
  (dice) => plain(dice, dice.between(4, 12)),
  (dice) => `INV-20${dice.between(20, 26)}-${dice.digits(6)}`,
  (dice) => `RE${dice.digits(10)}`,
  (dice) => `${dice.between(2020, 2026)}/${dice.digits(5)}`,
  (dice) => `cus_${hex(dice, 16)}`,
  (dice) => `K-${dice.digits(8)}`,
  (dice) => `20${dice.between(20, 26)}${two(dice.between(1, 12))}${two(dice.between(1, 28))}-${dice.digits(6)}`,
  (dice) => `${date(dice)}-${dice.digits(6)}`
)
const amazon = (dice: Dice): string =>
  `${dice.pick(["302", "303", "304", "305", "028", "114", "202", "408"])}-${dice.digits(7)}-${dice.digits(7)}`
const created = either(date, (dice) => `${time(dice)}Z`, (dice) => `${time(dice)}.${dice.digits(6)}+01:00`)
const asNumber = (make: (dice: Dice) => string) => (dice: Dice): number => Number(make(dice))

export interface Kind {
  /** Name of a field as it would stand in metadata. */
  readonly name: string
  /** How many of a thousand fields are of this kind. */
  readonly weight: number
  readonly make: (dice: Dice) => unknown
}

/**
 * The weights are a guess at a web shop's metadata: first its own references and what it sold, then people and parcels, and last what
 * only some shops have, such as ids from databases that number by time.
 */
export const kinds: ReadonlyArray<Kind> = [
  { name: "reference", weight: 270, make: reference },
  { name: "uuid", weight: 110, make: uuid },
  { name: "amount", weight: 100, make: amount },
  { name: "created", weight: 90, make: created },
  { name: "ean", weight: 90, make: either<unknown>(ean, asNumber(ean)) },
  { name: "phone", weight: 90, make: phone },
  { name: "parcel", weight: 60, make: parcel },
  { name: "timestamp", weight: 55, make: either<unknown>(timestamp, asNumber(timestamp)) },
  { name: "amazon_order", weight: 40, make: amazon },
  { name: "iban", weight: 40, make: iban },
  { name: "basket", weight: 24, make: basket },
  { name: "gtin14", weight: 12, make: gtin14 },
  { name: "shopify_id", weight: 8, make: shopify },
  { name: "snowflake", weight: 6, make: either<unknown>(snowflake, asNumber(snowflake)) },
  { name: "gift_card", weight: 5, make: giftCard }
]

const fields = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
const description = either(
  (dice) => `Order ${reference(dice)}`,
  (dice) => `${reference(dice)} for ${phone(dice)}`,
  (dice) => `Lieferung ${date(dice)}`
)
const item = (dice: Dice) => ({ gtin: ean(dice), quantity: dice.between(1, 9), price: dice.between(99, 99_999) })

/** The text of a request: an amount, a key, and up to five fields of metadata; one in ten has its items as a list. */
export const ordinaryBody = (dice: Dice): string => {
  const body = {
    amount: dice.between(100, 99_999_999),
    currency: dice.pick(["EUR", "GBP", "USD"]),
    idempotency_key: either(uuid, reference)(dice),
    description: description(dice),
    metadata: Object.fromEntries(Array.from({ length: dice.between(1, 5) }, (_, n) => {
      const { make, name } = fields[dice.between(0, fields.length - 1)] ?? { make: uuid, name: "uuid" }
      return [`${name}_${n}`, make(dice)]
    })),
    ...(dice.between(1, 10) === 1 ? { items: Array.from({ length: 10 }, () => item(dice)) } : {})
  }
  return JSON.stringify(body, undefined, dice.pick([0, 0, 2]))
}
