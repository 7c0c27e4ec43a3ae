/** Write-offs in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type WriteOff, type WriteOffFilter, writeOffFilters, writeOffs } from "./model.ts"

export class WriteOffRepository extends Context.Service<
  WriteOffRepository,
  Reader<WriteOff, WriteOffFilter> & {
    /** How many there are of a currency. */
    readonly count: (account: string, currency: string) => Effect.Effect<number>
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

      return WriteOffRepository.of({ ...reader, count })
    })
  )
}
