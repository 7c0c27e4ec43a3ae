/** Pausing, ending with the period and a waiting change of plan, one after the other: what is answered, and what follows of it. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { now } from "@svc/kernel/values/time"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import type { Subscription } from "../model.ts"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, instant, keyed, openAccount, sell, subscribe } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

const START = instant("2026-01-01T00:00:00.000Z")
/** The days of a year that are left after thirty, and what they cost of 12000. */
const LEFT_DAYS = 335
const UNUSED = 11_014

type Verb = "end" | "end now" | "uncancel" | "pause" | "resume" | "new period" | "change at end"

const verbs: Readonly<
  Record<
    Verb,
    (
      account: AccountFacts,
      id: string,
      bigger: string
    ) => Effect.Effect<unknown, { readonly _tag: string; readonly message: string }, SubscriptionChanges | PlanChanges>
  >
> = {
  "end": (account, id) =>
    Effect.flatMap(SubscriptionChanges, (changes) => changes.cancel({ account, id }, { reason: "customer_request", at_period_end: true })),
  "end now": (account, id) =>
    Effect.flatMap(SubscriptionChanges, (changes) => changes.cancel({ account, id }, { reason: "customer_request" })),
  "uncancel": (account, id) => Effect.flatMap(SubscriptionChanges, (changes) => changes.uncancel({ account, id })),
  "pause": (account, id) => Effect.flatMap(SubscriptionChanges, (changes) => changes.pause({ account, id })),
  "resume": (account, id) => Effect.flatMap(SubscriptionChanges, (changes) => changes.resume({ account, id })),
  "new period": (account, id) => Effect.flatMap(SubscriptionChanges, (changes) => changes.resume({ account, id }, true)),
  "change at end": (account, id, plan_id) =>
    Effect.flatMap(
      PlanChanges,
      (changes) =>
        changes.change({ account, id, keyed: keyed("subscription.change_plan"), request: { plan_id, proration_behavior: "at_period_end" } })
    )
}

interface Sequence {
  /** In this order, thirty days after the first charge; each is allowed. */
  readonly first: ReadonlyArray<Verb>
  readonly last: Verb
  /** Why the last is refused; then nothing changes. */
  readonly refused?: RegExp
  /** A minute later. */
  readonly at_once: Partial<Pick<Subscription, "status" | "cancel_at_end" | "credit_balance">>
  /** What each cycle captured: a minute later, and when the time that was left is over. */
  readonly captured: readonly [at_once: ReadonlyArray<number>, later: ReadonlyArray<number>]
  readonly later: Partial<Pick<Subscription, "status" | "credit_balance">>
}

const YEAR = [12_000]
const flagged = { cancel_at_end: true }
const ended = { status: "canceled", credit_balance: 0 } as const
const goesOn = { status: "active", credit_balance: 0 } as const

const sequences: ReadonlyArray<Sequence> = [
  { first: ["pause"], last: "resume", at_once: { status: "active" }, captured: [YEAR, [12_000, 12_000]], later: goesOn },
  {
    first: ["pause"],
    last: "new period",
    at_once: { status: "active" },
    captured: [[12_000, 12_000 - UNUSED], [12_000, 12_000 - UNUSED]],
    later: goesOn
  },
  // It ends with its period: the time that was left runs, and then it ends.
  { first: ["end", "pause"], last: "resume", at_once: { status: "active", ...flagged }, captured: [YEAR, YEAR], later: ended },
  { first: ["pause", "end"], last: "resume", at_once: { status: "active", ...flagged }, captured: [YEAR, YEAR], later: ended },
  // A new period would be the end of the one that it ends with: nothing would be sold for the credit.
  {
    first: ["end", "pause"],
    last: "new period",
    refused: /Uncancel it first/,
    at_once: { status: "paused", ...flagged },
    captured: [YEAR, YEAR],
    later: { status: "paused", credit_balance: 0 }
  },
  {
    first: ["pause", "end"],
    last: "new period",
    refused: /without new_period/,
    at_once: { status: "paused", ...flagged },
    captured: [YEAR, YEAR],
    later: { status: "paused", credit_balance: 0 }
  },
  {
    first: ["end", "pause", "uncancel"],
    last: "new period",
    at_once: { status: "active", cancel_at_end: false },
    captured: [[12_000, 12_000 - UNUSED], [12_000, 12_000 - UNUSED]],
    later: goesOn
  },
  {
    first: ["end", "pause", "resume"],
    last: "uncancel",
    at_once: { status: "active", cancel_at_end: false },
    captured: [YEAR, [12_000, 12_000]],
    later: goesOn
  },
  // Who says at once that it ends with its period means the new one.
  {
    first: ["pause", "new period", "end"],
    last: "uncancel",
    at_once: { status: "active", cancel_at_end: false },
    captured: [[12_000, 12_000 - UNUSED], [12_000, 12_000 - UNUSED]],
    later: goesOn
  },
  { first: ["end", "pause"], last: "end now", at_once: ended, captured: [YEAR, YEAR], later: ended },
  // A change that waits for the period's end comes with it, whichever way the period ends.
  { first: ["change at end", "pause"], last: "resume", at_once: { status: "active" }, captured: [YEAR, [12_000, 24_000]], later: goesOn },
  {
    first: ["change at end", "pause"],
    last: "new period",
    at_once: { status: "active" },
    captured: [[12_000, 24_000 - UNUSED], [12_000, 24_000 - UNUSED]],
    later: goesOn
  },
  {
    first: ["pause", "change at end"],
    last: "new period",
    at_once: { status: "active" },
    captured: [[12_000, 24_000 - UNUSED], [12_000, 24_000 - UNUSED]],
    later: goesOn
  },
  {
    first: ["change at end", "end", "pause"],
    last: "resume",
    at_once: { status: "active", ...flagged },
    captured: [YEAR, YEAR],
    later: ended
  },
  {
    first: ["change at end", "end", "pause"],
    last: "new period",
    refused: /Uncancel it first/,
    at_once: { status: "paused", ...flagged },
    captured: [YEAR, YEAR],
    later: { status: "paused" }
  }
]

layer(services, { timeout: 120_000 })("pausing one that is to end", (it) => {
  for (const { at_once, captured, first, last, later, refused } of sequences) {
    it.effect(`${first.join(", ")}, ${last}: ${refused === undefined ? "carried out" : "refused"}`, () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(START.epochMilliseconds)
        const account = yield* openAccount()
        const [plan, bigger] = [
          yield* sell(account, { amount: 12_000, billing_period: "annual" }),
          yield* sell(account, { amount: 24_000, billing_period: "annual" })
        ]
        const subscriptions = yield* Subscriptions
        const { id } = yield* subscribe(account, plan)
        const charges = Effect.map(cyclesOf(account, id), (cycles) => cycles.map(({ captured_amount }) => captured_amount))
        yield* after(account, "30 days")
        for (const verb of first) yield* verbs[verb](account, id, bigger)
        yield* after(account, "3 days")
        const before = yield* subscriptions.get(account.id, id)
        const result = yield* Effect.result(verbs[last](account, id, bigger))
        assert.strictEqual(Result.isFailure(result), refused !== undefined, JSON.stringify(result))
        if (Result.isFailure(result) && refused !== undefined) {
          assert.strictEqual(result.failure._tag, "InvalidState")
          assert.match(result.failure.message, refused)
          assert.deepStrictEqual(yield* subscriptions.get(account.id, id), before)
        }
        yield* after(account, "1 minute")
        assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, at_once)
        assert.deepStrictEqual(yield* charges, captured[0])
        yield* after(account, `${LEFT_DAYS} days`)
        assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, later)
        assert.deepStrictEqual(yield* charges, captured[1])
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      }))
  }

  it.effect("with no paid time left is refused, because it would end at once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount({ on_exhaustion: "pause" })
      const [changes, subscriptions] = [yield* SubscriptionChanges, yield* Subscriptions]
      const plan = yield* sell(account)
      const exhausted = yield* subscribe(account, plan, { payment_method_id: "tok_lost_card" })
      yield* after(account, "4 days")
      const unpaid = yield* subscribe(account, plan, { payment_method_id: "tok_lost_card" })
      yield* verbs.pause(account, unpaid.id, plan)
      for (const { id } of [exhausted, unpaid]) {
        yield* verbs.end(account, id, plan)
        const before = yield* subscriptions.get(account.id, id)
        assert.deepInclude({ ...before }, { status: "paused", paused_remaining_seconds: 0, cancel_at_end: true })
        for (const new_period of [false, true]) {
          const refusal = yield* Effect.flip(changes.resume({ account, id }, new_period))
          assert.deepInclude({ ...refusal }, { _tag: "InvalidState" })
          assert.match(refusal.message, /none of it is left.*Uncancel it first/)
        }
        assert.deepStrictEqual(yield* subscriptions.get(account.id, id), before)
        yield* verbs.uncancel(account, id, plan)
        yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
        yield* changes.resume({ account, id })
        yield* after(account, "1 minute")
        assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "active", cancel_at_end: false })
        assert.deepInclude({ ...(yield* cyclesOf(account, id)).at(-1) }, { status: "charged", captured_amount: 2_000 })
      }
    }))

  it.effect("in its trial keeps the trial, and ends with it", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [changes, subscriptions] = [yield* SubscriptionChanges, yield* Subscriptions]
      const plan = yield* sell(account, { trial_period_days: 14 })
      const { id } = yield* subscribe(account, plan)
      for (const verb of ["end", "pause"] as const) yield* verbs[verb](account, id, plan)
      assert.strictEqual((yield* Effect.flip(changes.resume({ account, id }, true)))._tag, "InvalidState")
      const { trial_end } = yield* changes.resume({ account, id })
      assert.deepStrictEqual(trial_end, DateTime.add(yield* now, { days: 14 }))
      yield* after(account, "15 days")
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "canceled" })
      assert.deepStrictEqual(yield* cyclesOf(account, id), [])
    }))
})
