import { assert, describe, it } from "@effect/vitest"
import { answeredWith, approved, at, callOf, created, facts } from "../fixture.ts"
import type { PaymentIntent } from "../model.ts"
import type { Attempt } from "../model/attempts.ts"
import { attemptOf, endAttempt } from "./calls.ts"
import { amend } from "./decision.ts"
import type { IntentDecision } from "./decision.ts"
import { cancel, expire, fail } from "./ending.ts"
import { unblock } from "./review.ts"

/** An intent that these rails have declined or could not take already. */
const triedOn = (intent: PaymentIntent, ...tries: ReadonlyArray<readonly [rail: string, outcome: Attempt["outcome"]]>): PaymentIntent =>
  amend(intent, {
    attempts: [
      ...intent.attempts,
      ...tries.flatMap(([rail, outcome]) => {
        const call = { ...callOf(intent), rail }
        return endAttempt([attemptOf(call, { reason: "fallback order", score: 100 })], call.attempt_id, at, { outcome })
      })
    ]
  })

const posted = ({ entries }: IntentDecision) => entries.map(({ amount, event_type }) => `${event_type} ${amount}`)
const LEFT = ["orchestration_leg_debit 10000", "orchestration_leg_reversed 10000"]

describe("the legs of a payment", () => {
  it.each(
    [[false, ["payment_authorized 10000"]], [true, [
      "payment_authorized 10000",
      "payment_captured 10000",
      "fee_charged 320",
      "settlement_queued 9680"
    ]]] as const
  )(
    "that its first rail takes are none (captured: %s)",
    (capture, entries) => assert.deepStrictEqual(posted(answeredWith(created(), approved(10_000), facts(), capture)), Array.from(entries))
  )

  it.each([["declined"], ["failed"]] as const)(
    "that a second rail takes, after the first %s, are one for each rail, and the reversal of the one that was left",
    (outcome) => {
      const decided = answeredWith(triedOn(created(), ["card_b", outcome]), approved(10_000))
      assert.deepStrictEqual(posted(decided), [...LEFT, "orchestration_leg_credit 10000", "payment_authorized 10000"])
      for (const entry of decided.entries) {
        assert.deepInclude(entry, {
          counter_account: "MEMO",
          delta_available: 0,
          delta_pending: 0,
          delta_reserved: 0,
          counter_delta: 0,
          resource_type: "payment_intent"
        })
      }
    }
  )

  it("that is captured at once come before its money", () => {
    const decided = answeredWith(triedOn(created(), ["card_b", "declined"], ["bank", "declined"]), approved(10_000), facts(), true)
    assert.deepStrictEqual(posted(decided), [
      ...LEFT,
      ...LEFT,
      "orchestration_leg_credit 10000",
      "payment_authorized 10000",
      "payment_captured 10000",
      "fee_charged 320",
      "settlement_queued 9680"
    ])
  })

  it("that no rail takes are one for each, of which the last is not left: the payment fails on it", () => {
    const decided = answeredWith(triedOn(created(), ["card_b", "declined"]), { _tag: "Declined", code: "generic_decline" })
    assert.deepStrictEqual(posted(decided), [...LEFT, "orchestration_leg_debit 10000", "payment_failed 10000"])
  })

  it("that waits for its second rail are written with its end, once", () => {
    const pending = answeredWith(triedOn(created(), ["card_b", "declined"]), {
      _tag: "RequiresAction",
      reference: "r",
      url: "https://bank.example/3ds"
    })
    assert.deepStrictEqual(posted(pending), [])
    assert.deepStrictEqual(posted(cancel(pending.intent, at, null)), [...LEFT, ...LEFT])
    assert.deepStrictEqual(posted(fail(pending.intent, at, { failure_reason: "expired", decline_code: null })), [
      ...LEFT,
      "orchestration_leg_debit 10000",
      "payment_failed 10000"
    ])
    const held = answeredWith(triedOn(created(), ["card_b", "declined"]), approved(10_000)).intent
    assert.deepStrictEqual(posted(cancel(held, at, null)), ["orchestration_leg_reversed 10000"])
    assert.deepStrictEqual(posted(expire(held, at) ?? { ...pending, entries: [] }), ["orchestration_leg_reversed 10000"])
  })

  it("of the same rail, tried again, are none; of all rails, tried again after a review, are all of them", () => {
    assert.deepStrictEqual(posted(answeredWith(triedOn(created(), ["card_a", "failed"]), approved(10_000))), ["payment_authorized 10000"])
    const blocked = answeredWith(triedOn(created(), ["card_b", "declined"]), { _tag: "Blocked" })
    assert.deepStrictEqual(posted(blocked), [])
    assert.deepStrictEqual(posted(answeredWith(unblock(blocked.intent, at).intent, approved(10_000))), [
      ...LEFT,
      ...LEFT,
      "orchestration_leg_credit 10000",
      "payment_authorized 10000"
    ])
  })
})
