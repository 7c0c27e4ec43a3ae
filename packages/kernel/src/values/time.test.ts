import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { iso, Timestamp } from "./time.ts"

const decode = Schema.decodeUnknownResult(Timestamp)
const encode = Schema.encodeSync(Timestamp)

describe("a timestamp", () => {
  it.for(
    [
      ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
      ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
      ["2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500Z"],
      ["2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.123Z"],
      ["2026-01-01T00:00:00.9999Z", "2026-01-01T00:00:00.999Z"],
      ["2026-01-01T00:00:00+02:00", "2025-12-31T22:00:00.000Z"],
      ["2026-01-01T00:00:00.25-23:59", "2026-01-01T23:59:00.250Z"],
      ["2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00.000Z"],
      ["2026-01-01", "2026-01-01T00:00:00.000Z"],
      ["2024-02-29", "2024-02-29T00:00:00.000Z"],
      ["2000-02-29T23:59:59.999Z", "2000-02-29T23:59:59.999Z"],
      ["0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"],
      ["0099-12-31", "0099-12-31T00:00:00.000Z"],
      ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
    ] as const
  )("%s is %s", ([text, expected]) => {
    assert.deepStrictEqual(Result.map(decode(text), iso), Result.succeed(expected))
  })

  it.for([
    // Days that do not exist.
    "2026-02-29",
    "2026-02-30",
    "2026-04-31T00:00:00Z",
    "1900-02-29",
    "2026-01-32",
    "2026-01-00",
    "2026-00-01",
    "2026-13-01",
    "2026-13-45T99:99:99Z",
    // Times of day that do not exist.
    "2026-01-01T24:00:00Z",
    "2026-01-01T23:60:00Z",
    "2026-12-31T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+02:60",
    // No zone, or no whole seconds: nobody knows which moment is meant.
    "2026-01-01T00:00:00",
    "2026-01-01T00:00Z",
    "2026-01-01T00Z",
    "2026-01-01Z",
    "2026",
    "2026-01",
    // What Date.parse takes besides.
    "1 Jan 2026",
    "Thu, 01 Jan 2026 00:00:00 GMT",
    "01/02/2026",
    "2026-1-1",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00 02:00",
    "1767225600000",
    "now",
    "",
    // Spellings that nobody sends.
    "2026-01-01t00:00:00z",
    "20260101T000000Z",
    "2026-W01-1",
    " 2026-01-01",
    "2026-01-01\n",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00,5Z",
    "2026-01-01T00:00:00.1234567890Z",
    "2026-01-01T00:00:00+0200",
    "2026-01-01T00:00:00+02",
    "２０２６-01-01",
    // Years that the wire cannot write, or the database cannot keep.
    "0000-01-01",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "+010000-01-01T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z"
  ])("is not %j", (text) => {
    const result = decode(text)
    assert.isTrue(Result.isFailure(result), Result.isSuccess(result) ? iso(result.success) : "")
    if (Result.isFailure(result)) assert.include(result.failure.message, "for example 2026-01-01T00:00:00.000Z")
  })

  it.for([1_767_225_600_000, null, undefined, {}, true])("is a text, and not %j", (value) => {
    assert.isTrue(Result.isFailure(decode(value)))
  })

  it.prop("is written with three decimals, and read back as the same moment", [Timestamp], ([moment]) => {
    const text = encode(moment)
    assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepStrictEqual(decode(text), Result.succeed(moment))
  })

  it.prop("says the same moment whatever its offset", [
    Timestamp,
    Schema.Int.check(Schema.isBetween({ minimum: -14 * 60, maximum: 14 * 60 }))
  ], ([moment, offset]) => {
    const local = iso(DateTime.add(moment, { minutes: offset }))
    // At the ends of time the local year may be one that has no four digits.
    if (!/^\d{4}-/.test(local) || local.startsWith("0000")) return
    const two = (n: number) => String(Math.floor(n)).padStart(2, "0")
    const zone = `${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
    assert.deepStrictEqual(decode(local.replace("Z", zone)), Result.succeed(moment))
  })
})
