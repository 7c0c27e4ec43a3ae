/** Quotes in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Quote, type QuoteFilter } from "./model.ts"

export class QuoteRepository extends Context.Service<QuoteRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Quote | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: QuoteFilter, page: PageRequest) => Effect.Effect<Page<Quote>>
}>()("@svc/payments/QuoteRepository") {
  static readonly layer = Layer.effect(QuoteRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* sql`SELECT * FROM quotes WHERE merchant_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, { status }: QuoteFilter, page: PageRequest) => {
      const where = [sql`merchant_id = ${account}`, ...(status === undefined ? [] : [sql`status = ${status}`])]
      return Effect.orDie(Effect.map(listPage(sql, { table: "quotes", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return QuoteRepository.of({ find, list })
  }))
}
