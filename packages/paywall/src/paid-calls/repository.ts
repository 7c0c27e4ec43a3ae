/** Claims and kept answers in Postgres. Every method takes the account first, but for claims, which are looked up for whoever pays. */
import { iso } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type CallClaim, type PaidCall, paidCalls, type TakenClaim } from "./model.ts"

/** How long the same call of the same payer is taken for a repetition. */
export const MINUTES = 10

export class PaidCallRepository extends Context.Service<PaidCallRepository, {
  /** Takes all of them for this call, or none: then says who has the first. */
  readonly claim: (
    account: string,
    call: string,
    claims: ReadonlyArray<CallClaim>,
    at: DateTime.Utc
  ) => Effect.Effect<TakenClaim | undefined>
  /** The holder of the first of these claims that is taken. */
  readonly holder: (claims: ReadonlyArray<CallClaim>, at: DateTime.Utc) => Effect.Effect<TakenClaim | undefined>
  /** Gives back what a call took that was not paid after all. */
  readonly unclaim: (account: string, call: string) => Effect.Effect<void>
  /** From now on it counts how long ago the call was: it took its time. */
  readonly renew: (account: string, call: string, at: DateTime.Utc) => Effect.Effect<void>
  readonly find: (account: string, call: string) => Effect.Effect<PaidCall | undefined>
  readonly forget: (account: string, call: string) => Effect.Effect<void>
}>()("@svc/paywall/PaidCallRepository") {
  static readonly layer = Layer.effect(
    PaidCallRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      /** Of a claim `c`. As long as the outcome of its call is open it does not lapse. */
      const lapsed = (claims: ReadonlyArray<CallClaim>, at: DateTime.Utc) =>
        sql`
      c.key = ANY(${claims.filter(({ fleeting }) => fleeting).map(({ key }) => key)}::text[])
      AND c.claimed_at <= ${iso(DateTime.subtract(at, { minutes: MINUTES }))}::timestamptz
      AND NOT EXISTS (SELECT 1 FROM tool_calls t WHERE t.account_id = c.account_id AND t.id = c.call_id AND t.finished_at IS NULL)`

      const taken = Effect.fnUntraced(function*(account: string, call: string, claims: ReadonlyArray<CallClaim>, at: DateTime.Utc) {
        const rows = claims.map(({ key }) => ({ key, account_id: account, call_id: call }))
        const mine = yield* sql<{ readonly key: string }>`
        INSERT INTO payment_claims AS c (key, account_id, call_id, claimed_at)
        SELECT r.key, r.account_id, r.call_id, ${iso(at)}::timestamptz
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (key text, account_id text, call_id text) ORDER BY r.key
        ON CONFLICT (key) DO UPDATE SET account_id = excluded.account_id, call_id = excluded.call_id, claimed_at = excluded.claimed_at
        WHERE ${lapsed(claims, at)}
        RETURNING c.key`
        return claims.filter(({ key }) => !mine.some((row) => row.key === key)).map(({ key }) => key)
      })

      const claim = Effect.fnUntraced(function*(account: string, call: string, claims: ReadonlyArray<CallClaim>, at: DateTime.Utc) {
        return yield* sql.withTransaction(Effect.gen(function*() {
          const missed = yield* taken(account, call, claims, at)
          if (missed.length === 0) return undefined
          const [first] = yield* sql<
            TakenClaim
          >`SELECT key, account_id, call_id FROM payment_claims
            WHERE key = ANY(${missed}::text[]) ORDER BY array_position(${missed}::text[], key) LIMIT 1`
          // Every claim that this statement took is given back.
          yield* sql`DELETE FROM payment_claims WHERE account_id = ${account} AND call_id = ${call}`
          return first
        }))
      }, Effect.orDie)

      const holder = Effect.fnUntraced(function*(claims: ReadonlyArray<CallClaim>, at: DateTime.Utc) {
        const keys = claims.map(({ key }) => key)
        const [first] = yield* sql<TakenClaim>`
        SELECT c.key, c.account_id, c.call_id FROM payment_claims c WHERE c.key = ANY(${keys}::text[]) AND NOT (${lapsed(claims, at)})
        ORDER BY array_position(${keys}::text[], c.key) LIMIT 1`
        return first
      }, Effect.orDie)

      return PaidCallRepository.of({
        claim,
        holder,
        unclaim: (account, call) =>
          Effect.asVoid(Effect.orDie(sql`DELETE FROM payment_claims WHERE account_id = ${account} AND call_id = ${call}`)),
        renew: (account, call, at) =>
          Effect.asVoid(
            Effect.orDie(
              sql`UPDATE payment_claims SET claimed_at = ${iso(at)}::timestamptz WHERE account_id = ${account} AND call_id = ${call}`
            )
          ),
        find: (account, call) =>
          Effect.orDie(
            Effect.map(sql`SELECT * FROM paid_calls WHERE account_id = ${account} AND id = ${call}`, ([row]) =>
              row === undefined ? undefined : paidCalls.decode(row))
          ),
        forget: (account, call) => Effect.asVoid(Effect.orDie(sql`DELETE FROM paid_calls WHERE account_id = ${account} AND id = ${call}`))
      })
    })
  )
}
