import { assert, describe, it } from "@effect/vitest"
import { triggersFrom } from "@svc/kernel/resource/state-machine"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Effect, Result, Schema } from "effect"
import {
  accountWith,
  answeredWith,
  approved,
  at,
  authorized,
  callOf,
  capturedIntent,
  created,
  facts,
  inState,
  refundOf
} from "../fixture.ts"
import { paymentIntentMachine } from "../machine.ts"
import type { PaymentIntentTrigger } from "../machine.ts"
import { EXPIRES, PaymentIntentId, paymentIntentStates } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import { announce } from "./calls.ts"
import { capture, mayCapture } from "./capture.ts"
import { create } from "./create.ts"
import { amend } from "./decision.ts"
import type { IntentDecision } from "./decision.ts"
import { cancel, expire, mayVoid } from "./ending.ts"
import { checkRefundAmount, MAX_REFUNDS } from "./refund.ts"
import { may } from "./refusals.ts"
import type { IntentRefusal } from "./refusals.ts"
import { mayApprove, mayReject, needsApproval, unblock } from "./review.ts"

/** What each verb asks before it acts. */
const guards: Readonly<Partial<Record<PaymentIntentTrigger, (intent: PaymentIntent) => Result.Result<unknown, IntentRefusal>>>> = {
  authorize: (intent) => may(intent, "authorize"),
  approve: mayApprove,
  reject: mayReject,
  capture: (intent) => mayCapture(intent, undefined),
  void: mayVoid,
  refund: (intent) => checkRefundAmount(intent, undefined)
}

/** State by verb, written out by hand from the table of the contract: what is not listed is refused. */
const legal: ReadonlyArray<readonly [string, string]> = [
  ["created", "authorize"],
  ["created", "void"],
  ["blocked", "approve"],
  ["blocked", "reject"],
  ["blocked", "void"],
  ["pending", "approve"],
  ["pending", "reject"],
  ["pending", "void"],
  ["authorized", "capture"],
  ["authorized", "void"],
  ["captured", "refund"]
]

const deltas = (decision: IntentDecision) =>
  decision.entries.reduce((sum, entry) => ({
    available: sum.available + entry.delta_available,
    pending: sum.pending + entry.delta_pending
  }), { available: 0, pending: 0 })

const types = (decision: IntentDecision) => decision.entries.map((entry) => `${entry.event_type} ${entry.amount}`)

describe("transitions", () => {
  for (const state of paymentIntentStates) {
    for (const [verb, guard] of Object.entries(guards)) {
      const allowed = legal.some(([from, trigger]) => from === state && trigger === verb)
      it(`${verb} from ${state} is ${allowed ? "allowed" : "refused with 409"}`, () => {
        const result = guard(inState[state]())
        assert.strictEqual(Result.isSuccess(result), allowed)
        if (Result.isFailure(result)) {
          assert.strictEqual(result.failure.error, "invalid_state")
          assert.deepStrictEqual(result.failure.details?.["allowed"], triggersFrom(paymentIntentMachine, state))
        }
      })
    }
  }

  it("each decision moves along a row of the table and adds one version", () => {
    const moves: ReadonlyArray<readonly [PaymentIntent, PaymentIntentTrigger, IntentDecision | undefined]> = [
      [created(), "authorize", answeredWith(created(), approved(10_000))],
      [created(), "authorize", answeredWith(created(), approved(10_000), facts(), true)],
      [created(), "authorize", answeredWith(created(), { _tag: "Declined", code: "lost_card" })],
      [created(), "authorize", answeredWith(created(), { _tag: "Blocked" })],
      [created(), "authorize", answeredWith(created(), { _tag: "RequiresAction", reference: "r", url: "https://bank.example/3ds" })],
      [created(), "authorize", answeredWith(created(), { _tag: "Accepted", reference: "r" })],
      [created(), "void", cancel(created(), at, null)],
      [inState.blocked(), "approve", unblock(inState.blocked(), at)],
      [inState.blocked(), "reject", cancel(inState.blocked(), at, "rejected")],
      [inState.blocked(), "expire", expire(inState.blocked(), at)],
      [inState.pending(), "expire", expire(inState.pending(), at)],
      [authorized(), "capture", capture(authorized(), { amount: 10_000 }, facts())],
      [authorized(), "void", cancel(authorized(), at, null)],
      [authorized(), "expire", expire(authorized(), at)],
      [capturedIntent(), "refund", refundOf(capturedIntent(), 1)],
      [capturedIntent(), "refund", refundOf(capturedIntent(), 10_000)]
    ]
    for (const [before, trigger, decision] of moves) {
      assert.isDefined(decision)
      const { intent } = decision
      assert.isTrue(
        paymentIntentMachine.transitions.some((row) => row.from === before.state && row.trigger === trigger && row.to === intent.state),
        `${before.state} --${trigger}--> ${intent.state} is not in the table`
      )
      assert.strictEqual(intent.version, before.version + 1)
    }
  })

  it("only created, blocked, pending and authorized intents expire", () => {
    const expired = paymentIntentStates.filter((state) => expire(inState[state](), at) !== undefined)
    assert.deepStrictEqual(expired, ["authorized", "pending", "blocked"])
  })

  it("refuses every verb while a call to the provider is open", () => {
    for (const [state, verb] of legal) {
      const intent = inState[state as PaymentIntent["state"]]()
      const busy = announce(intent, callOf(intent)).intent
      const result = guards[verb as PaymentIntentTrigger]?.(busy)
      assert.isDefined(result)
      assert.isTrue(Result.isFailure(result) && result.failure.error === "payment_in_flight", `${verb} from ${state}`)
    }
  })

  it("cannot void what the rail still decides", () => {
    const pending = answeredWith(created(), { _tag: "Accepted", reference: "r" }).intent
    assert.strictEqual(pending.pending_reason, "async_rail")
    assert.isTrue(Result.isFailure(mayVoid(pending)))
  })
})

describe("create", () => {
  it.each(
    [
      [{}, "created", null],
      [{ block_above: 9_999 }, "blocked", "policy_amount"],
      [{ block_above: 10_000 }, "created", null]
    ] as const
  )("with settings %j is %s", (settings, state, reason) => {
    const intent = created(10_000, settings)
    assert.strictEqual(intent.state, state)
    assert.strictEqual(intent.failure_reason, reason)
  })

  const settledIn = (destination_currency: string | null, quote_id: string | null = null) =>
    create(PaymentIntentId.make(makeId("pi", at.epochMilliseconds)), {
      amount: 1,
      currency: "USD",
      destination_currency,
      quote_id,
      idempotency_key: "key"
    }, facts())

  it.each([null, "USD", "EUR"])("settles in %s", (currency) => {
    assert.strictEqual(Result.getOrThrow(settledIn(currency)).intent.destination_currency, currency)
  })

  it.each([null, "USD"])("takes no quote when it settles in %s, where nothing is converted", (currency) => {
    const result = settledIn(currency, "qt_01")
    assert.isTrue(Result.isFailure(result) && result.failure._tag === "ValidationError" && result.failure.code === "quote_id")
  })

  it("asks for approval strictly above the limit", () => {
    const limit = facts({ require_approval_above: 10_000 })
    assert.isFalse(needsApproval(created(10_000), limit))
    assert.isTrue(needsApproval(created(10_001), limit))
  })
})

describe("ledger effect", () => {
  it("capture posts the money, the fee and the settlement to come", () => {
    const decision = capture(authorized(), { amount: 10_000 }, facts())
    assert.deepStrictEqual(types(decision), ["payment_captured 10000", "fee_charged 320", "settlement_queued 9680"])
    assert.deepStrictEqual(deltas(decision), { available: 0, pending: 9680 })
    assert.deepStrictEqual(decision.events.map(({ type }) => type), ["captured"])
  })

  it("a partial capture lets go of the rest of the hold", () => {
    const decision = capture(authorized(), { amount: 4_000 }, facts())
    assert.deepStrictEqual(types(decision), [
      "payment_captured 4000",
      "fee_charged 146",
      "settlement_queued 3854",
      "orchestration_leg_reversed 6000"
    ])
  })

  it("authorize with capture emits both events, each with the intent as of it", () => {
    const decision = answeredWith(created(), approved(10_000), facts(), true)
    assert.deepStrictEqual(decision.events.map(({ intent, type }) => [type, intent.state, intent.captured_amount]), [
      ["authorized", "authorized", 0],
      ["captured", "captured", 10_000]
    ])
    assert.deepStrictEqual(types(decision), [
      "payment_authorized 10000",
      "payment_captured 10000",
      "fee_charged 320",
      "settlement_queued 9680"
    ])
  })

  it("a block posts and emits nothing", () => {
    const decision = answeredWith(created(), { _tag: "Blocked" })
    assert.deepStrictEqual([decision.entries, decision.events], [[], []])
  })

  it("the account's own tier replaces the default fee", () => {
    const account = { ...accountWith(), fee_tier_bps: 100 }
    assert.strictEqual(capture(authorized(), { amount: 10_000 }, { account, at }).intent.fee_amount, 130)
  })

  it("a fee never exceeds the capture", () => {
    const { intent } = capture(authorized(10_000), { amount: 5 }, facts())
    assert.strictEqual(intent.fee_amount, 5)
    assert.strictEqual(intent.unsettled_amount, 0)
  })

  it("a refund is taken from unsettled money first", () => {
    const decision = refundOf(capturedIntent(), 10_000)
    assert.deepStrictEqual(deltas(decision), { available: -320, pending: -9680 })
    assert.strictEqual(decision.intent.state, "refunded")
  })

  it("authorized money expires as a cancellation at the end of its hold", () => {
    const decision = answeredWith(created(), approved(10_000))
    const hold = decision.set.find(({ kind }) => kind === EXPIRES)
    assert.strictEqual(hold && DateTime.formatIso(hold.due_at), "2026-01-08T00:00:00.000Z")
    const expired = expire(decision.intent, at)
    assert.strictEqual(expired?.intent.failure_reason, "authorization_expired")
    assert.deepStrictEqual(expired && types(expired), ["orchestration_leg_reversed 10000"])
  })
})

describe("amounts", () => {
  const Amounts = Schema.Struct({
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999_999 })),
    share: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })),
    refunds: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))).check(Schema.isMaxLength(8))
  })

  const part = (whole: number, share: number) => Math.max(1, Number((BigInt(whole) * BigInt(share)) / 1000n))

  it.effect.prop(
    "0 <= refunded <= captured <= authorized, and the ledger sums to what is left",
    [Amounts],
    ([{ amount, refunds, share }]) =>
      Effect.sync(() => {
        const known = facts({ fee_refund_policy: share % 2 === 0 ? "proportional" : "none" })
        let decision = capture(authorized(amount, known), { amount: part(amount, share) }, known)
        let sum = deltas(decision)
        for (const size of refunds) {
          const allowed = checkRefundAmount(decision.intent, part(decision.intent.captured_amount, size))
          if (Result.isFailure(allowed)) {
            assert.isTrue(part(decision.intent.captured_amount, size) > decision.intent.captured_amount - decision.intent.refunded_amount)
            continue
          }
          const before: PaymentIntent = decision.intent
          decision = refundOf(before, allowed.success, known)
          sum = { available: sum.available + deltas(decision).available, pending: sum.pending + deltas(decision).pending }
          assert.isTrue(decision.intent.refunded_amount > before.refunded_amount)
        }
        const { intent } = decision
        assert.isTrue(0 <= intent.refunded_amount && intent.refunded_amount <= intent.captured_amount)
        assert.isTrue(intent.captured_amount <= intent.authorized_amount && intent.authorized_amount <= intent.amount)
        assert.strictEqual(sum.pending, intent.unsettled_amount)
        assert.isTrue(intent.unsettled_amount >= 0)
        assert.strictEqual(intent.state === "refunded", intent.refunded_amount === intent.captured_amount)
        for (const entry of decision.entries) {
          assert.strictEqual(entry.delta_available + entry.delta_pending + entry.delta_reserved + entry.counter_delta, 0)
        }
      }),
    { arbitrary: { runs: 1_000 } }
  )

  it.effect.prop("a proportional fee refund never gives back more than the fee, and all of it at the end", [
    Schema.Struct({
      amount: Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 9_999_999 })),
      steps: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
    })
  ], ([{ amount, steps }]) =>
    Effect.sync(() => {
      const known = facts({ fee_refund_policy: "proportional" })
      let intent = capturedIntent(amount, known)
      const fee = intent.fee_amount
      let back = 0
      for (let step = 0; step < steps; step++) {
        const left = intent.captured_amount - intent.refunded_amount
        const decision = refundOf(intent, step === steps - 1 ? left : Math.max(1, Math.floor(left / 3)), known)
        back += decision.entries.filter((entry) => entry.event_type === "fee_refunded").reduce((sum, entry) => sum + entry.amount, 0)
        intent = decision.intent
        if (intent.state === "refunded") break
      }
      assert.isTrue(back <= fee)
      if (intent.state === "refunded") assert.strictEqual(back, fee)
    }), { arbitrary: { runs: 1_000 } })

  it.each([[10_001, 10_000], [10_001, 1]])("refuses to refund %i of what is left", (amount, captured) => {
    const result = checkRefundAmount(capture(authorized(), { amount: captured }, facts()).intent, amount)
    assert.isTrue(Result.isFailure(result) && result.failure._tag === "ValidationError" && result.failure.code === "amount")
    assert.deepStrictEqual(Result.isFailure(result) ? result.failure.details : undefined, { remaining: captured })
  })

  it.each<[refunds: number, amount: number | undefined, allowed: boolean]>([
    [MAX_REFUNDS - 2, 1, true],
    [MAX_REFUNDS - 1, 1, false],
    [MAX_REFUNDS - 1, undefined, true],
    [MAX_REFUNDS - 1, 5_000, true],
    // As an intent may be that was refunded before the last refund had to take all.
    [MAX_REFUNDS, 1, false],
    [MAX_REFUNDS, undefined, true]
  ])("after %i refunds one of %s more is allowed: %s", (refunds, amount, allowed) => {
    const intent = capturedIntent(5_000 + refunds)
    const one = refundOf(intent, 1).intent.refunds
    const refunded = amend(intent, { refunded_amount: refunds, refunds: Array.from({ length: refunds }, () => one).flat() })
    const result = checkRefundAmount(refunded, amount)
    if (allowed) assert.deepStrictEqual(result, Result.succeed(amount ?? 5_000))
    else assert.deepStrictEqual(Result.isFailure(result) && result.failure.details, { remaining: 5_000 })
  })

  it("refuses to capture more than is authorized", () => {
    const result = mayCapture(authorized(), 10_001)
    assert.isTrue(Result.isFailure(result) && result.failure._tag === "ValidationError" && result.failure.code === "amount")
  })
})
