/** Settlements in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow } from "./model.ts"
import type { Settlement, SettlementFilter } from "./model.ts"

export class SettlementRepository extends Context.Service<SettlementRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Settlement | undefined>
  /** The one of this payment. */
  readonly findByIntent: (account: string, intent: string) => Effect.Effect<Settlement | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: SettlementFilter, page: PageRequest) => Effect.Effect<Page<Settlement>>
}>()("@svc/payments/SettlementRepository") {
  static readonly layer = Layer.effect(SettlementRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const conditions = (account: string, filter: SettlementFilter) => {
      const { "created_at[gte]": from, "created_at[lt]": before } = filter
      return [
        sql`merchant_id = ${account}`,
        ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
        ...(filter.payment_intent_id === undefined ? [] : [sql`payment_intent_id = ${filter.payment_intent_id}`]),
        ...(filter.currency === undefined ? [] : [sql`currency = ${filter.currency}`]),
        // An id begins with its creation time, so a time range is a range of the primary key.
        ...(from === undefined ? [] : [sql`id >= ${ulidFloor("set", from.epochMilliseconds)}`]),
        ...(before === undefined ? [] : [sql`id < ${ulidFloor("set", before.epochMilliseconds)}`])
      ]
    }

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM settlements WHERE merchant_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findByIntent = Effect.fnUntraced(function*(account: string, intent: string) {
      const [row] = yield* sql`SELECT * FROM settlements WHERE merchant_id = ${account} AND payment_intent_id = ${intent}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, filter: SettlementFilter, page: PageRequest) =>
      Effect.orDie(Effect.map(listPage(sql, { table: "settlements", where: conditions(account, filter) }, page), (rows) => mapPage(rows, decodeRow)))

    return SettlementRepository.of({ find, findByIntent, list })
  }))
}
