/** Conversions in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Conversion, type ConversionFilter, decodeRow } from "./model.ts"

export class ConversionRepository extends Context.Service<ConversionRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Conversion | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: ConversionFilter, page: PageRequest) => Effect.Effect<Page<Conversion>>
}>()("@svc/payments/ConversionRepository") {
  static readonly layer = Layer.effect(ConversionRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* sql`SELECT * FROM conversions WHERE merchant_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, { payment_intent_id, target_currency }: ConversionFilter, page: PageRequest) => {
      const where = [
        sql`merchant_id = ${account}`,
        ...(payment_intent_id === undefined ? [] : [sql`payment_intent_id = ${payment_intent_id}`]),
        ...(target_currency === undefined ? [] : [sql`target_currency = ${target_currency}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "conversions", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return ConversionRepository.of({ find, list })
  }))
}
