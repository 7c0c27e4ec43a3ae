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

/** The invariants of the simulated histories on the books of a provider that outlived the service, and that no hold was forgotten. */
export const leftBehind = Effect.fn("leftBehind")(function*(accounts: ReadonlyArray<AccountFacts>, provider: Provider) {
  const books = { ...makeBooks(() => "", () => 0), report: provider.report }
  const problems = yield* broken({ seed: "", accounts, sent: [], misuse: [], books, timersRun: 0, crashes: 0 })
  return [...problems, ...(yield* forgotten(accounts.map(({ id }) => id), provider))]
})
