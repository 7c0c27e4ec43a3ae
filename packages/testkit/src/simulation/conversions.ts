/** What must hold of captures that are settled in another currency, after a simulated history. */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** What the platform's exchange holds of each currency for each payment, and what was given back of the payment. */
const positions = (sql: SqlClient.SqlClient, own: ReadonlyArray<string>) =>
  sql`
  SELECT p.merchant_id, p.id, p.captured_amount AS captured, least(p.refunded_amount + p.disputed_amount, p.captured_amount) AS gone, c.source_amount, c.target_amount, c.quote_id,
    coalesce(sum(e.counter_delta) FILTER (WHERE e.currency = c.source_currency), 0) AS held, -coalesce(sum(e.counter_delta) FILTER (WHERE e.currency = c.target_currency), 0) AS gave
  FROM payment_intents p
  JOIN conversions c ON c.merchant_id = p.merchant_id AND c.payment_intent_id = p.id
  LEFT JOIN financial_events e ON e.merchant_id = p.merchant_id AND e.event_type = 'conversion_executed'
    AND (e.resource_id = p.id OR e.resource_id IN (SELECT d.id FROM disputes d WHERE d.merchant_id = p.merchant_id AND d.payment_intent_id = p.id))
  WHERE p.merchant_id = ANY(${own}::text[])
  GROUP BY p.merchant_id, p.id, p.captured_amount, p.refunded_amount, p.disputed_amount, c.source_amount, c.target_amount, c.quote_id`

/** Each query finds what is broken. `own` is the accounts of the history. */
const queries = (sql: SqlClient.SqlClient, own: ReadonlyArray<string>): ReadonlyArray<readonly [string, Statement.Statement<object>]> => [
  [
    "M2: a payment says of its conversion what the conversion does not",
    sql`
    SELECT p.id, p.conversion, c.id AS conversion_id FROM payment_intents p
    FULL JOIN conversions c ON c.merchant_id = p.merchant_id AND c.payment_intent_id = p.id
    WHERE coalesce(p.merchant_id, c.merchant_id) = ANY(${own}::text[]) AND (p.conversion->>'id' IS DISTINCT FROM c.id OR (p.conversion->>'target_amount')::bigint IS DISTINCT FROM c.target_amount)`
  ],
  [
    "M2: a settlement is in another currency than its payment is settled in",
    sql`
    SELECT s.id, s.currency FROM settlements s JOIN payment_intents p ON p.merchant_id = s.merchant_id AND p.id = s.payment_intent_id
    WHERE s.merchant_id = ANY(${own}::text[]) AND s.currency <> coalesce(p.conversion->>'target_currency', p.currency)`
  ],
  // What is held and given is the part that is still the merchant's: rounded up of the one, and down of the other, never by a whole unit.
  [
    "M1: an exchange and what was given back of it differ, or somebody won by a rounding",
    sql`
    SELECT * FROM (${positions(sql, own)}) q
    WHERE held <> source_amount - source_amount * gone / captured OR gave <> target_amount - (target_amount * gone + captured - 1) / captured`
  ],
  [
    "M7: a quote was used twice, or not for the payment that it names",
    sql`
    SELECT q.id FROM quotes q LEFT JOIN conversions c ON c.merchant_id = q.merchant_id AND c.quote_id = q.id
    WHERE q.merchant_id = ANY(${own}::text[]) AND c.id IS NOT NULL AND (q.status <> 'used' OR q.payment_intent_id <> c.payment_intent_id)`
  ]
]

/** What is broken, in words. */
export const conversionsBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(
    queries(sql, accounts),
    ([what, query]) => Effect.map(query, (rows) => rows.map((row) => `${what} ${JSON.stringify(row)}`))
  )
  return found.flat()
})
