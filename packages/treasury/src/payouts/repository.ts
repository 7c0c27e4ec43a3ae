/** Payouts in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { ulidFloor } from "@svc/kernel/values/ids"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BY_HAND, type Payout, type PayoutFilter, payoutFilters, payouts } from "./model.ts"

export class PayoutRepository extends Context.Service<
  PayoutRepository,
  Reader<Payout, PayoutFilter> & {
    /** How many are on their way. */
    readonly inFlight: (account: string) => Effect.Effect<number>
    /** Minor units that were asked for by hand since then, in a currency, and did not come back. */
    readonly askedSince: (account: string, currency: string, since: DateTime.Utc) => Effect.Effect<number>
    /** How many were counted (`nextByHand`). */
    readonly countedByHand: (account: string, currency: string) => Effect.Effect<number>
  }
>()("@svc/treasury/PayoutRepository") {
  static readonly layer = Layer.effect(
    PayoutRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(payouts, { name: "payout", prefix: "po", filters: payoutFilters })

      const inFlight = (account: string) =>
        Effect.orDie(Effect.map(
          sql<
            { readonly n: number }
          >`SELECT count(*)::int AS n FROM payouts WHERE merchant_id = ${account} AND status IN ('pending', 'processing')`,
          ([row]) => row?.n ?? 0
        ))

      const askedSince = (account: string, currency: string, since: DateTime.Utc) =>
        Effect.orDie(Effect.map(
          sql<{ readonly total: number }>`SELECT COALESCE(sum(amount), 0)::bigint AS total FROM payouts
            WHERE merchant_id = ${account} AND id >= ${ulidFloor("po", since.epochMilliseconds)} AND currency = ${currency}
            AND NOT automatic AND status NOT IN ('failed', 'cancelled')`,
          ([row]) => row?.total ?? 0
        ))

      const countedByHand = (account: string, currency: string) =>
        Effect.orDie(Effect.map(
          sql<{ readonly spent: number }>`SELECT spent FROM counters
            WHERE account_id = ${account} AND name = ${BY_HAND} AND key = ${currency} AND period = 'life'`,
          ([row]) => Number(row?.spent ?? 0)
        ))

      return PayoutRepository.of({ ...reader, inFlight, askedSince, countedByHand })
    })
  )
}
