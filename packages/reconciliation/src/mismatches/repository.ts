/** Mismatches in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Mismatch, mismatches, type MismatchFilter } from "./model.ts"

export class MismatchRepository extends Context.Service<MismatchRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Mismatch | undefined>
  /** The mismatch whose correction of an event stands. */
  readonly standing: (account: string, sequence_id: number) => Effect.Effect<Mismatch | undefined>
  /** The mismatches of a report, newest first: of one type or status, or all. */
  readonly ofReport: (account: string, report: string, filter: MismatchFilter, page: PageRequest) => Effect.Effect<Page<Mismatch>>
}>()("@svc/reconciliation/MismatchRepository") {
  static readonly layer = Layer.effect(
    MismatchRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* KeyReader

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        const [row] = yield* reader.unsafe("SELECT * FROM reconciliation_mismatches WHERE merchant_id = $1 AND id = $2", [account, id])
        return row === undefined ? undefined : mismatches.decode(row)
      }, Effect.orDie)

      const standing = Effect.fnUntraced(function*(account: string, sequence_id: number) {
        const [row] = yield* sql`SELECT * FROM reconciliation_mismatches WHERE merchant_id = ${account} AND sequence_id = ${sequence_id}
        AND resolution IN ('accept_external', 'write_off') AND superseded_by IS NULL ORDER BY id DESC LIMIT 1`
        return row === undefined ? undefined : mismatches.decode(row)
      }, Effect.orDie)

      const ofReport = (account: string, report: string, { status, type }: MismatchFilter, page: PageRequest) => {
        const where = [
          sql`merchant_id = ${account}`,
          sql`report_id = ${report}`,
          ...(type === undefined ? [] : [sql`type = ${type}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`])
        ]
        return Effect.orDie(
          Effect.map(listPage(sql, { table: "reconciliation_mismatches", where }, page), (rows) => mapPage(rows, mismatches.decode))
        )
      }

      return MismatchRepository.of({ find, standing, ofReport })
    })
  )
}
