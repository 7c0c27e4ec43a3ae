/** Reserves in Postgres. Methods of merchants take the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Reserve, type ReserveFilter, reserveFilters, reserves } from "./model.ts"

export class ReserveRepository extends Context.Service<
  ReserveRepository,
  Reader<Reserve, ReserveFilter> & {
    /** For the operator, who names it alone. */
    readonly findAnybodys: (id: string) => Effect.Effect<Reserve | undefined>
    /** Those of all accounts, newest first. */
    readonly listEverybodys: (filter: ReserveFilter, page: PageRequest) => Effect.Effect<Page<Reserve>>
  }
>()("@svc/treasury/ReserveRepository") {
  static readonly layer = Layer.effect(
    ReserveRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(reserves, { name: "reserve", prefix: "rsv", filters: reserveFilters })

      const findAnybodys = Effect.fnUntraced(function*(id: string) {
        if (!reserves.isId(id)) return undefined
        const [row] = yield* sql`SELECT * FROM reserves WHERE id = ${id}`
        return row === undefined ? undefined : reserves.decode(row)
      }, Effect.orDie)

      const listEverybodys = Effect.fnUntraced(function*({ currency, status }: ReserveFilter, page: PageRequest) {
        const where = [
          sql`true`,
          ...(status === undefined ? [] : [sql`status = ${status}`]),
          ...(currency === undefined ? [] : [sql`currency = ${currency}`])
        ]
        return mapPage(yield* listPage(sql, { table: "reserves", where }, page), reserves.decode)
      }, Effect.orDie)

      return ReserveRepository.of({ ...reader, findAnybodys, listEverybodys })
    })
  )
}
