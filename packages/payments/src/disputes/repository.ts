/** Disputes in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Dispute, type DisputeFilter, disputeFilters, disputes } from "./model.ts"

export class DisputeRepository extends Context.Service<
  DisputeRepository,
  Reader<Dispute, DisputeFilter> & {
    /** The disputes of a payment, newest first. */
    readonly ofPayment: (account: string, intent: string) => Effect.Effect<ReadonlyArray<Dispute>>
    /** How many are not closed. */
    readonly open: (account: string) => Effect.Effect<number>
  }
>()("@svc/payments/DisputeRepository") {
  static readonly layer = Layer.effect(
    DisputeRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(disputes, { name: "dispute", prefix: "dp", filters: disputeFilters })
      const byKey = yield* KeyReader

      const ofPayment = (account: string, intent: string) =>
        Effect.orDie(Effect.map(
          byKey.unsafe("SELECT * FROM disputes WHERE merchant_id = $1 AND payment_intent_id = $2 ORDER BY id DESC", [account, intent]),
          (rows) => rows.map(disputes.decode)
        ))

      const open = (account: string) =>
        Effect.orDie(Effect.map(
          sql<
            { readonly n: number }
          >`SELECT count(*)::int AS n FROM disputes WHERE merchant_id = ${account} AND status IN ('open', 'under_review')`,
          ([row]) => row?.n ?? 0
        ))

      return DisputeRepository.of({ ...reader, ofPayment, open })
    })
  )
}
