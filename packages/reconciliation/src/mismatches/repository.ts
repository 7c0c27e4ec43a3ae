/** Mismatches in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Mismatch } from "./model.ts"

export class MismatchRepository extends Context.Service<MismatchRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Mismatch | undefined>
  /** The mismatch whose correction of an event stands. */
  readonly standing: (account: string, sequence_id: number) => Effect.Effect<Mismatch | undefined>
  /** Those of a report, newest first. */
  readonly ofReport: (account: string, report: string, page: PageRequest) => Effect.Effect<Page<Mismatch>>
}>()("@svc/reconciliation/MismatchRepository") {
  static readonly layer = Layer.effect(MismatchRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM reconciliation_mismatches WHERE merchant_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const standing = Effect.fnUntraced(function*(account: string, sequence_id: number) {
      const [row] = yield* sql`SELECT * FROM reconciliation_mismatches WHERE merchant_id = ${account} AND sequence_id = ${sequence_id}
        AND resolution IN ('accept_external', 'write_off') AND superseded_by IS NULL ORDER BY id DESC LIMIT 1`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const ofReport = (account: string, report: string, page: PageRequest) =>
      Effect.orDie(Effect.map(
        listPage(sql, { table: "reconciliation_mismatches", where: [sql`merchant_id = ${account}`, sql`report_id = ${report}`] }, page),
        (rows) => mapPage(rows, decodeRow)
      ))

    return MismatchRepository.of({ find, standing, ofReport })
  }))
}
