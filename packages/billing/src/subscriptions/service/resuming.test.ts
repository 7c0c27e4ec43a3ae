/** Resuming with a new period is one act: whatever is asked for at the same moment comes before it or after it. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { parseJson } from "@svc/kernel/values/json"
import { iso, now } from "@svc/kernel/values/time"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SubscriptionChanges } from "./changes.ts"
import { after, cyclesOf, openAccount, sell, subscribe } from "./fixture.ts"
import { Subscriptions } from "./subscriptions.ts"

/** The subscription as its latest `subscription.resumed` shows it. */
const toldResumed = Effect.fnUntraced(function*(account: AccountFacts, id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly data: string; readonly resource_version: number }>`SELECT data, resource_version FROM events
    WHERE account_id = ${account.id} AND resource_id = ${id} AND type = 'subscription.resumed' ORDER BY seq DESC LIMIT 1`
  return { shown: parseJson(row?.data ?? "null"), version: Number(row?.resource_version) }
})

layer(services, { timeout: 120_000 })("a subscription that resumes with a new period", (it) => {
  it.effect("and one that is to end with its period at the same moment never ends at once with the unused time as credit", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [changes, subscriptions] = [yield* SubscriptionChanges, yield* Subscriptions]
      const plan = yield* sell(account, { amount: 12_000, billing_period: "annual" })
      const ids = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.map(subscribe(account, plan), ({ id }) => id))
      yield* after(account, "30 days")
      yield* Effect.forEach(ids, (id) => changes.pause({ account, id }), { discard: true })
      yield* after(account, "3 days")
      for (const id of ids) {
        const [resumed] = yield* Effect.all([
          Effect.result(changes.resume({ account, id }, true)),
          Effect.result(changes.cancel({ account, id }, { reason: "customer_request", at_period_end: true }))
        ], { concurrency: 2 })
        yield* after(account, "1 minute")
        const { cancel_at_end, credit_balance, status } = yield* subscriptions.get(account.id, id)
        const charged = (yield* cyclesOf(account, id)).map(({ captured_amount }) => captured_amount)
        // It resumed, and the new period is the one that it ends with; or the cancellation was first, and the resumption is refused.
        assert.deepStrictEqual(
          [status, cancel_at_end, credit_balance, charged.length],
          resumed._tag === "Success" ? ["active", true, 0, 2] : ["paused", true, 0, 1]
        )
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("is told once, as it stands in its new period: with time that was left, without, and in its trial", () =>
    Effect.gen(function*() {
      const account = yield* openAccount({ on_exhaustion: "pause" })
      const [changes, subscriptions] = [yield* SubscriptionChanges, yield* Subscriptions]
      const paid = yield* subscribe(account, yield* sell(account))
      const unpaid = yield* subscribe(account, yield* sell(account), { payment_method_id: "tok_lost_card" })
      const trial = yield* subscribe(account, yield* sell(account, { trial_period_days: 14 }))
      for (const [{ id }, new_period] of [[paid, true], [unpaid, false], [trial, true]] as const) {
        yield* changes.pause({ account, id })
        yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
        yield* after(account, "1 day")
        const before = yield* subscriptions.get(account.id, id)
        yield* changes.resume({ account, id }, new_period)
        const start = yield* now
        const { shown, version } = yield* toldResumed(account, id)
        assert.strictEqual(version, before.version + 1)
        assert.deepInclude(shown, {
          status: "active",
          current_period_start: iso(start),
          current_period_end: iso(DateTime.toUtc(DateTime.add(start, { months: 1 }))),
          version: before.version + 1
        })
        assert.deepInclude((yield* cyclesOf(account, id)).at(-1), { status: "charged", period_start: start })
        yield* after(account, "1 minute")
        assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "active", current_period_start: start })
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))
})
