/** Claims and kept answers in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** What a call wants to have for itself. A fleeting one, such as payer, tool and arguments, lapses after ten minutes. */
export interface Claim {
  readonly key: string
  readonly fleeting: boolean
}

/** The call that has it already. */
export interface Taken {
  readonly key: string
  readonly account_id: string
  readonly call_id: string
}

export interface Answer {
  readonly arguments_sha256: string
  readonly body: string
}

/** How long the same call of the same payer is taken for a repetition, and how long its answer is kept. */
export const MINUTES = 10

export class PaidCallRepository extends Context.Service<PaidCallRepository, {
  /** Takes all of them for this call, or none: then says who has the first. */
  readonly claim: (account: string, call: string, claims: ReadonlyArray<Claim>, at: DateTime.Utc) => Effect.Effect<Taken | undefined>
  /** Gives back what a call took that was not paid after all. */
  readonly unclaim: (account: string, call: string) => Effect.Effect<void>
  readonly keep: (account: string, call: string, answer: Answer, at: DateTime.Utc) => Effect.Effect<void>
  readonly answer: (account: string, call: string) => Effect.Effect<Answer | undefined>
}>()("@svc/tools/PaidCallRepository") {
  static readonly layer = Layer.effect(PaidCallRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const taken = Effect.fnUntraced(function*(account: string, call: string, claims: ReadonlyArray<Claim>, at: DateTime.Utc) {
      const rows = claims.map((claim) => ({ ...claim, account_id: account, call_id: call }))
      const mine = yield* sql<{ readonly key: string }>`
        INSERT INTO payment_claims AS c (key, account_id, call_id, claimed_at)
        SELECT r.key, r.account_id, r.call_id, ${iso(at)}::timestamptz
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (key text, fleeting boolean, account_id text, call_id text) ORDER BY r.key
        ON CONFLICT (key) DO UPDATE SET account_id = excluded.account_id, call_id = excluded.call_id, claimed_at = excluded.claimed_at
        WHERE c.key = ANY(${claims.filter(({ fleeting }) => fleeting).map(({ key }) => key)}::text[])
          AND c.claimed_at <= ${iso(DateTime.subtract(at, { minutes: MINUTES }))}::timestamptz
        RETURNING c.key`
      return claims.filter(({ key }) => !mine.some((row) => row.key === key)).map(({ key }) => key)
    })

    const claim = Effect.fnUntraced(function*(account: string, call: string, claims: ReadonlyArray<Claim>, at: DateTime.Utc) {
      const others = yield* sql.withTransaction(Effect.gen(function*() {
        const missed = yield* taken(account, call, claims, at)
        if (missed.length === 0) return undefined
        const [first] = yield* sql<Taken>`SELECT key, account_id, call_id FROM payment_claims WHERE key = ANY(${missed}::text[]) ORDER BY array_position(${missed}::text[], key) LIMIT 1`
        // Of what this statement took nothing stays.
        yield* sql`DELETE FROM payment_claims WHERE account_id = ${account} AND call_id = ${call}`
        return first
      }))
      return others
    }, Effect.orDie)

    return PaidCallRepository.of({
      claim,
      unclaim: (account, call) => Effect.asVoid(Effect.orDie(sql`DELETE FROM payment_claims WHERE account_id = ${account} AND call_id = ${call}`)),
      keep: (account, call, { arguments_sha256, body }, at) => {
        const until = iso(DateTime.add(at, { minutes: MINUTES }))
        return Effect.asVoid(Effect.orDie(sql`
          INSERT INTO paid_answers (account_id, call_id, arguments_sha256, body, kept_until) VALUES (${account}, ${call}, ${arguments_sha256}, ${body}, ${until}::timestamptz)
          ON CONFLICT DO NOTHING`))
      },
      answer: (account, call) =>
        Effect.orDie(Effect.map(sql<Answer>`SELECT arguments_sha256, body FROM paid_answers WHERE account_id = ${account} AND call_id = ${call}`, ([row]) => row))
    })
  }))
}
