/** What merchants do with the money they have available in a simulated history, and what must hold of it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { now } from "@svc/kernel/values/time"
import { Balances } from "@svc/ledger/balances/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Settlements } from "@svc/payments/settlements/service"
import { Payouts } from "@svc/treasury/payouts/service"
import { TransferInstruments } from "@svc/treasury/transfer-instruments/service"
import { Cause, DateTime, Effect, Exit } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Chance } from "./chance.ts"

const verbs = ["pay", "pay", "pay", "pay", "cancel", "archive"] as const

/** Bank accounts by what the simulated bank does with a payout: takes it, refuses it, sends it back. */
const banks = ["DE89370400440532013000", "DE89370400440532013000", "DE13370400440532010003", "DE83370400440532010004"] as const

/** What a merchant does about payouts. The money, and what it is about, may not be there. */
export interface PayoutStep {
  readonly _tag: "Payout"
  readonly merchant: number
  readonly verb: typeof verbs[number]
  readonly key: string
  /** Hundredths of what is available: more than there is, too. */
  readonly share: number
  /** Minor units of a payment that is made when nothing is available. */
  readonly earns: number
  readonly number: typeof banks[number]
  /** How many are asked for at once, each with a key of its own. */
  readonly racing: number
}

export const payoutStep = (chance: Chance, seed: string, number: number, merchants: number): PayoutStep => ({
  _tag: "Payout",
  // Mostly those whose money is settled at once.
  merchant: chance.happens(0.7) ? chance.between(merchants - 2, merchants - 1) : chance.between(0, merchants - 1),
  verb: chance.pick(verbs),
  key: `sim-payout-${seed}-${number}`,
  share: chance.pick([10, 40, 60, 100, 100, 101]),
  earns: chance.between(1_000, 50_000),
  number: chance.pick(banks),
  racing: chance.happens(0.3) ? chance.between(2, 4) : 1
})

const first = { page: 1, per_page: 100 }

/** The balance account with the most in it. */
const richest = Effect.fnUntraced(function*(account: AccountFacts) {
  const { data } = yield* Effect.orDie((yield* Balances).list(account.id, first))
  return data.toSorted((a, b) => b.available - a.available)[0]
})

/** A payment whose settlement is early, so that there is something to pay out. */
export const earn = Effect.fnUntraced(function*(account: AccountFacts, { earns, key }: PayoutStep) {
  const [intents, settlements] = [yield* PaymentIntents, yield* Settlements]
  const { id } = yield* intents.charge({
    account,
    cause: key,
    customer_present: false,
    origin: { type: "simulation", id: key },
    payment: { amount: earns, currency: "EUR" },
    payment_method_id: "tok_visa"
  })
  const { data } = yield* settlements.list(account.id, { payment_intent_id: id }, first)
  yield* Effect.forEach(data, (settlement) => settlements.proceed(account.id, settlement.id), { discard: true })
})

/** An active instrument with this number, made when there is none. */
const instrumentFor = Effect.fnUntraced(function*(account: AccountFacts, currency: string, number: string) {
  const instruments = yield* TransferInstruments
  const { data } = yield* instruments.list(account.id, { currency, status: "active" }, first)
  const known = data.find(({ last4 }) => number.endsWith(last4))
  if (known !== undefined) return known
  yield* instruments.create(account, { type: "bank_account", currency, holder_name: "Acme", number })
  const { data: [made] } = yield* instruments.list(account.id, { currency, status: "pending" }, first)
  if (made === undefined) return undefined
  const which = { account, id: made.id }
  yield* instruments.verify(which, { method: "instant" })
  return yield* instruments.activate(which)
})

/** All at once, each to its end. Fails as the first of them; a death of the process before any refusal. */
const together = Effect.fnUntraced(function*<E>(sendings: ReadonlyArray<Effect.Effect<unknown, E>>) {
  const failed = (yield* Effect.forEach(sendings, Effect.exit, { concurrency: "unbounded" })).filter(Exit.isFailure)
  const first = failed.find(({ cause }) => Cause.hasDies(cause)) ?? failed[0]
  if (first !== undefined) yield* first
})

/** Sends what the step says. Fails with the refusal. */
export const sendPayout = Effect.fnUntraced(function*(account: AccountFacts, step: PayoutStep) {
  const { key, number, racing, share, verb } = step
  const payouts = yield* Payouts
  const keyed = (n: number) => ({ key: IdempotencyKey.make(`${key}-${n}`), operation: `payout.${verb}`, fingerprint: "0".repeat(64) })
  if (verb === "cancel") {
    const [latest] = (yield* payouts.list(account.id, {}, first)).data
    if (latest !== undefined) yield* payouts.cancel({ account, id: latest.id, keyed: keyed(0), payload: {} })
    return
  }
  const before = yield* richest(account)
  if (before === undefined || before.available < 1_000) yield* earn(account, step)
  const balance = yield* richest(account)
  const instrument = balance === undefined ? undefined : yield* instrumentFor(account, balance.currency, number)
  if (balance === undefined || instrument === undefined) return
  const { available, currency } = balance
  const amount = Math.max(100, Math.floor(available * share / 100))
  const pay = (n: number) => payouts.create({ account, keyed: keyed(n), payload: { amount, currency, destination_id: instrument.id } })
  if (verb === "archive") {
    const { archive } = yield* TransferInstruments
    yield* together<unknown>([pay(0), archive({ account, id: instrument.id })])
    return
  }
  yield* together(Array.from({ length: racing }, (_, n) => pay(n)))
})

/** Each query finds what is broken. `own` is the accounts of the history, `at` its end, when all that was due has run. */
const queries = (
  sql: SqlClient.SqlClient,
  own: ReadonlyArray<string>,
  at: string
): ReadonlyArray<readonly [string, Statement.Statement<object>]> => [
  [
    "M2: a payout and its ledger differ",
    sql`
    SELECT p.id, p.status, p.failure_reason, p.amount, p.fee_amount, e.reserved, e.available FROM payouts p
    LEFT JOIN (SELECT merchant_id, resource_id, sum(delta_reserved) AS reserved, sum(delta_available) AS available FROM financial_events WHERE resource_type = 'payout' GROUP BY 1, 2) e
      ON e.merchant_id = p.merchant_id AND e.resource_id = p.id
    WHERE p.merchant_id = ANY(${own}::text[]) AND (
      coalesce(e.reserved, 0) <> CASE WHEN p.status IN ('pending', 'processing') THEN p.amount ELSE 0 END
      OR coalesce(e.available, 0) <> CASE WHEN p.status IN ('pending', 'processing', 'completed') THEN -p.amount - p.fee_amount WHEN p.failure_reason = 'returned' THEN -p.fee_amount ELSE 0 END)`
  ],
  [
    "M1: a payout took more than was available",
    sql`
    SELECT * FROM (SELECT id, merchant_id, event_type, sum(delta_available) OVER (PARTITION BY merchant_id, currency ORDER BY sequence_id) AS left_over FROM financial_events
      WHERE merchant_id = ANY(${own}::text[])) moved WHERE event_type = 'payout_initiated' AND left_over < 0`
  ],
  [
    "M7: nobody moves a payout on",
    sql`
    SELECT p.id, p.status FROM payouts p LEFT JOIN timers t ON t.account_id = p.merchant_id AND t.resource_id = p.id AND t.kind = 'payout.due'
    WHERE p.merchant_id = ANY(${own}::text[]) AND ((p.status IN ('pending', 'processing') AND t.kind IS NULL)
      OR (p.status = 'pending' AND p.submit_at < ${at}::timestamptz - interval '1 minute') OR (p.status = 'processing' AND p.updated_at < ${at}::timestamptz - interval '25 hours'))`
  ],
  [
    "M7: a payout is on its way to an instrument that was archived",
    sql`
    SELECT p.id, t.id AS instrument FROM payouts p JOIN transfer_instruments t ON t.account_id = p.merchant_id AND t.id = p.destination_id
    WHERE p.merchant_id = ANY(${own}::text[]) AND p.status IN ('pending', 'processing') AND t.status <> 'active'`
  ],
  [
    "M2: payouts on their way are counted wrongly",
    sql`
    SELECT t.id, c.reserved, p.n FROM transfer_instruments t
    LEFT JOIN counters c ON c.account_id = t.account_id AND c.name = 'payouts_in_flight' AND c.key = t.id
    LEFT JOIN (SELECT merchant_id, destination_id, count(*) AS n FROM payouts WHERE status IN ('pending', 'processing') GROUP BY 1, 2) p ON p.merchant_id = t.account_id AND p.destination_id = t.id
    WHERE t.account_id = ANY(${own}::text[]) AND coalesce(c.reserved, 0) <> coalesce(p.n, 0)`
  ],
  [
    "M7: a schedule paid out less than its least",
    sql`SELECT id FROM payouts WHERE merchant_id = ANY(${own}::text[]) AND automatic AND amount < 100`
  ]
]

/** What is broken, in words. */
export const payoutsBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(
    queries(sql, accounts, DateTime.formatIso(yield* now)),
    ([what, query]) => Effect.map(query, (rows) => rows.map((row) => `${what} ${JSON.stringify(row)}`))
  )
  return found.flat()
})
