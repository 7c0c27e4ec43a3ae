/** Accounts that bill, for tests on a real database. Time is that of the test; what falls due on the way is run at its moment. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { BillingSettings } from "@svc/accounts/accounts/settings"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import type { Invoice } from "../../invoices/model.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import type { CreatePlanRequest } from "../../plans/model.ts"
import { Plans } from "../../plans/service.ts"
import type { CreateSubscriptionRequest } from "../model/requests.ts"
import { Subscriptions } from "./subscriptions.ts"

export const keyed = (operation: string) => ({ key: IdempotencyKey.make(randomUUID()), operation, fingerprint: "0".repeat(64) })

export const idIn = (body: string): string => String((parseJson(body) as { readonly id: unknown }).id)

export const openAccount = Effect.fnUntraced(function*(billing: Partial<BillingSettings> = {}, sandbox = true) {
  const accounts = yield* Accounts
  const { account } = yield* accounts.create({ name: "Acme Inc.", sandbox })
  const usual = account.settings.billing
  return yield* accounts.update(AccountId.make(account.id), { settings: { billing: { ...usual, ...billing } } })
})

/** An active plan, monthly for 20.00 unless said otherwise; its id. */
export const sell = Effect.fnUntraced(function*(account: AccountFacts, request: Partial<CreatePlanRequest> = {}) {
  const plans = yield* Plans
  const { body } = yield* plans.create(account, { name: "Pro", amount: 2_000, currency: "USD", billing_period: "monthly", ...request })
  return (yield* plans.activate(account.id, idIn(body))).id
})

export const subscribe = Effect.fnUntraced(
  function*(account: AccountFacts, plan_id: string, request: Partial<CreateSubscriptionRequest> = {}) {
    const subscriptions = yield* Subscriptions
    const payload = { plan_id, customer_id: `customer-${randomUUID()}`, payment_method_id: "tok_visa", ...request }
    const { body } = yield* subscriptions.create({ account, keyed: keyed("subscription.create"), payload })
    return yield* subscriptions.get(account.id, idIn(body))
  }
)

/** Until this moment, through everything of the account that falls due on the way. */
export const until = Effect.fnUntraced(function*(account: AccountFacts, to: DateTime.Utc) {
  const from = yield* now
  yield* runDue(to, { account_id: account.id })
  yield* TestClock.adjust(Duration.millis(Math.max(0, to.epochMilliseconds - from.epochMilliseconds)))
})

export const after = Effect.fnUntraced(function*(account: AccountFacts, duration: Duration.Input) {
  yield* until(account, DateTime.addDuration(yield* now, duration))
})

/** The types of the account's events, in order; those of payment methods and settlements aside. */
export const told = Effect.fnUntraced(function*(account: AccountFacts, since = 0) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    { readonly type: string }
  >`SELECT type FROM events WHERE account_id = ${account.id} AND type !~ '^(settlement|payment_method)' ORDER BY seq`
  return rows.slice(since).map(({ type }) => type)
})

export const cyclesOf = Effect.fnUntraced(function*(account: AccountFacts, subscription: string) {
  return yield* (yield* BillingCycleRepository).of(account.id, subscription)
})

export const invoicesOf = Effect.fnUntraced(function*(account: AccountFacts, subscription: string) {
  const { data } = yield* (yield* InvoiceRepository).list(account.id, { subscription_id: subscription }, { page: 1, per_page: 100 })
  return data.toReversed() as ReadonlyArray<Invoice>
})

export const instant = (text: string): DateTime.Utc => DateTime.makeUnsafe(text)
