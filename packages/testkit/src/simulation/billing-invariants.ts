/** M8, and what else must hold of subscriptions, their cycles and invoices after every history. */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** Each query finds what is broken. `own` is the accounts of the history. */
const queries = (sql: SqlClient.SqlClient, own: ReadonlyArray<string>): ReadonlyArray<readonly [string, Statement.Statement<object>]> => [
  [
    "M8: a period has two cycles",
    sql`
    SELECT subscription_id, period_start FROM billing_cycles WHERE account_id = ANY(${own}::text[]) AND kind = 'period' AND status <> 'voided' GROUP BY 1, 2 HAVING count(*) > 1`
  ],
  [
    "M8: a cycle is not charged what it costs",
    sql`
    SELECT id, status, amount, proration_adjustment, captured_amount FROM billing_cycles
    WHERE account_id = ANY(${own}::text[]) AND status IN ('charged', 'refunded') AND captured_amount <> greatest(0, amount + proration_adjustment)`
  ],
  [
    "M8: a cycle and its payments differ, or it was paid twice",
    sql`
    SELECT c.id, c.status, c.captured_amount, c.refunded_amount, p.captured, p.refunded, p.paid FROM billing_cycles c
    LEFT JOIN (SELECT merchant_id, origin->>'id' AS cycle, sum(captured_amount) AS captured, sum(refunded_amount) AS refunded, count(*) FILTER (WHERE captured_amount > 0) AS paid
      FROM payment_intents WHERE merchant_id = ANY(${own}::text[]) AND origin->>'type' = 'billing_cycle' GROUP BY 1, 2) p ON p.merchant_id = c.account_id AND p.cycle = c.id
    WHERE c.account_id = ANY(${own}::text[]) AND (c.captured_amount <> coalesce(p.captured, 0) OR c.refunded_amount <> coalesce(p.refunded, 0) OR p.paid > 1)`
  ],
  [
    "M8: a cycle is open although its payment is there",
    sql`
    SELECT c.id, p.id AS payment, p.state FROM billing_cycles c JOIN payment_intents p ON p.merchant_id = c.account_id AND p.origin->>'type' = 'billing_cycle' AND p.origin->>'id' = c.id
    WHERE c.account_id = ANY(${own}::text[]) AND c.status = 'pending' AND p.captured_amount > 0`
  ],
  [
    "M8: a cycle was tried too often, or given up before its time",
    sql`
    SELECT id, status, retries, max_retries, grace_until, updated_at FROM billing_cycles WHERE account_id = ANY(${own}::text[])
      AND (retries > max_retries OR (status = 'pending' AND retries >= max_retries) OR (status = 'failed' AND retries < max_retries AND updated_at < grace_until))`
  ],
  [
    "invoices have a gap",
    sql`
    SELECT account_id, count(number), max(substring(number FROM '[0-9]+$')::bigint) FROM invoices WHERE account_id = ANY(${own}::text[]) AND number IS NOT NULL
    GROUP BY 1 HAVING count(DISTINCT number) <> max(substring(number FROM '[0-9]+$')::bigint) OR count(number) <> count(DISTINCT number)`
  ],
  [
    "a charged cycle has no paid invoice",
    sql`
    SELECT c.id, c.status, i.id AS invoice, i.number, i.status AS stands, i.amount_paid FROM billing_cycles c LEFT JOIN invoices i ON i.account_id = c.account_id AND i.id = c.invoice_id AND i.billing_cycle_id = c.id
    WHERE c.account_id = ANY(${own}::text[]) AND c.status IN ('charged', 'refunded') AND (i.status IS DISTINCT FROM 'paid' OR i.number IS NULL OR i.amount_paid <> i.total)`
  ],
  [
    "lines do not sum to the total",
    sql`
    SELECT id, total FROM invoices i WHERE account_id = ANY(${own}::text[])
      AND total <> (SELECT coalesce(sum((line->>'amount')::bigint), 0) FROM jsonb_array_elements(i.lines) line)`
  ],
  [
    "an invoice and its cycle disagree",
    sql`
    SELECT i.id, i.status, c.status AS cycle FROM invoices i JOIN billing_cycles c ON c.account_id = i.account_id AND c.id = i.billing_cycle_id
    WHERE i.account_id = ANY(${own}::text[]) AND i.status <> CASE c.status WHEN 'pending' THEN 'open' WHEN 'charged' THEN 'paid' WHEN 'refunded' THEN 'paid' WHEN 'voided' THEN 'void' ELSE 'uncollectible' END`
  ],
  [
    "recurring revenue is not the sum of its movements",
    sql`
    SELECT coalesce(m.account_id, s.account_id) AS account, m.moved, s.now FROM
      (SELECT account_id, currency, sum(amount) AS moved FROM subscription_movements WHERE account_id = ANY(${own}::text[]) GROUP BY 1, 2) m
      FULL JOIN (SELECT s.account_id, s.currency, sum(svc_monthly(p.amount, p.billing_period)) AS now FROM subscriptions s JOIN plans p ON p.account_id = s.account_id AND p.id = s.plan_id
        WHERE s.account_id = ANY(${own}::text[]) AND s.status IN ('active', 'past_due') AND s.first_paid_at IS NOT NULL GROUP BY 1, 2) s ON s.account_id = m.account_id AND s.currency = m.currency
    WHERE coalesce(m.moved, 0) <> coalesce(s.now, 0)`
  ]
]

/** What is broken, in words. */
export const billingBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(
    queries(sql, accounts),
    ([what, query]) => Effect.map(query, (rows) => rows.map((row) => `${what} ${JSON.stringify(row)}`))
  )
  return found.flat()
})
