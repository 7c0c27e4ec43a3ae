/** What operators and merchants do with money that is held, reserves and gift cards, in a simulated history, and what must hold of it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { IdempotencyKey } from "@svc/kernel/idempotency"
import { GiftCards } from "@svc/payments/gift-cards/service"
import { Reserves } from "@svc/treasury/reserves/service"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Chance } from "./chance.ts"

const verbs = ["hold", "hold", "release", "forfeit", "issue", "load", "load", "redeem", "pay", "pay", "guess"] as const

/** What happens to a reserve or a card of the merchant, which may not exist, or hold nothing. */
export interface HeldStep {
  readonly _tag: "Held"
  readonly merchant: number
  readonly verb: typeof verbs[number]
  readonly key: string
  readonly intent: number
  readonly amount: number
  readonly whole: boolean
  readonly currency: string
}

export const heldStep = (chance: Chance, seed: string, number: number, merchants: number, currencies: ReadonlyArray<string>): HeldStep => ({
  _tag: "Held",
  merchant: chance.between(0, merchants - 1),
  verb: chance.pick(verbs),
  key: `sim-held-${seed}-${number}`,
  intent: chance.between(0, 5),
  amount: chance.between(1, 20_000),
  whole: chance.happens(0.5),
  currency: chance.pick(currencies)
})

/** The latest card of the merchant, and the code that its customer keeps. */
export interface KnownCard {
  readonly id: string
  readonly code: string
}

const latest = { page: 1, per_page: 1 }

/** Sends what the step says about the reserves of the account. Fails with the refusal. */
const sendReserve = Effect.fnUntraced(function*({ id: merchant_id }: AccountFacts, { amount, currency, key, whole }: HeldStep, verb: "hold" | "release" | "forfeit") {
  const reserves = yield* Reserves
  const keyed = { key: IdempotencyKey.make(key), operation: `reserve.${verb}`, fingerprint: "0".repeat(64) }
  if (verb === "hold") return yield* reserves.hold({ keyed, payload: { merchant_id, amount, currency, reason: "simulated" } })
  const [found] = (yield* reserves.list(merchant_id, {}, latest)).data
  if (found !== undefined) yield* reserves[verb]({ id: found.id, keyed, payload: whole ? {} : { amount } })
})

/** Sends what the step says about money that is held, and gives the card that it issued. Fails with the refusal. */
export const sendHeld = Effect.fnUntraced(function*(account: AccountFacts, known: KnownCard | undefined, intent: string | undefined, step: HeldStep) {
  const { amount, currency, key, verb, whole } = step
  const cards = yield* GiftCards
  const keyed = { key: IdempotencyKey.make(key), operation: `gift_card.${verb}`, fingerprint: "0".repeat(64) }
  if (verb === "hold" || verb === "release" || verb === "forfeit") {
    yield* sendReserve(account, step, verb)
    return undefined
  }
  if (verb === "issue") {
    const { code, id } = yield* cards.issue(account.id, { currency })
    const issued: KnownCard = { id, code }
    return issued
  }
  if (known === undefined) return undefined
  const command = { account, id: known.id, keyed }
  if (verb === "load") yield* cards.load({ ...command, payload: { amount } })
  else if (verb === "guess") yield* cards.redeem({ ...command, payload: { code: "0000-0000-0000-0000" } })
  else if (verb === "redeem") yield* cards.redeem({ ...command, payload: { code: known.code, ...(whole ? {} : { amount }) } })
  else if (intent !== undefined) yield* cards.redeem({ ...command, payload: { code: known.code, payment_intent_id: intent } })
  return undefined
})

/** Each query finds what is broken. `own` is the accounts of the history. */
const queries = (sql: SqlClient.SqlClient, own: ReadonlyArray<string>): ReadonlyArray<readonly [string, Statement.Statement<object>]> => [
  ["M2: a reserve holds what its ledger does not", sql`
    SELECT r.id, r.amount, r.released_amount, r.forfeited_amount, coalesce(sum(e.delta_reserved), 0) AS reserved FROM reserves r
    LEFT JOIN financial_events e ON e.merchant_id = r.merchant_id AND e.resource_id = r.id
    WHERE r.merchant_id = ANY(${own}::text[]) GROUP BY r.merchant_id, r.id
    HAVING r.amount - r.released_amount - r.forfeited_amount <> coalesce(sum(e.delta_reserved), 0)`],
  ["M2: a gift card has what its ledger does not", sql`
    SELECT c.id, c.balance, coalesce(sum(e.delta_reserved), 0) AS reserved FROM gift_cards c
    LEFT JOIN financial_events e ON e.merchant_id = c.merchant_id
      AND (e.resource_id = c.id OR e.resource_id IN (SELECT p.id FROM payment_intents p WHERE p.merchant_id = c.merchant_id AND p.payment_method_id = c.id AND p.selected_rail = 'gift_card'))
    WHERE c.merchant_id = ANY(${own}::text[]) GROUP BY c.merchant_id, c.id
    HAVING c.balance <> coalesce(sum(e.delta_reserved), 0)`],
  ["M1: what merchants have is not what came in less what went out", sql`
    SELECT b.account_id, b.currency FROM balance_accounts b
    JOIN (SELECT merchant_id, currency, sum(counter_delta) AS platform FROM financial_events WHERE merchant_id = ANY(${own}::text[]) GROUP BY 1, 2) e
      ON e.merchant_id = b.account_id AND e.currency = b.currency
    WHERE b.available + b.pending + b.reserved <> -e.platform`]
]

/** What is broken, in words. */
export const heldBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(queries(sql, accounts), ([what, query]) => Effect.map(query, (rows) => rows.map((row) => `${what} ${JSON.stringify(row)}`)))
  return found.flat()
})
