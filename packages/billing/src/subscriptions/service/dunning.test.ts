/** When an unpaid cycle is tried again by itself: by the schedule that it began with, and never with a card that was refused for good. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { DunningPreset } from "@svc/accounts/accounts/settings"
import { now, standingAt } from "@svc/kernel/values/time"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, instant, openAccount, sell, subscribe } from "./fixture.ts"
import { Subscriptions } from "./subscriptions.ts"

const START = instant("2026-01-01T00:00:00.000Z")
const SOFT = "tok_insufficient_funds"
const HARD = "tok_stolen_card"

/** Exactly on the schedule, as on a clock of the account's own. */
const exactly = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(now, (at) => standingAt(at.epochMilliseconds)(effect))

const record = (account: AccountFacts, cycle: string, success = false) =>
  exactly(Effect.flatMap(BillingCycles, (cycles) => cycles.recordChargeResult(account.id, cycle, { success })))

const dunningOf = Effect.fnUntraced(function*({ id }: AccountFacts, dunning: DunningPreset) {
  const accounts = yield* Accounts
  const { settings: { billing } } = yield* accounts.get(AccountId.make(id))
  yield* accounts.update(AccountId.make(id), { settings: { billing: { ...billing, dunning } } })
})

/** A subscription whose latest cycle was charged in vain once. */
const unpaid = Effect.fnUntraced(function*(payment_method_id: string, dunning: DunningPreset = "derived") {
  yield* TestClock.setTime(START.epochMilliseconds)
  const account = yield* openAccount({ dunning })
  const { id } = yield* exactly(subscribe(account, yield* sell(account), { payment_method_id }))
  return { account, id, latest: Effect.map(cyclesOf(account, id), (cycles) => cycles.at(-1)!) }
})

layer(services, { timeout: 120_000 })("a card that was refused for good", (it) => {
  it.effect("is not tried again after a failure that the merchant recorded, nor when a cancellation is taken back", () =>
    Effect.gen(function*() {
      const { account, id, latest } = yield* unpaid(HARD)
      const changes = yield* SubscriptionChanges
      const recorded = yield* record(account, (yield* latest).id)
      assert.deepInclude({ ...recorded }, { status: "pending", retries: 2, next_attempt_at: null })
      assert.match(recorded.attempts.at(-1)?.reason ?? "", /recorded as failed.*stolen_card.*A new card is tried at once until 2026-01-04/)
      yield* changes.cancel({ account, id }, { reason: "customer_request", at_period_end: true })
      yield* changes.uncancel({ account, id })
      assert.deepInclude({ ...(yield* (yield* Subscriptions).get(account.id, id)) }, { status: "past_due", next_retry_at: null })
      yield* after(account, "71 hours")
      assert.deepStrictEqual((yield* latest).attempts.map(({ outcome, trigger }) => [trigger, outcome]), [["schedule", "failed"], [
        "recorded",
        "failed"
      ]])
      yield* after(account, "1 hour")
      assert.deepInclude({ ...(yield* latest) }, { status: "failed", retries: 2 })
    }))

  it.effect("a new card is tried at once, and by the schedule when that is declined for now", () =>
    Effect.gen(function*() {
      const { account, id, latest } = yield* unpaid(HARD)
      yield* record(account, (yield* latest).id)
      yield* (yield* Subscriptions).update(account, id, { payment_method_id: SOFT })
      yield* after(account, "1 second")
      assert.deepInclude({ ...(yield* latest) }, { retries: 3, next_attempt_at: DateTime.add(START, { days: 1 }) })
    }))

  it.effect("is not tried again by itself when it was refused in a charge that was asked for, as another card is", () =>
    Effect.gen(function*() {
      const { account, id, latest } = yield* unpaid(SOFT)
      const [cycles, subscriptions] = [yield* BillingCycles, yield* Subscriptions]
      const planned = DateTime.add(START, { days: 1 })
      const ask = (payment_method_id: string) =>
        Effect.flatMap(latest, ({ id }) => exactly(cycles.chargeNow(account, id, { payment_method_id, customer_present: false })))
      // That of somebody else says nothing of the card that is tried by itself.
      yield* ask(HARD)
      assert.deepInclude({ ...(yield* latest) }, { retries: 1, next_attempt_at: planned })
      yield* record(account, (yield* latest).id)
      assert.deepInclude({ ...(yield* latest) }, { retries: 2, next_attempt_at: planned })
      yield* subscriptions.update(account, id, { payment_method_id: HARD })
      yield* after(account, "1 second")
      assert.deepInclude({ ...(yield* latest) }, { retries: 3, next_attempt_at: null })
    }))

  it.effect("and one that was declined for now is, once collecting that was stopped goes on", () =>
    Effect.gen(function*() {
      for (const goOn of ["keep", "uncancel", "keep and uncancel"] as const) {
        const { account, id, latest } = yield* unpaid(SOFT)
        const changes = yield* SubscriptionChanges
        const end = (keep_collecting: boolean) =>
          changes.cancel({ account, id }, { reason: "customer_request", at_period_end: true, keep_collecting })
        yield* end(false)
        assert.isNull((yield* latest).next_attempt_at)
        if (goOn !== "uncancel") yield* end(true)
        if (goOn !== "keep") yield* changes.uncancel({ account, id })
        const next = DateTime.add(START, { days: 1 })
        assert.deepStrictEqual((yield* latest).next_attempt_at, next, goOn)
        assert.deepStrictEqual((yield* (yield* Subscriptions).get(account.id, id)).next_retry_at, next, goOn)
        yield* after(account, "1 day")
        assert.strictEqual((yield* latest).retries, 2, goOn)
      }
    }))

  it.effect("stops the schedule when it is refused in a charge that was asked for", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const [cycles, subscriptions] = [yield* BillingCycles, yield* Subscriptions]
      const { id } = yield* exactly(subscribe(account, yield* sell(account), { metadata: { "sim.decline": "insufficient_funds" } }))
      const latest = Effect.map(cyclesOf(account, id), (all) => all.at(-1)!)
      assert.deepInclude({ ...(yield* latest) }, { retries: 1, next_attempt_at: DateTime.add(START, { days: 1 }) })
      yield* subscriptions.update(account, id, { metadata: { "sim.decline": "lost_card" } })
      yield* cycles.chargeNow(account, (yield* latest).id, { customer_present: false })
      assert.deepInclude({ ...(yield* latest) }, { status: "pending", retries: 1, next_attempt_at: null })
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "past_due", next_retry_at: null })
      yield* after(account, "2 days")
      assert.strictEqual((yield* latest).attempts.length, 2)
    }))
})

/** The setting when the cycle begins, the days of its tries, and the setting from then on. */
const presets: ReadonlyArray<readonly [DunningPreset, ReadonlyArray<number>, DunningPreset]> = [
  ["derived", [0, 1, 2, 3], "polar21"],
  ["polar21", [0, 2, 7, 14, 21], "stripe14"],
  ["stripe14", [0, 2, 4, 6, 8, 10, 12, 14], [1, 3]],
  // As long, and as many tries.
  [[1, 3], [0, 1, 4], [3, 1]]
]

layer(services, { timeout: 120_000 })("a cycle keeps the schedule it began with", (it) => {
  for (const [preset, days, other] of presets) {
    it.effect(`${JSON.stringify(preset)}, when the account's setting becomes ${JSON.stringify(other)}`, () =>
      Effect.gen(function*() {
        const { account, id, latest } = yield* unpaid(SOFT, preset)
        const changes = yield* SubscriptionChanges
        yield* dunningOf(account, other)
        for (const [n, day] of days.entries()) {
          const cycle = yield* latest
          assert.strictEqual(cycle.retries, n + 1, `day ${day}`)
          const next = days[n + 1]
          assert.deepStrictEqual(cycle.next_attempt_at, next === undefined ? null : DateTime.add(START, { days: next }))
          if (next === undefined) break
          // Planned anew when a cancellation is taken back.
          yield* changes.cancel({ account, id }, { reason: "customer_request", at_period_end: true })
          yield* changes.uncancel({ account, id })
          assert.deepStrictEqual((yield* latest).next_attempt_at, cycle.next_attempt_at)
          yield* after(account, `${next - day} days`)
        }
        assert.deepInclude({ ...(yield* latest) }, { status: "failed", retries: days.length, max_retries: days.length })
      }))
  }

  it.effect("one that is made late has all of it, from when it was made", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      for (const [dunning, days] of [["polar21", [0, 2, 7, 14, 21]], [[10, 4], [0, 10, 14]]] as const) {
        const account = yield* openAccount({ dunning })
        const { created_at, id } = yield* subscribe(account, yield* sell(account, { billing_period: "weekly" }), {
          payment_method_id: SOFT
        })
        yield* after(account, "12 days")
        const latest = Effect.map(cyclesOf(account, id), (cycles) => cycles.at(-1)!)
        yield* record(account, (yield* latest).id, true)
        yield* after(account, "1 second")
        const made = DateTime.add(created_at, { days: 12 })
        assert.deepInclude({ ...(yield* latest) }, { status: "pending", retries: 1, period_start: DateTime.add(created_at, { days: 7 }) })
        for (const day of days.slice(1)) {
          const { created_at: from, next_attempt_at } = yield* latest
          assert.deepStrictEqual(from, made)
          assert.deepStrictEqual(next_attempt_at, DateTime.add(made, { days: day }))
          yield* after(account, DateTime.distance(yield* now, next_attempt_at!))
        }
        assert.deepInclude({ ...(yield* latest) }, { status: "failed", retries: days.length })
      }
    }))
})
