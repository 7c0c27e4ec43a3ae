/** Invoices in Postgres. Every method takes the account first, but for `byToken`. */
import { witnessed } from "@svc/kernel/parts/actor"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../common/rows.ts"
import { type Invoice, type InvoiceFilter, invoiceFilters, invoices } from "./model.ts"

export class InvoiceRepository extends Context.Service<
  InvoiceRepository,
  Reader<Invoice, InvoiceFilter> & {
    /** The invoice with this token, of whichever account. */
    readonly byToken: (token: string) => Effect.Effect<Invoice | undefined>
    /** Removes a draft of this version that no cycle stands behind; whether there was one. */
    readonly remove: (account: string, id: string, version: number) => Effect.Effect<boolean>
  }
>()("@svc/billing/InvoiceRepository") {
  static readonly layer = Layer.effect(
    InvoiceRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(invoices, { name: "invoice", prefix: "inv", filters: invoiceFilters })
      const { first } = yield* rowsOf(invoices)

      const remove = (account: string, id: string, version: number) =>
        witnessed(sql)(
          sql`DELETE FROM invoices WHERE account_id = ${account} AND id = ${id} AND version = ${version}
          AND status = 'draft' AND billing_cycle_id IS NULL RETURNING id`,
          (rows) => ({
            account_id: account,
            resource_type: "invoice",
            resource_ids: rows.length === 0 ? [] : [id],
            action: "deleted" as const
          })
        ).pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      return InvoiceRepository.of({
        ...reader,
        byToken: (token) => first(sql`SELECT * FROM invoices WHERE hosted_token = ${token}`),
        remove
      })
    })
  )
}
