import { assert, describe, it } from "@effect/vitest"
import { type DunningPreset, DunningPreset as Preset } from "@svc/accounts/accounts/settings"
import { declineCodes } from "@svc/payments/rails/model"
import { Arbitrary, DateTime, Schema } from "effect"
import { DAY_MS } from "../calendar/period.ts"
import { type FailedTry, type FailureCause, next } from "./next.ts"
import { graceEnd, hardDeclines, JITTER_MS, schedule } from "./schedule.ts"
import { countedFrom, type DunningTerms, termsOf, termsOfCycle } from "./terms.ts"

const due = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const day = (days: number) => DateTime.makeUnsafe(due.epochMilliseconds + days * DAY_MS)
const plan = { grace_period_days: 3 }
const failed = (changes: Partial<FailedTry> = {}): FailedTry => ({
  terms: termsOf("derived", plan),
  counted_from: due,
  failed_attempts: 1,
  cause: "insufficient_funds",
  now: due,
  random: null,
  ...changes
})

describe("the terms of a cycle", () => {
  it.for<[DunningPreset, number, DunningTerms, ReadonlyArray<number>]>([
    ["derived", 3, { preset: "derived", grace_period_days: 3, max_retries: 4 }, [0, 1, 2, 3]],
    ["derived", 6, { preset: "derived", grace_period_days: 6, max_retries: 4 }, [0, 2, 4, 6]],
    ["derived", 1, { preset: "derived", grace_period_days: 1, max_retries: 4 }, [0, 1 / 3, 2 / 3, 1]],
    ["derived", 0, { preset: "derived", grace_period_days: 0, max_retries: 4 }, [0]],
    ["polar21", 3, { preset: "polar21", grace_period_days: 21, max_retries: 5 }, [0, 2, 7, 14, 21]],
    ["stripe14", 3, { preset: "stripe14", grace_period_days: 14, max_retries: 8 }, [0, 2, 4, 6, 8, 10, 12, 14]],
    [[1, 3], 3, { preset: [1, 3], grace_period_days: 4, max_retries: 3 }, [0, 1, 4]],
    [[], 3, { preset: [], grace_period_days: 0, max_retries: 1 }, [0]]
  ])("by %j and %d days of grace", ([preset, grace_period_days, expected, days]) => {
    const terms = termsOf(preset, { grace_period_days })
    assert.deepStrictEqual(terms, expected)
    assert.deepStrictEqual(schedule(terms, due).map((at) => at.epochMilliseconds), days.map((n) => due.epochMilliseconds + n * DAY_MS))
  })

  it("with one try, tries on the due date only", () => {
    assert.deepStrictEqual(schedule({ preset: "derived", grace_period_days: 3, max_retries: 1 }, due), [due])
  })

  it("are found again by what the cycle keeps, and so is the moment from which its tries are counted", () => {
    for (const preset of ["derived", "polar21", "stripe14", [1, 3], [3, 1], []] as const) {
      const { max_retries, ...terms } = termsOf(preset, plan)
      const { grace_period_days } = terms
      const kept = { dunning: terms, grace_until: day(40 + grace_period_days), max_retries }
      assert.deepStrictEqual(termsOfCycle(kept), termsOf(preset, plan))
      assert.deepStrictEqual(countedFrom(kept), day(40))
    }
  })

  it("ends every schedule with the grace", () => {
    for (const preset of ["derived", "polar21", "stripe14", [4, 4]] as const) {
      const terms = termsOf(preset, plan)
      assert.deepStrictEqual(schedule(terms, due).at(-1), graceEnd(terms, due))
    }
  })
})

describe("after a failed try", () => {
  it("tries again on the next day of the schedule, and says so", () => {
    assert.deepStrictEqual(next(failed()), {
      _tag: "Retry",
      at: day(1),
      reason: "The card was declined (insufficient_funds). Try 2 of 4 is due at 2026-01-02T00:00:00.000Z"
    })
    assert.deepInclude(next(failed({ failed_attempts: 2, now: day(1) })), { _tag: "Retry", at: day(2) })
    assert.deepInclude(next(failed({ failed_attempts: 3, now: day(2) })), { _tag: "Retry", at: day(3) })
  })

  it("ends at the last try, not before and not after", () => {
    assert.deepStrictEqual(next(failed({ failed_attempts: 4, now: day(3) })), {
      _tag: "Fail",
      reason: "The card was declined (insufficient_funds). That was try 4 of 4: the cycle has failed"
    })
    assert.strictEqual(next(failed({ failed_attempts: 3, now: day(2) }))._tag, "Retry")
    assert.strictEqual(next(failed({ terms: { preset: "derived", grace_period_days: 3, max_retries: 1 } }))._tag, "Fail")
  })

  it("ends a plan without grace at its first failure", () => {
    assert.deepStrictEqual(next(failed({ terms: termsOf("derived", { grace_period_days: 0 }) })), {
      _tag: "Fail",
      reason: "The card was declined (insufficient_funds). The 0 days of grace ended at 2026-01-01T00:00:00.000Z: the cycle has failed"
    })
  })

  it.for(declineCodes.filter((code) => hardDeclines.has(code)))(
    "waits for a new card after %s, until the grace ends, and then fails",
    (cause) => {
      assert.deepStrictEqual(next(failed({ cause })), {
        _tag: "Wait",
        until: day(3),
        reason:
          `The card was declined (${cause}): trying again by itself would not help. A new card is tried at once until 2026-01-04T00:00:00.000Z, when the cycle fails`
      })
      assert.deepStrictEqual(next(failed({ cause, now: day(3) })), {
        _tag: "Fail",
        reason: `The card was declined (${cause}). The 3 days of grace ended at 2026-01-04T00:00:00.000Z: the cycle has failed`
      })
    }
  )

  it("holds six declines for hard", () => {
    assert.deepStrictEqual(Array.from(hardDeclines).sort(), [
      "card_not_supported",
      "currency_not_supported",
      "expired_card",
      "fraudulent",
      "lost_card",
      "stolen_card"
    ])
  })

  it.for<FailureCause>(["no_payment_method", "collection_stopped"])("waits where there is nothing to try: %s", (cause) => {
    assert.deepInclude(next(failed({ cause })), { _tag: "Wait", until: day(3) })
    assert.strictEqual(next(failed({ cause, now: day(3) }))._tag, "Fail")
  })

  it("goes on by the schedule when a new card fails softly after a hard decline", () => {
    assert.deepInclude(next(failed({ failed_attempts: 2, now: day(1.5), cause: "do_not_honor" })), { _tag: "Retry", at: day(2) })
  })

  it("does not catch up with tries that passed while nothing ran", () => {
    assert.deepInclude(next(failed({ now: day(2.2) })), { _tag: "Retry", at: day(3) })
    assert.strictEqual(next(failed({ now: day(3.2) }))._tag, "Fail")
  })

  it("takes a try that was moved ahead for the planned one", () => {
    const early = DateTime.makeUnsafe(day(1).epochMilliseconds - JITTER_MS)
    assert.deepInclude(next(failed({ failed_attempts: 2, now: early })), { _tag: "Retry", at: day(2) })
  })
})

const runs = { arbitrary: { runs: 500 } }
const fractions = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 })))
const presets = Arbitrary.schema(Preset)
const graces = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })))
const softCodes = Arbitrary.schema(Schema.Literals(declineCodes.filter((code) => !hardDeclines.has(code))))

describe("every course of failures", () => {
  it.prop("moves forward, within half an hour of the schedule and the grace, and ends at the ceiling", [
    presets,
    graces,
    fractions,
    softCodes
  ], ([preset, grace_period_days, fraction, cause]) => {
    const terms = termsOf(preset, { grace_period_days })
    const planned = schedule(terms, due)
    let now = due
    for (let retries = 1; retries <= planned.length; retries++) {
      const step = next({ terms, counted_from: due, failed_attempts: retries, cause, now, random: fraction / 1_000_000 })
      if (step._tag !== "Retry") {
        assert.strictEqual(step._tag, "Fail")
        assert.strictEqual(retries, planned.length)
        return
      }
      const wanted = planned[retries]?.epochMilliseconds ?? Number.NaN
      assert.isAbove(step.at.epochMilliseconds, now.epochMilliseconds)
      assert.isAtMost(step.at.epochMilliseconds, graceEnd(terms, due).epochMilliseconds)
      assert.isAtMost(Math.abs(step.at.epochMilliseconds - wanted), JITTER_MS)
      now = step.at
    }
    assert.fail("no end")
  }, runs)

  it("uses the whole hour around a try, and only the half hour before the last", () => {
    const moved = (retries: number, now: DateTime.Utc, random: number) => {
      const step = next(failed({ failed_attempts: retries, now, random }))
      return step._tag === "Retry" ? step.at.epochMilliseconds : Number.NaN
    }
    assert.deepStrictEqual([moved(1, due, 0), moved(1, due, 0.5), moved(1, due, 0.999999999)].map((at) => at - day(1).epochMilliseconds), [
      -JITTER_MS,
      0,
      JITTER_MS
    ])
    assert.deepStrictEqual([moved(3, day(2), 0), moved(3, day(2), 0.999999999)].map((at) => at - day(3).epochMilliseconds), [-JITTER_MS, 0])
  })
})
