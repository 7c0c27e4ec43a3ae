/** What a card network and merchants do about disputes in a simulated history, and what must hold of them. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { Disputes } from "@svc/payments/disputes/service"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Chance } from "./chance.ts"

const verbs = ["report", "report", "evidence", "submit", "submit", "accept"] as const
const said = ["delivered", "winning_evidence", "losing_evidence"] as const

/** What happens to a payment of the merchant. It may not exist, or be in any state. */
export interface DisputeStep {
  readonly _tag: "Dispute"
  readonly merchant: number
  readonly verb: typeof verbs[number]
  readonly key: string
  readonly intent: number
  readonly amount: number | undefined
  readonly evidence: typeof said[number]
}

export const disputeStep = (chance: Chance, seed: string, number: number, merchants: number): DisputeStep => ({
  _tag: "Dispute",
  merchant: chance.between(0, merchants - 1),
  verb: chance.pick(verbs),
  key: `sim-dispute-${seed}-${number}`,
  intent: chance.between(0, 5),
  amount: chance.happens(0.5) ? chance.between(1, 5_000) : undefined,
  evidence: chance.pick(said)
})

/** Sends what the step says. Fails with the refusal. */
export const sendDispute = Effect.fnUntraced(
  function*(account: AccountFacts, intent: string, { amount, evidence, key, verb }: DisputeStep) {
    const disputes = yield* Disputes
    const keyed = { key: IdempotencyKey.make(key), operation: `dispute.${verb}`, fingerprint: "0".repeat(64) }
    if (verb === "report") {
      return yield* disputes.simulate({
        account,
        keyed,
        payload: { payment_intent_id: intent, ...(amount === undefined ? {} : { amount }) }
      })
    }
    const [latest] = (yield* disputes.list(account.id, { payment_intent_id: intent }, { page: 1, per_page: 1 })).data
    if (latest === undefined) return
    const command = { account, id: latest.id, keyed }
    switch (verb) {
      case "evidence":
        return yield* disputes.addEvidence({ ...command, payload: { other: evidence } })
      case "submit":
        return yield* disputes.submit({ ...command, payload: { other: evidence } })
      case "accept":
        return yield* disputes.accept({ ...command, payload: {} })
    }
  }
)

/** Each query finds what is broken. `own` is the accounts of the history. */
const queries = (sql: SqlClient.SqlClient, own: ReadonlyArray<string>): ReadonlyArray<readonly [string, Statement.Statement<object>]> => [
  [
    "M2: a payment and its disputes differ",
    sql`
    SELECT p.id, p.disputed_amount, d.sum FROM payment_intents p
    LEFT JOIN (SELECT merchant_id, payment_intent_id, sum(amount) AS sum FROM disputes WHERE status <> 'won' GROUP BY 1, 2) d ON d.merchant_id = p.merchant_id AND d.payment_intent_id = p.id
    WHERE p.merchant_id = ANY(${own}::text[]) AND (p.disputed_amount <> coalesce(d.sum, 0) OR p.disputed_amount > p.captured_amount)`
  ],
  [
    "M2: a dispute holds what its ledger does not",
    sql`
    SELECT d.id, d.status, d.amount, e.reserved FROM disputes d
    LEFT JOIN (SELECT merchant_id, resource_id, sum(delta_reserved) AS reserved FROM financial_events WHERE resource_type = 'dispute' GROUP BY 1, 2) e ON e.merchant_id = d.merchant_id AND e.resource_id = d.id
    WHERE d.merchant_id = ANY(${own}::text[]) AND coalesce(e.reserved, 0) <> CASE WHEN d.status IN ('open', 'under_review') THEN d.amount ELSE 0 END`
  ],
  [
    "M7: a payment has two open disputes",
    sql`
    SELECT payment_intent_id FROM disputes WHERE merchant_id = ANY(${own}::text[]) AND status IN ('open', 'under_review') GROUP BY 1 HAVING count(*) > 1`
  ],
  [
    "M7: nobody decides a dispute",
    sql`
    SELECT d.id, d.status FROM disputes d LEFT JOIN timers t ON t.account_id = d.merchant_id AND t.resource_id = d.id
    WHERE d.merchant_id = ANY(${own}::text[]) AND (d.status = 'under_review' OR (d.status = 'open' AND t.kind IS NULL))`
  ]
]

/** What is broken, in words. */
export const disputesBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(
    queries(sql, accounts),
    ([what, query]) => Effect.map(query, (rows) => rows.map((row) => `${what} ${JSON.stringify(row)}`))
  )
  return found.flat()
})
