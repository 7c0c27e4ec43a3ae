/** Reports in Postgres, and the lines of their statements. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import type { Columns } from "@svc/kernel/database/columns"
import { arraysOf, manyRowsFrom } from "@svc/kernel/database/rows"
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { iso } from "@svc/kernel/values/time"
import type { StatementLine } from "@svc/payments/rails/statement"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Report, type ReportFilter, reports } from "../model.ts"

const lineColumns: Columns = { n: "int8", type: "text", provider_reference: "text", amount: "int8", currency: "text", at: "timestamptz" }

/** Lines that one statement takes away. */
const DISCARDED_AT_ONCE = 100_000

export class ReportRepository extends Context.Service<ReportRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Report | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: ReportFilter, page: PageRequest) => Effect.Effect<Page<Report>>
  /** Lays lines of a statement, the first of which is number `first`. */
  readonly lay: (account: string, report: string, first: number, lines: ReadonlyArray<StatementLine>) => Effect.Effect<void>
  /** Takes away the lines of a report that will not be, or is complete. */
  readonly discard: (account: string, report: string) => Effect.Effect<void>
  /** Takes away what processes left behind that died while they read a statement. */
  readonly sweep: (account: string) => Effect.Effect<void>
}>()("@svc/reconciliation/ReportRepository") {
  static readonly layer = Layer.effect(
    ReportRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* KeyReader

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        const [row] = yield* reader.unsafe("SELECT * FROM reconciliation_reports WHERE merchant_id = $1 AND id = $2", [account, id])
        return row === undefined ? undefined : reports.decode(row)
      }, Effect.orDie)

      const list = (account: string, { source, status }: ReportFilter, page: PageRequest) => {
        const where = [
          sql`merchant_id = ${account}`,
          ...(source === undefined ? [] : [sql`source = ${source}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`])
        ]
        return Effect.orDie(
          Effect.map(listPage(sql, { table: "reconciliation_reports", where }, page), (rows) => mapPage(rows, reports.decode))
        )
      }

      const lay = (account: string, report: string, first: number, lines: ReadonlyArray<StatementLine>) => {
        const rows = lines.map(({ occurred_at, ...line }, n) => ({ ...line, at: iso(occurred_at), n: first + n }))
        return Effect.orDie(Effect.asVoid(sql.unsafe(
          `INSERT INTO reconciliation_lines (merchant_id, report_id, side, n, type, provider_reference, amount, currency, at, alone)
         SELECT $1, $2, 0, r.n, r.type, r.provider_reference, r.amount, r.currency, r.at, r.provider_reference IS NULL FROM ${
            manyRowsFrom(lineColumns, 3)
          } r`,
          [account, report, ...arraysOf(lineColumns, rows)]
        )))
      }

      const discard = (account: string, report: string) =>
        sql`WITH gone AS (DELETE FROM reconciliation_lines WHERE ctid = ANY(ARRAY(SELECT ctid FROM reconciliation_lines
          WHERE merchant_id = ${account} AND report_id = ${report} LIMIT ${DISCARDED_AT_ONCE})) RETURNING 1) SELECT count(*) AS n FROM gone`
          .pipe(
            Effect.repeat({ while: ([row]) => Number(row?.["n"]) === DISCARDED_AT_ONCE }),
            Effect.asVoid,
            Effect.orDie
          )

      const sweep = (account: string) =>
        Effect.orDie(
          Effect.asVoid(sql`DELETE FROM reconciliation_lines l WHERE merchant_id = ${account} AND staged_at < now() - interval '1 hour'
        AND NOT EXISTS (SELECT 1 FROM reconciliation_reports r
          WHERE r.merchant_id = ${account} AND r.id = l.report_id AND r.status = 'processing')`)
        )

      return ReportRepository.of({ find, list, lay, discard, sweep })
    })
  )
}
