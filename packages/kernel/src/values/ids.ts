/**
 * Identifiers: a prefix that names the kind, an underscore, and a ULID (github.com/ulid/spec): 48 bits
 * of Unix milliseconds and 80 random bits in Crockford base32, 26 capital characters. The text order of
 * the ids of one kind is their time order.
 */
import { Clock, Effect, Schema, SchemaTransformation } from "effect"
import { randomFillSync } from "node:crypto"
import { Reference } from "./reference.ts"
import { Present } from "./time.ts"

/** What names a kind of record, such as `pi`: each resource declares its own, with {@link idSchema}. */
export type Prefix = string

/** Makes the id of a record of kind `prefix` created at `millis`, Unix milliseconds. */
export type MakeId = (prefix: Prefix, millis: number) => string

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const MAX_MILLIS = 2 ** 48 - 1
const HALF = 2 ** 40
const TIME_CHARS = 10
const ULID_CHARS = 26
const EXAMPLE_MILLIS = 1_767_225_600_000 // 2026-01-01T00:00:00.000Z

// Ten bits are two characters: five look-ups for the time, four for each half of the random part.
const pairs: ReadonlyArray<string> = Array.from({ length: 1024 }, (_, n) => ALPHABET.charAt(n >> 5) + ALPHABET.charAt(n & 31))
const pair = (bits: number): string => pairs[bits & 1023] ?? ""

const encodeTime = (millis: number): string => {
  if (!Number.isInteger(millis) || millis < 0 || millis > MAX_MILLIS) {
    throw new RangeError(`An id needs a time of 0 to ${MAX_MILLIS} whole Unix milliseconds, got ${millis}`)
  }
  const high = Math.floor(millis / 2 ** 20)
  return pair(high >> 20) + pair(high >> 10) + pair(high) + pair(millis >> 10) + pair(millis)
}

const encodeHalf = (half: number): string => {
  const high = Math.floor(half / 2 ** 20)
  return pair(high >> 10) + pair(high) + pair(half >> 10) + pair(half)
}

/** The 80 random bits last used in one millisecond, as two numbers of 40 bits. */
interface Moment {
  readonly time: string
  high: number
  low: number
}

const POOL_BYTES = 8 * 1024
// A sandbox's test clock stands still while other clocks run, so more than the newest moment is kept.
const MOMENTS = 256

/**
 * An id generator over a source of random bytes; `fill` overwrites the whole array it is given.
 *
 * Within one millisecond the random part grows by a random step of up to 2^64, so that ids made in order
 * sort in order and yet no id tells its neighbour. The step shrinks as the range fills; only after some
 * two million ids in one same millisecond does the order start over. Not shared between processes: two
 * of them order their ids by time alone.
 */
export const makeIdSource = (fill: (bytes: Uint8Array<ArrayBuffer>) => unknown): MakeId => {
  const pool = new Uint8Array(new ArrayBuffer(POOL_BYTES))
  const words = new DataView(pool.buffer)
  const moments = new Map<number, Moment>()
  let used = POOL_BYTES
  let lastMillis = -1
  let last: Moment = { time: "", high: 0, low: 0 }

  const take40 = (): number => {
    if (used + 5 > POOL_BYTES) {
      fill(pool)
      used = 0
    }
    const value = words.getUint32(used) * 256 + words.getUint8(used + 4)
    used += 5
    return value
  }

  const begin = (moment: Moment): void => {
    moment.high = take40()
    moment.low = take40()
  }

  const step = (moment: Moment): void => {
    const low = moment.low + take40() + 1
    const carry = low >= HALF ? 1 : 0
    const high = moment.high + Math.floor((take40() / HALF) * ((HALF - moment.high) / 2 ** 16)) + carry
    if (high >= HALF) return begin(moment)
    moment.low = low - carry * HALF
    moment.high = high
  }

  const enter = (millis: number): Moment => {
    let moment = moments.get(millis)
    if (moment === undefined) {
      moment = { time: encodeTime(millis), high: 0, low: 0 }
      begin(moment)
      const oldest = moments.size < MOMENTS ? undefined : moments.keys().next().value
      if (oldest !== undefined) moments.delete(oldest)
    } else {
      moments.delete(millis)
      step(moment)
    }
    moments.set(millis, moment)
    return moment
  }

  return (prefix, millis) => {
    if (millis === lastMillis) {
      step(last)
    } else {
      last = enter(millis)
      lastMillis = millis
    }
    return `${prefix}_${last.time}${encodeHalf(last.high)}${encodeHalf(last.low)}`
  }
}

/** The process's own generator, on the operating system's randomness. Synchronous, for hot paths. */
export const makeId: MakeId = makeIdSource(randomFillSync)

/** The generator in use. A test or a simulation provides one made of a seed. */
export const IdSource = Reference<MakeId>("@svc/kernel/IdSource", { defaultValue: () => makeId })

/** A new id of this kind at the present moment, of the account's own clock where it has one. */
export const nextId = (prefix: Prefix): Effect.Effect<string> =>
  Effect.withFiberSucceed((fiber) =>
    fiber.getRef(IdSource)(prefix, fiber.getRef(Present) ?? fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
  )

/** What an id of this kind looks like. */
export const idPattern = (prefix: Prefix): RegExp => new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`, "u")

/** The same in words, with an example. */
export const idShape = (prefix: Prefix): string => `${prefix}_ and 26 characters, for example ${ulidFloor(prefix, EXAMPLE_MILLIS)}`

/** Which identifier took which prefix. Two kinds of one prefix could not be told apart. */
const identifiers = new Map<Prefix, string>()

/** `PaymentIntentId` as a person says it: payment intent. */
const kindOf = (identifier: string): string => identifier.replace(/Id$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

/**
 * Declares the branded id of one kind of record, such as `idSchema("pi", "PaymentIntentId")`. Throws a RangeError, a defect,
 * when another kind has the prefix.
 */
export const idSchema = <const Identifier extends string>(
  prefix: Prefix,
  // Schema.brand asks for one literal name, so this does too.
  identifier: Identifier & Parameters<typeof Schema.brand<Identifier>>[0]
) => {
  const other = identifiers.get(prefix)
  if (other !== undefined && other !== identifier) {
    throw new RangeError(`${prefix}_ begins the ids of ${other} already; choose another prefix for ${identifier}`)
  }
  identifiers.set(prefix, identifier)
  const kind = kindOf(identifier)
  const message = `Expected the id of a ${kind}: ${idShape(prefix)}`
  return Schema.String.annotate({ message }).check(
    Schema.isPattern(idPattern(prefix), { message, identifier, description: `Id of a ${kind}` })
  ).pipe(Schema.brand<Identifier>(identifier))
}

/**
 * The id of a kind in a path. Text that is no such id stands for one that nobody has: it is not found, in the same bytes as an unknown id.
 */
export const pathId = <S extends Schema.Codec<string, string>>(prefix: Prefix, id: S) => {
  const isId = Schema.is(id)
  const nobodys = Schema.decodeUnknownSync(id)(ulidFloor(prefix, 0))
  // Declared anew: the document would give each place that has it a schema with a name of its own.
  return Schema.String.annotate({ description: `Id of a ${kindOf(identifiers.get(prefix) ?? prefix)}` }).pipe(
    Schema.decodeTo(
      Schema.declare((value): value is S["Type"] => isId(value)),
      SchemaTransformation.transform({
        decode: (text: string): S["Type"] => isId(text) ? text : nobodys,
        encode: (known: S["Type"]): string => known
      })
    )
  )
}

/**
 * The moment an id was made, Unix milliseconds. Throws a RangeError, a defect, for text that does not
 * end in a ULID; decode it with its `idSchema` first.
 */
export const timeOf = (id: string): number => {
  const start = id.length - ULID_CHARS
  let millis = 0
  for (let i = start; i < start + TIME_CHARS; i++) {
    const digit = i < 0 ? -1 : ALPHABET.indexOf(id.charAt(i))
    if (digit < 0) throw new RangeError(`${id} does not end in a ULID, so it carries no time`)
    millis = millis * 32 + digit
  }
  return millis
}

/**
 * The smallest id of this kind at this millisecond. Every id made at `millis` or later is greater or
 * equal, so a filter on the creation time becomes a range of the primary key. A moment that no id can carry,
 * before 1970 or after the year 10889, counts as the nearest one that an id can.
 */
export const ulidFloor = (prefix: Prefix, millis: number): string =>
  `${prefix}_${encodeTime(Math.min(Math.max(millis, 0), MAX_MILLIS))}0000000000000000`
