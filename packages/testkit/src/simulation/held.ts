/** What operators and merchants do with money that is held, reserves and gift cards, in a simulated history, and what must hold of it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { GiftCards } from "@svc/payments/gift-cards/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Reserves } from "@svc/treasury/reserves/service"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Chance } from "./chance.ts"

const verbs = ["sale", "sale", "sale", "reserve", "gift", "gift"] as const

/** A few requests that belong together: a sale that is settled in another currency and given back in parts, a reserve, a gift card. */
export interface HeldStep {
  readonly _tag: "Held"
  readonly merchant: number
  readonly verb: typeof verbs[number]
  readonly key: string
  readonly amount: number
  readonly currency: string
  readonly destination: string
  /** Thousandths of the amount, of what is done with a part. */
  readonly shares: readonly [number, number]
}

export const heldStep = (chance: Chance, seed: string, number: number, merchants: number, currencies: ReadonlyArray<string>): HeldStep => ({
  _tag: "Held",
  // Most by two whose money arrives at once and stays, and what is held in the currency that most of it arrives in.
  merchant: chance.happens(0.8) ? chance.pick([0, 4]) : chance.between(0, merchants - 1),
  verb: chance.pick(verbs),
  key: `sim-held-${seed}-${number}`,
  amount: chance.between(100, 20_000),
  currency: chance.pick(currencies),
  destination: chance.happens(0.6) ? HELD_IN : chance.pick(currencies),
  shares: [chance.between(1, 1_000), chance.between(1, 1_000)]
})

/** The currency of reserves and cards. */
const HELD_IN = "USD"

const readId = Schema.decodeSync(fromJsonText(Schema.Struct({ id: Schema.String })))

const latest = { page: 1, per_page: 1 }

/** What one of the requests comes to: its answer, or a refusal. Sent again under its key, it is one request. */
type Sending = Effect.Effect<unknown, unknown, GiftCards | PaymentIntents | Reserves>

/** The requests of the step, one after the other; each is sent whatever became of those before it. Between them what is due may happen. */
export const heldRequests = (
  account: AccountFacts,
  { amount, currency: paidIn, destination, key, shares: [one, other], verb }: HeldStep
): ReadonlyArray<readonly [what: string, sending: Sending]> => {
  const keyed = (operation: string, of = operation) => ({
    key: IdempotencyKey.make(`${key}-${of}`),
    operation,
    fingerprint: "0".repeat(64)
  })
  const currency = verb === "sale" ? paidIn : HELD_IN
  const part = (share: number) => Math.max(1, Math.floor(amount * share / 1_000))
  const known: { intent?: string; card?: { readonly id: string; readonly code: string } } = {}
  const create = (destination_currency: string | null) =>
    Effect.gen(function*() {
      const { body } = yield* (yield* PaymentIntents).create({
        account,
        keyed: keyed("payment_intent.create"),
        payload: { amount, currency, destination_currency }
      })
      known.intent = readId(body).id
    })
  const authorize = Effect.gen(function*() {
    if (known.intent !== undefined) {
      yield* (yield* PaymentIntents).authorize({
        account,
        id: known.intent,
        keyed: keyed("payment_intent.authorize"),
        payload: { payment_method_id: "tok_visa", capture: true }
      })
    }
  })
  const refund = (share: number, of: string) =>
    Effect.gen(function*() {
      if (known.intent !== undefined) {
        yield* (yield* PaymentIntents).refund({
          account,
          id: known.intent,
          keyed: keyed("payment_intent.refund", of),
          payload: { amount: part(share) }
        })
      }
    })
  const end = (how: "release" | "forfeit", share: number) =>
    Effect.gen(function*() {
      const reserves = yield* Reserves
      const [found] = (yield* reserves.list(account.id, {}, latest)).data
      if (found !== undefined) yield* reserves[how]({ id: found.id, keyed: keyed(`reserve.${how}`), payload: { amount: part(share) } })
    })
  const redeem = (
    of: string,
    payload: (code: string) => { readonly code: string; readonly amount?: number; readonly payment_intent_id?: string }
  ) =>
    Effect.gen(function*() {
      const { card } = known
      if (card !== undefined) {
        yield* (yield* GiftCards).redeem({ account, id: card.id, keyed: keyed("gift_card.redeem", of), payload: payload(card.code) })
      }
    })
  switch (verb) {
    case "sale":
      return [["create", create(destination)], ["capture", authorize], ["refund", refund(one, "first")], [
        "refund",
        refund(other, "second")
      ]]
    case "reserve":
      return [
        [
          "hold",
          Effect.flatMap(
            Reserves,
            ({ hold }) =>
              hold({ keyed: keyed("reserve.hold"), payload: { merchant_id: account.id, amount: part(one), currency, reason: "simulated" } })
          )
        ],
        ["release", end("release", other)],
        ["forfeit", end("forfeit", other)]
      ]
    case "gift":
      return [
        [
          "issue",
          Effect.gen(function*() {
            const { code, id } = yield* (yield* GiftCards).issue(account.id, { currency })
            known.card = { id, code }
          })
        ],
        [
          "load",
          Effect.gen(function*() {
            if (known.card !== undefined) {
              yield* (yield* GiftCards).load({
                account,
                id: known.card.id,
                keyed: keyed("gift_card.load"),
                payload: { amount: amount + part(one) }
              })
            }
          })
        ],
        ["create", create(null)],
        ["guess", redeem("guess", () => ({ code: "0000-0000-0000-0000" }))],
        ["pay", redeem("pay", (code) => ({ code, ...(known.intent === undefined ? {} : { payment_intent_id: known.intent }) }))],
        ["redeem", redeem("redeem", (code) => ({ code, amount: part(other) }))],
        ["refund", refund(other, "back")]
      ]
  }
}

/** Each query finds what is broken. `own` is the accounts of the history. */
const queries = (sql: SqlClient.SqlClient, own: ReadonlyArray<string>): ReadonlyArray<readonly [string, Statement.Statement<object>]> => [
  [
    "M2: a reserve holds what its ledger does not",
    sql`
    SELECT r.id, r.amount, r.released_amount, r.forfeited_amount, coalesce(sum(e.delta_reserved), 0) AS reserved FROM reserves r
    LEFT JOIN financial_events e ON e.merchant_id = r.merchant_id AND e.resource_id = r.id
    WHERE r.merchant_id = ANY(${own}::text[]) GROUP BY r.merchant_id, r.id
    HAVING r.amount - r.released_amount - r.forfeited_amount <> coalesce(sum(e.delta_reserved), 0)`
  ],
  [
    "M2: a gift card has what its ledger does not",
    sql`
    SELECT c.id, c.balance, coalesce(sum(e.delta_reserved), 0) AS reserved FROM gift_cards c
    LEFT JOIN financial_events e ON e.merchant_id = c.merchant_id
      AND (e.resource_id = c.id OR e.resource_id IN (SELECT p.id FROM payment_intents p WHERE p.merchant_id = c.merchant_id AND p.payment_method_id = c.id AND p.selected_rail = 'gift_card'))
    WHERE c.merchant_id = ANY(${own}::text[]) GROUP BY c.merchant_id, c.id
    HAVING c.balance <> coalesce(sum(e.delta_reserved), 0)`
  ],
  [
    "M1: what merchants have is not what came in less what went out",
    sql`
    SELECT b.account_id, b.currency FROM balance_accounts b
    JOIN (SELECT merchant_id, currency, sum(counter_delta) AS platform FROM financial_events WHERE merchant_id = ANY(${own}::text[]) GROUP BY 1, 2) e
      ON e.merchant_id = b.account_id AND e.currency = b.currency
    WHERE b.available + b.pending + b.reserved <> -e.platform`
  ]
]

/** What is broken, in words. */
export const heldBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(
    queries(sql, accounts),
    ([what, query]) => Effect.map(query, (rows) => rows.map((row) => `${what} ${JSON.stringify(row)}`))
  )
  return found.flat()
})
