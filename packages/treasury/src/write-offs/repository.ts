/** Write-offs in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type WriteOff, WriteOffId } from "./model.ts"

const isWriteOffId = Schema.is(WriteOffId)

export class WriteOffRepository extends Context.Service<WriteOffRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<WriteOff | undefined>
  /** How many there are of a currency. */
  readonly count: (account: string, currency: string) => Effect.Effect<number>
  /** Newest first, of one currency or of all. */
  readonly list: (account: string, currency: string | undefined, page: PageRequest) => Effect.Effect<Page<WriteOff>>
}>()("@svc/treasury/WriteOffRepository") {
  static readonly layer = Layer.effect(WriteOffRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      if (!isWriteOffId(id)) return undefined
      const [row] = yield* sql`SELECT * FROM write_offs WHERE merchant_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const count = Effect.fnUntraced(function*(account: string, currency: string) {
      const [row] = yield* sql<{ readonly n: number }>`SELECT count(*) AS n FROM write_offs WHERE merchant_id = ${account} AND currency = ${currency}`
      return row?.n ?? 0
    }, Effect.orDie)

    const list = (account: string, currency: string | undefined, page: PageRequest) => {
      const where = [sql`merchant_id = ${account}`, ...(currency === undefined ? [] : [sql`currency = ${currency}`])]
      return Effect.orDie(Effect.map(listPage(sql, { table: "write_offs", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return WriteOffRepository.of({ find, count, list })
  }))
}
