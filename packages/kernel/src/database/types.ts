/**
 * Binary codecs of our Postgres connections. `int8` becomes a JavaScript number that is checked to
 * be a safe integer, and `timestamptz` the ISO string of the wire, so that a row decodes with the
 * very codec its JSON does. `json` and `jsonb` are read by the kernel's reader of JSON.
 */
import { type PgProtocol, PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import { parseJson } from "../values/json.ts"

const EPOCH_OFFSET_MS = 946_684_800_000 // Postgres counts from 2000-01-01

const codecError = (message: string) => Result.fail(new PgTypes.CodecError({ message }))

const readUint32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0

/** Exact for safe integers; what lies beyond them is rounded, and stays beyond them. */
const readInt64 = (bytes: Uint8Array, at: number): number => (readUint32(bytes, at) | 0) * 2 ** 32 + readUint32(bytes, at + 4)

/** Whole milliseconds of microseconds, which are no safe integers beyond the year 2285. */
const readMillis = (bytes: Uint8Array, at: number): number => {
  const micros = readInt64(bytes, at)
  return Number.isSafeInteger(micros)
    ? Math.floor(micros / 1000)
    : Number(new DataView(bytes.buffer, bytes.byteOffset + at, 8).getBigInt64(0) / 1000n)
}

const int64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, value)
  return bytes
}

/** A safe integer in two halves, of which `|` takes the lower: a BigInt on the way costs five times as much. */
const writeInt64 = (sink: PgProtocol.ValueSink, value: number): Result.Result<void, never> => {
  sink.int32(Math.floor(value / 2 ** 32))
  sink.int32(value | 0)
  return Result.void
}

/**
 * `read` takes the value out of the bytes that came, where `decode` needs a copy or a view of its own: there are a dozen in a row of the
 * ledger.
 */
const readInt8 = (bytes: Uint8Array, at: number): Result.Result<number, PgTypes.CodecError> => {
  const value = readInt64(bytes, at)
  return Number.isSafeInteger(value) ? Result.succeed(value) : codecError("int8 is beyond 2^53-1")
}

const int8: PgTypes.Codec<number> = {
  read: readInt8,
  decode: (bytes) => readInt8(bytes, 0),
  encode: (value) => Result.succeed(int64(BigInt(value))),
  write: (sink, value) => {
    // The client makes a BigInt of what is beyond 32 bits and has no declared type.
    const number = Number(value)
    return Number.isSafeInteger(number) ? writeInt64(sink, number) : codecError(`not a safe integer: ${value}`)
  }
}

/** Microseconds in the era of Postgres. */
const encodeTimestamp = (iso: string): Result.Result<Uint8Array, PgTypes.CodecError> => {
  const millis = Date.parse(iso)
  return Number.isNaN(millis) ? codecError(`not a timestamp: ${iso}`) : Result.succeed(int64(BigInt(millis - EPOCH_OFFSET_MS) * 1000n))
}

const readTimestamp = (bytes: Uint8Array, at: number) => Result.succeed(new Date(readMillis(bytes, at) + EPOCH_OFFSET_MS).toISOString())

const timestamptz: PgTypes.Codec<string> = {
  read: readTimestamp,
  decode: (bytes) => readTimestamp(bytes, 0),
  encode: encodeTimestamp,
  write: (sink, value) => {
    const micros = (Date.parse(value) - EPOCH_OFFSET_MS) * 1000
    return Number.isSafeInteger(micros) ? writeInt64(sink, micros) : Result.map(encodeTimestamp(value), (bytes) => sink.raw(bytes))
  }
}

/** Read by the kernel's reader, and written as the client does it. `prefix` stands before the text: `jsonb` has a version there. */
const jsonCodec = (oid: number, prefix: ReadonlyArray<number>): PgTypes.Codec<unknown> => {
  const read = (bytes: Uint8Array, offset: number, size: number): Result.Result<unknown, PgTypes.CodecError> => {
    if (prefix.some((byte, at) => bytes[offset + at] !== byte)) return codecError("jsonb of a version that is not known")
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + offset + prefix.length, size - prefix.length).toString("utf8")
    return Result.try({ try: () => parseJson(text), catch: () => new PgTypes.CodecError({ message: "no JSON, or nested too deep" }) })
  }
  return {
    read,
    decode: (bytes) => read(bytes, 0, bytes.length),
    encode: (value) => PgTypes.encode(value, oid),
    write: (sink, value) => {
      const text = JSON.stringify(value)
      if (text === undefined) return codecError(`no JSON: ${typeof value}`)
      for (const byte of prefix) sink.uint8(byte)
      sink.utf8(text)
      return Result.void
    }
  }
}

export const registry: PgTypes.Registry = PgTypes.makeRegistry()
registry.register(20, int8, { arrayOid: 1016 })
registry.register(1184, timestamptz, { arrayOid: 1185 })
registry.register(PgTypes.OID.json, jsonCodec(PgTypes.OID.json, []))
registry.register(PgTypes.OID.jsonb, jsonCodec(PgTypes.OID.jsonb, [1]))
