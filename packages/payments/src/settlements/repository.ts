/** Settlements in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Settlement, type SettlementFilter, settlementFilters, settlements } from "./model.ts"

export class SettlementRepository extends Context.Service<
  SettlementRepository,
  Reader<Settlement, SettlementFilter> & {
    /** The settlement of this payment. */
    readonly findByIntent: (account: string, intent: string) => Effect.Effect<Settlement | undefined>
  }
>()("@svc/payments/SettlementRepository") {
  static readonly layer = Layer.effect(
    SettlementRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(settlements, { name: "settlement", prefix: "set", filters: settlementFilters })

      const findByIntent = Effect.fnUntraced(function*(account: string, intent: string) {
        const [row] = yield* sql`SELECT * FROM settlements WHERE merchant_id = ${account} AND payment_intent_id = ${intent}`
        return row === undefined ? undefined : settlements.decode(row)
      }, Effect.orDie)

      return SettlementRepository.of({ ...reader, findByIntent })
    })
  )
}
