/**
 * At the end of a simulated history the provider's statement is compared with the ledger: they agree on what both know, and the rest is
 * named.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import { now } from "@svc/kernel/values/time"
import { simulatorRails } from "@svc/payments/rails/simulator"
import { Reports } from "@svc/reconciliation/reports/service/reports"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Books, ProviderMovement } from "../provider-books.ts"

/** Days of a report: more than a history has. */
const DAYS = 390
const TOLERANCE = 3 * 24 * 3_600_000

interface Known {
  readonly provider_reference: string
  readonly amount: number
  readonly at: string
}

/** What the ledger has of a rail, asked for in another way than a report does: by what each payment says of itself. */
const known = Effect.fnUntraced(function*(account: string, rail: string) {
  const sql = yield* SqlClient.SqlClient
  const captures = yield* sql<Known>`SELECT p.provider_reference, e.amount, e.created_at AS at FROM payment_intents p
    JOIN financial_events e ON e.merchant_id = p.merchant_id AND e.resource_id = p.id AND e.event_type = 'payment_captured' WHERE p.merchant_id = ${account} AND p.selected_rail = ${rail}`
  const refunds = yield* sql<
    Known
  >`SELECT r->>'provider_reference' AS provider_reference, (r->>'amount')::bigint AS amount, (r->>'created_at')::timestamptz AS at FROM payment_intents p
    CROSS JOIN LATERAL jsonb_array_elements(p.refunds) r WHERE p.merchant_id = ${account} AND p.selected_rail = ${rail}`
  return new Map([...captures, ...refunds].map((one) => [one.provider_reference, one]))
})

/**
 * What is to be found: money that moved at the provider and not here, as when an approval of another amount goes back, and answers that
 * came days late.
 */
const expectedOf = (movements: ReadonlyArray<ProviderMovement>, ledger: ReadonlyMap<string, Known>): ReadonlyArray<string> =>
  movements.flatMap(({ amount, at, provider_reference, type }) => {
    const here = ledger.get(provider_reference)
    const difference = here === undefined
      ? "missing_internal"
      : here.amount !== amount
      ? "amount"
      : Math.abs(Date.parse(here.at) - at) > TOLERANCE
      ? "timing"
      : undefined
    return difference === undefined ? [] : [`${difference} ${type} ${provider_reference}`]
  })

/** What is wrong with the reports of the merchants, in words. */
export const reconciliationBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<AccountFacts>, books: Books) {
  const reports = yield* Reports
  const problems: Array<string> = []
  const to = DateTime.add(yield* now, { days: 1 })
  const from = DateTime.subtract(to, { days: DAYS })
  for (const { id } of accounts) {
    for (const { name } of simulatorRails) {
      const movements = books.statement(name, { merchant: id, from: from.epochMilliseconds, to: to.epochMilliseconds })
      const ledger = yield* known(id, name)
      if (movements.length === 0 && ledger.size === 0) continue
      const report = yield* reports.create(id, { source: name, from, to })
      const { mismatches } = yield* reports.get(id, report.id, {}, { page: 1, per_page: 100 })
      const found = mismatches.map(({ line_type, provider_reference, type }) => `${type} ${line_type} ${provider_reference}`).toSorted()
      const expected = expectedOf(movements, ledger).toSorted()
      if (found.join() !== expected.join()) {
        problems.push(
          `Reconciliation: the report of ${name} finds ${found.join(", ") || "nothing"}, and there is ${expected.join(", ") || "nothing"}`
        )
      }
      const { matched, mismatched, unreconciled } = report.counts
      if (report.status !== "completed" || unreconciled > 0 || matched + mismatched !== movements.length) {
        problems.push(
          `Reconciliation: the report of ${name} is ${report.status} and counts ${matched}, ${mismatched}, ${unreconciled} of ${movements.length} movements`
        )
      }
    }
  }
  return problems
})
