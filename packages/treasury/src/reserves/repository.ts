/** Reserves in Postgres. Every method but one takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Reserve, type ReserveFilter, ReserveId } from "./model.ts"

const isReserveId = Schema.is(ReserveId)

export class ReserveRepository extends Context.Service<ReserveRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Reserve | undefined>
  /** For the operator, who names it alone. */
  readonly findAnybodys: (id: string) => Effect.Effect<Reserve | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: ReserveFilter, page: PageRequest) => Effect.Effect<Page<Reserve>>
}>()("@svc/treasury/ReserveRepository") {
  static readonly layer = Layer.effect(ReserveRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      if (!isReserveId(id)) return undefined
      const [row] = yield* sql`SELECT * FROM reserves WHERE merchant_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAnybodys = Effect.fnUntraced(function*(id: string) {
      if (!isReserveId(id)) return undefined
      const [row] = yield* sql`SELECT * FROM reserves WHERE id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, { currency, status }: ReserveFilter, page: PageRequest) => {
      const where = [
        sql`merchant_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(currency === undefined ? [] : [sql`currency = ${currency}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "reserves", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return ReserveRepository.of({ find, findAnybodys, list })
  }))
}
