import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import { TimeZone, timeZones } from "./time-zone.ts"

const decode = Schema.decodeUnknownResult(TimeZone)

describe("time zones", () => {
  it.for([
    "UTC",
    "Etc/UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Argentina/Buenos_Aires",
    "Asia/Kolkata",
    "Asia/Calcutta",
    "Europe/Kyiv",
    "Asia/Kathmandu"
  ])(
    "takes %s and keeps its spelling",
    (name) => assert.deepStrictEqual(decode(name), Result.succeed(name))
  )

  it.for([
    "europe/berlin",
    "EUROPE/BERLIN",
    "Europe/Berlin ",
    "Berlin",
    "+01:00",
    "GMT+1",
    "EST",
    "ECT",
    "CET",
    "SystemV/EST5",
    "Etc/GMT+5",
    "Etc/Unknown",
    "Mars/Olympus_Mons",
    "",
    null,
    60,
    "constructor"
  ])(
    "refuses %s with an example",
    (name) => {
      const result = decode(name)
      assert.isTrue(Result.isFailure(result))
      if (Result.isFailure(result)) {
        assert.match(result.failure.message, /time zone of the IANA database in its spelling, for example Europe\/Berlin/)
      }
    }
  )

  it("takes only what Effect can count with", () => {
    assert.isAbove(timeZones.length, 400)
    for (const name of timeZones) assert.isTrue(Option.isSome(DateTime.zoneMakeNamed(name)), name)
  })
})
