/** Referrals in Postgres. Every method takes the account first, but for the one that finds it by its token. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Referral, referrals } from "./model.ts"

interface Counts {
  readonly joined: number
  readonly paying: number
  readonly earned_cents: number
  /** Whether the account itself came by somebody's token, and how many calls it had free since. */
  readonly referred: boolean
  readonly free_calls: number
}

export class ReferralRepository extends Context.Service<ReferralRepository, {
  /** Writes down the token of an account; nothing when it stands there already. */
  readonly name: (account: string, token: string, at: DateTime.Utc) => Effect.Effect<void>
  readonly accountOf: (token: string) => Effect.Effect<string | undefined>
  /**
   * Whether it was written: an account comes by one token only, the first, and only before it has paid for anything.
   * Simulated money earns none that is real: both are sandboxes, or neither is.
   */
  readonly insert: (account: string, id: string, referred: string, at: DateTime.Utc) => Effect.Effect<boolean>
  /** US cents that the account has paid for single calls when they were made. */
  readonly paid: (account: string) => Effect.Effect<number>
  /** How the account came, if by a token. */
  readonly of: (referred: string) => Effect.Effect<Referral | undefined>
  readonly counts: (account: string) => Effect.Effect<Counts>
}>()("@svc/metering/ReferralRepository") {
  static readonly layer = Layer.effect(
    ReferralRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      return ReferralRepository.of({
        name: (account, token, at) =>
          Effect.asVoid(Effect.orDie(sql`
          INSERT INTO referral_tokens (account_id, token, created_at) VALUES (${account}, ${token}, ${
            iso(at)
          }::timestamptz) ON CONFLICT DO NOTHING`)),
        accountOf: (token) =>
          Effect.orDie(
            Effect.map(sql<{ readonly account_id: string }>`SELECT account_id FROM referral_tokens WHERE token = ${token}`, ([row]) =>
              row?.account_id)
          ),
        insert: (account, id, referred, at) =>
          Effect.orDie(Effect.map(
            sql`
            INSERT INTO referrals (account_id, id, referred_account_id, earned_cents, created_at, updated_at, version)
            SELECT a.id, ${id}, b.id, 0, ${iso(at)}::timestamptz, ${iso(at)}::timestamptz, 1
            FROM accounts a JOIN accounts b ON b.sandbox = a.sandbox
            WHERE a.id = ${account} AND b.id = ${referred}
              AND NOT EXISTS (SELECT FROM tool_calls t
                WHERE t.account_id = ${referred} AND t.paid_by IN ('card', 'stablecoin') AND t.state = 'settled')
            ON CONFLICT (referred_account_id) DO NOTHING RETURNING id`,
            (rows) => rows.length === 1
          )),
        paid: (account) =>
          Effect.orDie(Effect.map(
            sql<{ readonly cents: number }>`
            SELECT coalesce(sum(price), 0)::bigint AS cents FROM tool_calls
              WHERE account_id = ${account} AND paid_by IN ('card', 'stablecoin') AND state = 'settled'`,
            ([row]) => row?.cents ?? 0
          )),
        of: (referred) =>
          Effect.orDie(
            Effect.map(sql`SELECT * FROM referrals WHERE referred_account_id = ${referred}`, ([row]) =>
              row === undefined ? undefined : referrals.decode(row))
          ),
        counts: Effect.fnUntraced(function*(account: string) {
          const [row] = yield* sql<Counts>`
          SELECT count(*)::int AS joined, count(*) FILTER (WHERE earned_cents > 0)::int AS paying,
            coalesce(sum(earned_cents), 0)::bigint AS earned_cents,
            EXISTS (SELECT FROM referrals WHERE referred_account_id = ${account}) AS referred,
            (SELECT count(*)::int FROM tool_calls
              WHERE account_id = ${account} AND paid_by = 'referral' AND state <> 'released') AS free_calls
          FROM referrals WHERE account_id = ${account}`
          return row ?? { joined: 0, paying: 0, earned_cents: 0, referred: false, free_calls: 0 }
        }, Effect.orDie)
      })
    })
  )
}
