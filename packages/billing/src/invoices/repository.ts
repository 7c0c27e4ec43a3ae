/** Invoices in Postgres. Every method takes the account first, but for `byToken`. */
import { KeyReader } from "@svc/kernel/database/client"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow } from "./model.ts"
import type { Invoice, InvoiceFilter } from "./model.ts"

export class InvoiceRepository extends Context.Service<InvoiceRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Invoice | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Invoice>>
  /** The one with this token, whosever it is. */
  readonly byToken: (token: string) => Effect.Effect<Invoice | undefined>
  /** Removes a draft of this version that no cycle stands behind; whether there was one. */
  readonly remove: (account: string, id: string, version: number) => Effect.Effect<boolean>
  /** Newest first. */
  readonly list: (account: string, filter: InvoiceFilter, page: PageRequest) => Effect.Effect<Page<Invoice>>
}>()("@svc/billing/InvoiceRepository") {
  static readonly layer = Layer.effect(InvoiceRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const conditions = (account: string, filter: InvoiceFilter) => {
      const { "created_at[gte]": from, "created_at[lt]": before } = filter
      return [
        sql`account_id = ${account}`,
        ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
        ...(filter.subscription_id === undefined ? [] : [sql`subscription_id = ${filter.subscription_id}`]),
        ...(filter.customer_id === undefined ? [] : [sql`customer_id = ${filter.customer_id}`]),
        // An id begins with its creation time, so a time range is a range of the primary key.
        ...(from === undefined ? [] : [sql`id >= ${ulidFloor("inv", from.epochMilliseconds)}`]),
        ...(before === undefined ? [] : [sql`id < ${ulidFloor("inv", before.epochMilliseconds)}`])
      ]
    }

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM invoices WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAll = (account: string, ids: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(sql`SELECT * FROM invoices WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) => rows.map((row) => decodeRow(row))))

    const remove = (account: string, id: string, version: number) =>
      Effect.orDie(Effect.map(
        sql`DELETE FROM invoices WHERE account_id = ${account} AND id = ${id} AND version = ${version} AND status = 'draft' AND billing_cycle_id IS NULL RETURNING id`,
        (rows) => rows.length > 0
      ))

    const list = (account: string, filter: InvoiceFilter, page: PageRequest) =>
      Effect.orDie(Effect.map(listPage(sql, { table: "invoices", where: conditions(account, filter) }, page), (rows) => mapPage(rows, decodeRow)))

    const byToken = Effect.fnUntraced(function*(token: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM invoices WHERE hosted_token = $1", [token])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    return InvoiceRepository.of({ find, byToken, findAll, list, remove })
  }))
}
