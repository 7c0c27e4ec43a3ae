/**
 * What the rows of a resource and its ledger entries must agree in. A package above says it as data, one line beside its other
 * contributions, and every check of a whole ledger asks it:
 *
 *     agreement({ resource_type: "settlement", table: settlements, amounts: [["CASE status WHEN 'completed' THEN amount ELSE 0 END", ["settlement_completed"]]] })
 */
import { contribute } from "@svc/kernel/parts/contributions"
import type { Table } from "@svc/kernel/road/decision"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { LedgerEventType } from "./financial-events/routes.ts"
import { type BookCheck, BookChecks } from "./financial-events/service.ts"

export interface Agreement {
  /** What the ledger's entries call it. */
  readonly resource_type: string
  readonly table: Pick<Table, "name" | "account">
  /** SQL of an amount of the row, and the types of the entries about it whose amounts must add up to that. */
  readonly amounts: ReadonlyArray<readonly [own: string, entries: ReadonlyArray<LedgerEventType>]>
}

/**
 * The first resource that differs, by the last of its entries; one without entries comes first. The database adds up, so that nothing large
 * is held here.
 */
const textOf = ({ amounts, resource_type, table }: Agreement): string => {
  const own = amounts.map(([expression], n) => `${expression} AS own${n}`).join(", ")
  const booked = amounts.map(([, types], n) =>
    `sum(amount) FILTER (WHERE event_type IN (${types.map((type) => `'${type}'`).join(", ")})) AS booked${n}`
  ).join(", ")
  const differs = amounts.map((_, n) => `COALESCE(own${n}, 0) <> COALESCE(booked${n}, 0)`).join(" OR ")
  return `SELECT COALESCE(t.id, l.resource_id) AS id, l.last FROM (SELECT id, ${own} FROM ${table.name} WHERE ${table.account} = $1) t
    FULL JOIN (SELECT resource_id, max(sequence_id) AS last, ${booked} FROM financial_events
      WHERE merchant_id = $1 AND resource_type = '${resource_type}' GROUP BY resource_id) l
      ON l.resource_id = t.id
    WHERE ${differs} ORDER BY l.last NULLS FIRST, 1 LIMIT 1`
}

/**
 * Contributes a check to those of every whole ledger: SQL over one account, `$1`, whose first row names a resource (`id`) that is
 * not what its entries say, and the last of those (`last`), if there is one.
 */
export const stateCheck = (text: string) =>
  contribute(
    BookChecks,
    Effect.map(SqlClient.SqlClient, (sql): ReadonlyArray<BookCheck> => [(account, end) =>
      Effect.orDie(Effect.map(sql.unsafe<{ readonly id: string; readonly last: number | null }>(text, [account]), ([found]) =>
        found === undefined
          ? undefined
          : { sequence_id: found.last ?? end.sequence_id, reason: "state_mismatch" as const, resource_id: found.id }))])
  )

/** Contributes the agreement to every check of a whole ledger. */
export const agreement = (spec: Agreement) => stateCheck(textOf(spec))
