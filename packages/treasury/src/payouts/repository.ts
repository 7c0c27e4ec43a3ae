/** Payouts in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Payout, type PayoutFilter } from "./model.ts"

export class PayoutRepository extends Context.Service<PayoutRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Payout | undefined>
  /** How many are on their way. */
  readonly inFlight: (account: string) => Effect.Effect<number>
  /** Newest first. */
  readonly list: (account: string, filter: PayoutFilter, page: PageRequest) => Effect.Effect<Page<Payout>>
}>()("@svc/treasury/PayoutRepository") {
  static readonly layer = Layer.effect(PayoutRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM payouts WHERE merchant_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const inFlight = (account: string) =>
      Effect.orDie(Effect.map(
        sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM payouts WHERE merchant_id = ${account} AND status IN ('pending', 'processing')`,
        ([row]) => row?.n ?? 0
      ))

    const list = (account: string, filter: PayoutFilter, page: PageRequest) => {
      const { "created_at[gte]": since, "created_at[lt]": until, currency, destination_id, status } = filter
      const where = [
        sql`merchant_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
        ...(destination_id === undefined ? [] : [sql`destination_id = ${destination_id}`]),
        // An id begins with its creation time, so a time range is a range of the primary key.
        ...(since === undefined ? [] : [sql`id >= ${ulidFloor("po", since.epochMilliseconds)}`]),
        ...(until === undefined ? [] : [sql`id < ${ulidFloor("po", until.epochMilliseconds)}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "payouts", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return PayoutRepository.of({ find, inFlight, list })
  }))
}
