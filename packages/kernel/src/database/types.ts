/**
 * Binary codecs of our Postgres connections. `int8` becomes a JavaScript number that is checked to
 * be a safe integer, and `timestamptz` the ISO string of the wire, so that a row decodes with the
 * very codec its JSON does.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

const EPOCH_OFFSET_MS = 946_684_800_000 // Postgres counts from 2000-01-01

const codecError = (message: string) => Result.fail(new PgTypes.CodecError({ message }))

/** Exact for safe integers; what lies beyond them is rounded, and stays beyond them. */
const readInt64 = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getInt32(0) * 2 ** 32 + view.getUint32(4)
}

const writeInt64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, value)
  return bytes
}

const int8: PgTypes.Codec<number> = {
  decode: (bytes) => {
    const value = readInt64(bytes)
    return Number.isSafeInteger(value) ? Result.succeed(value) : codecError("int8 is beyond 2^53-1")
  },
  encode: (value) => Result.succeed(writeInt64(BigInt(value)))
}

const timestamptz: PgTypes.Codec<string> = {
  decode: (bytes) => {
    const millis = Math.floor(readInt64(bytes) / 1000) + EPOCH_OFFSET_MS
    return Result.succeed(new Date(millis).toISOString())
  },
  encode: (value) => {
    const millis = Date.parse(value)
    return Number.isNaN(millis)
      ? codecError(`not a timestamp: ${value}`)
      : Result.succeed(writeInt64(BigInt(millis - EPOCH_OFFSET_MS) * 1000n))
  }
}

export const registry: PgTypes.Registry = PgTypes.makeRegistry()
registry.register(20, int8, { arrayOid: 1016 })
registry.register(1184, timestamptz, { arrayOid: 1185 })
