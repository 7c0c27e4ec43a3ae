/** Captured payments and what becomes of their settlements, for the tests of settlements. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { PaymentIntents } from "../payment-intents/service.ts"
import { Settlements } from "./service.ts"

let keys = 0
export const keyed = (operation: string) => ({ key: IdempotencyKey.make(`settlements-${keys++}`), operation, fingerprint: "0".repeat(64) })

export const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

/** A captured payment of 100.00, fee 3.20; the id of its intent. */
export const capture = Effect.fnUntraced(function*(account: AccountFacts, metadata: Record<string, string> = {}) {
  const intents = yield* PaymentIntents
  const { body } = yield* intents.create({
    account,
    keyed: keyed("payment_intent.create"),
    payload: { amount: 10_000, currency: "USD", metadata }
  })
  const id = String((parseJson(body) as { readonly id: unknown }).id)
  yield* intents.authorize({
    account,
    id,
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id: "tok_visa", capture: true }
  })
  return id
})

export const refund = Effect.fnUntraced(function*(account: AccountFacts, id: string, amount: number) {
  yield* (yield* PaymentIntents).refund({ account, id, keyed: keyed("payment_intent.refund"), payload: { amount } })
})

export const settlementOf = Effect.fnUntraced(function*(account: AccountFacts, intent: string) {
  const { data: [settlement, ...others] } = yield* (yield* Settlements).list(
    account.id,
    { payment_intent_id: intent },
    { page: 1, per_page: 10 }
  )
  if (settlement === undefined || others.length > 0) return yield* Effect.die(new Error(`${intent} has not one settlement`))
  return settlement
})

export const balance = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly available: number; readonly pending: number }
  >`SELECT available, pending FROM balance_accounts WHERE account_id = ${account.id}`
  return [row?.available, row?.pending]
})

export const eventsOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly type: string }>`SELECT type FROM events WHERE resource_id = ${id} ORDER BY seq`).map(({ type }) => type)
})

export const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))
