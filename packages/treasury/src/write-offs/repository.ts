/** Write-offs in Postgres. Methods of merchants take the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type WriteOff, type WriteOffFilter, writeOffFilters, writeOffs } from "./model.ts"

export class WriteOffRepository extends Context.Service<
  WriteOffRepository,
  Reader<WriteOff, WriteOffFilter> & {
    /** How many there are of a currency. */
    readonly count: (account: string, currency: string) => Effect.Effect<number>
    /** For the operator, who names it alone. */
    readonly findAnybodys: (id: string) => Effect.Effect<WriteOff | undefined>
    /** Those of all accounts, newest first. */
    readonly listEverybodys: (filter: WriteOffFilter, page: PageRequest) => Effect.Effect<Page<WriteOff>>
  }
>()("@svc/treasury/WriteOffRepository") {
  static readonly layer = Layer.effect(
    WriteOffRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(writeOffs, { name: "write-off", prefix: "wo", filters: writeOffFilters })

      const count = Effect.fnUntraced(function*(account: string, currency: string) {
        const [row] = yield* sql<
          { readonly n: number }
        >`SELECT count(*) AS n FROM write_offs WHERE merchant_id = ${account} AND currency = ${currency}`
        return row?.n ?? 0
      }, Effect.orDie)

      const findAnybodys = Effect.fnUntraced(function*(id: string) {
        if (!writeOffs.isId(id)) return undefined
        const [row] = yield* sql`SELECT * FROM write_offs WHERE id = ${id}`
        return row === undefined ? undefined : writeOffs.decode(row)
      }, Effect.orDie)

      const listEverybodys = Effect.fnUntraced(function*({ currency }: WriteOffFilter, page: PageRequest) {
        const where = [sql`true`, ...(currency === undefined ? [] : [sql`currency = ${currency}`])]
        return mapPage(yield* listPage(sql, { table: "write_offs", where }, page), writeOffs.decode)
      }, Effect.orDie)

      return WriteOffRepository.of({ ...reader, count, findAnybodys, listEverybodys })
    })
  )
}
