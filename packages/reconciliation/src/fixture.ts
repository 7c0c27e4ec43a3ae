/** What the tests of reports and mismatches share: merchants with payments, statements of them, and what their books say. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { iso, now } from "@svc/kernel/values/time"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { DateTime, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Resolution } from "./mismatches/model.ts"
import { Mismatches } from "./mismatches/service.ts"
import { Reports } from "./reports/service/reports.ts"

export const keyed = (operation: string) => ({
  key: IdempotencyKey.make(`reconciliation-${randomUUID()}`),
  operation,
  fingerprint: "0".repeat(64)
})

export const openMerchant = (sandbox = true) =>
  Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.create({ name: "Acme", sandbox }), ({ account }): AccountFacts => account))

export const idIn = (body: string): string => String((parseJson(body) as { readonly id: unknown }).id)

interface Paying {
  readonly capture?: boolean
  readonly metadata?: Record<string, string>
  readonly token?: string
}

/** An authorized payment of 100.00 dollars, captured unless the test says otherwise. */
export const pay = Effect.fnUntraced(function*(account: AccountFacts, { capture = true, metadata = {}, token = "tok_visa" }: Paying = {}) {
  const intents = yield* PaymentIntents
  const { body } = yield* intents.create({
    account,
    keyed: keyed("payment_intent.create"),
    payload: { amount: 10_000, currency: "USD", metadata }
  })
  yield* intents.authorize({
    account,
    id: idIn(body),
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id: token, capture }
  })
  return yield* intents.get(account.id, idIn(body))
})

export const refund = (account: AccountFacts, id: string, amount: number) =>
  Effect.flatMap(PaymentIntents, (intents) => intents.refund({ account, id, keyed: keyed("payment_intent.refund"), payload: { amount } }))

/** The line of a payment's capture, with another amount or on another day where the test says so. */
export const captureLine = ({ provider_reference, updated_at }: PaymentIntent, amount = 10_000, days = 0): string =>
  `capture,${provider_reference},${amount},USD,${iso(DateTime.add(updated_at, { days }))}`

/** The ten days until now. */
export const period = Effect.map(
  now,
  (at) => ({ source: "card_a", from: DateTime.subtract(at, { days: 10 }), to: DateTime.add(at, { seconds: 1 }) })
)

const page = { page: 1, per_page: 100 } as const

export const detail = (account: AccountFacts, id: string) => Effect.flatMap(Reports, (reports) => reports.get(account.id, id, {}, page))

/** The report of the rail's own statement. */
export const reconcile = Effect.fnUntraced(function*(account: AccountFacts) {
  const report = yield* (yield* Reports).create(account.id, yield* period)
  return yield* detail(account, report.id)
})

export const fileOf = (lines: ReadonlyArray<string>) =>
  Stream.make(Buffer.from(["type,provider_reference,amount,currency,occurred_at", ...lines, ""].join("\n")))

/** The report of a file with these lines. */
export const upload = Effect.fnUntraced(function*(account: AccountFacts, lines: ReadonlyArray<string>) {
  const report = yield* (yield* Reports).upload(account.id, yield* period, fileOf(lines))
  return yield* detail(account, report.id)
})

export const resolve = (account: AccountFacts, id: string, resolution: Resolution) =>
  Effect.flatMap(Mismatches, (mismatches) => mismatches.resolve({ account, id, payload: { resolution }, by: "key_1", keyed: undefined }))

/** Minor units that the merchant has in all buckets. */
export const balance = Effect.fnUntraced(function*(account: AccountFacts, currency = "USD") {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly total: number }
  >`SELECT available + pending + reserved AS total FROM balance_accounts WHERE account_id = ${account.id} AND currency = ${currency}`
  return row?.total ?? 0
})
