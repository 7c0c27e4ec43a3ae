/** What must hold of the database and of the provider once everything that was begun has come to its end. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeBooks } from "../provider-books.ts"
import type { Provider } from "../provider.ts"
import { broken } from "../simulation/invariants.ts"

/** M5: the provider holds no money that no intent knows of. What it keeps or gave back is looked at with the other invariants. */
const forgotten = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>, provider: Provider) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly provider_reference: string }>`SELECT provider_reference FROM payment_intents
    WHERE merchant_id = ANY(${accounts}::text[]) AND provider_reference IS NOT NULL`
  const known = new Set(rows.map(({ provider_reference }) => provider_reference))
  return provider.report().payments
    .filter(({ authorized, captured, reference, voided }) => authorized > 0 && captured === 0 && !voided && !known.has(reference))
    .map(({ authorized, reference }) => `M5: the provider holds ${authorized} for ${reference}, which no intent knows`)
})

/** M8: no try to charge a cycle is under way for ever. What else must hold of subscriptions is looked at with the other invariants. */
const underWay = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql`SELECT id, status, attempts->-1 AS attempt FROM billing_cycles WHERE account_id = ANY(${accounts}::text[]) AND attempts->-1->>'outcome' = 'started'`
  return rows.map((row) => `M8: nobody takes up the charge of a cycle ${JSON.stringify(row)}`)
})

/** How many renewals, and how many changes of plan, were paid for: a run without any proves nothing about them. */
export const billed = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly renewed: number; readonly changed: number }>`
    SELECT count(*) FILTER (WHERE c.kind = 'period' AND c.period_start > s.created_at) AS renewed, count(*) FILTER (WHERE c.kind = 'change') AS changed
    FROM billing_cycles c JOIN subscriptions s ON s.account_id = c.account_id AND s.id = c.subscription_id
    WHERE c.account_id = ANY(${accounts}::text[]) AND c.captured_amount > 0`
  return { renewed: Number(row?.renewed ?? 0), changed: Number(row?.changed ?? 0) }
})

/**
 * The invariants of the simulated histories on the books of a provider that outlived the service, and that no hold and no try was
 * forgotten.
 */
export const leftBehind = Effect.fn("leftBehind")(function*(accounts: ReadonlyArray<AccountFacts>, provider: Provider) {
  const books = { ...makeBooks(() => "", () => 0), report: provider.report }
  const problems = yield* broken({ seed: "", accounts, sent: [], misuse: [], books, timersRun: 0, crashes: 0 })
  const ids = accounts.map(({ id }) => id)
  return [...problems, ...(yield* forgotten(ids, provider)), ...(yield* underWay(ids))]
})
