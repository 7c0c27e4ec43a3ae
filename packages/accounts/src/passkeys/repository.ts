/** Passkeys and challenges in Postgres. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Passkey, PasskeyId } from "./model.ts"

/** A passkey as answers are verified against it. */
export const StoredPasskey = Schema.Struct({
  id: PasskeyId,
  user_id: Schema.String,
  credential_id: Schema.String,
  user_handle: Schema.String,
  public_key: Schema.String,
  counter: Schema.Int,
  transports: Schema.Array(Schema.String)
})
export type StoredPasskey = typeof StoredPasskey.Type

/** What was asked of a browser, and what for. */
export const Challenge = Schema.Struct({
  challenge: Schema.String,
  purpose: Schema.String,
  user_handle: Schema.NullOr(Schema.String)
})
export type Challenge = typeof Challenge.Type

export interface NewPasskey extends StoredPasskey {
  readonly name: string
  readonly at: DateTime.Utc
}

const decodeStored = Schema.decodeUnknownEffect(StoredPasskey)
const decodeChallenge = Schema.decodeUnknownEffect(Challenge)
const decodePasskeys = Schema.decodeUnknownEffect(Schema.Array(Passkey))

export class PasskeyRepository extends Context.Service<PasskeyRepository, {
  /** Keeps a challenge until it is answered or over, and forgets those that are over. */
  readonly ask: (challenge: Challenge, at: DateTime.Utc, expires_at: DateTime.Utc) => Effect.Effect<void>
  /** Takes a challenge for this purpose, once. */
  readonly take: (challenge: string, purpose: string, at: DateTime.Utc) => Effect.Effect<Challenge | undefined>
  /** False where the credential is somebody's already. */
  readonly insert: (passkey: NewPasskey) => Effect.Effect<boolean>
  readonly byCredential: (credential_id: string) => Effect.Effect<StoredPasskey | undefined>
  readonly ofUser: (user_id: string) => Effect.Effect<ReadonlyArray<StoredPasskey>>
  readonly list: (user_id: string) => Effect.Effect<ReadonlyArray<Passkey>>
  /** Notes a use. False where another use came between: then `before` is not its counter any more. */
  readonly used: (
    id: PasskeyId,
    counter: { readonly before: number; readonly after: number },
    at: DateTime.Utc
  ) => Effect.Effect<boolean>
  readonly rename: (user_id: string, id: string, name: string) => Effect.Effect<boolean>
  /** Holds the row of the user until the transaction ends, and counts how many ways in there are besides this passkey. */
  readonly otherWaysIn: (user_id: string, id: string, issuer: string | null) => Effect.Effect<number>
  readonly remove: (user_id: string, id: string) => Effect.Effect<boolean>
}>()("@svc/accounts/PasskeyRepository") {
  static readonly layer = Layer.effect(
    PasskeyRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal("id, user_id, credential_id, user_handle, public_key, counter, transports")
      const isOne = (rows: ReadonlyArray<unknown>): boolean => rows.length === 1

      return PasskeyRepository.of({
        ask: Effect.fnUntraced(function*({ challenge, purpose, user_handle }: Challenge, at: DateTime.Utc, expires_at: DateTime.Utc) {
          yield* sql`DELETE FROM passkey_challenges WHERE expires_at <= ${iso(at)}::timestamptz`
          yield* sql`INSERT INTO passkey_challenges (challenge, purpose, user_handle, expires_at)
            VALUES (${challenge}, ${purpose}, ${user_handle}, ${iso(expires_at)}::timestamptz)`
        }, Effect.orDie),
        take: Effect.fnUntraced(function*(challenge: string, purpose: string, at: DateTime.Utc) {
          const [row] = yield* sql`DELETE FROM passkey_challenges
            WHERE challenge = ${challenge} AND purpose = ${purpose} AND expires_at > ${iso(at)}::timestamptz
            RETURNING challenge, purpose, user_handle`
          return row === undefined ? undefined : yield* decodeChallenge(row)
        }, Effect.orDie),
        insert: ({ at, counter, credential_id, id, name, public_key, transports, user_handle, user_id }) =>
          Effect.orDie(Effect.map(
            sql`INSERT INTO passkeys
                (id, user_id, credential_id, user_handle, public_key, counter, transports, name, created_at, last_used_at)
              VALUES (${id}, ${user_id}, ${credential_id}, ${user_handle}, ${public_key}, ${counter}, ${JSON.stringify(transports)}::jsonb,
                ${name}, ${iso(at)}::timestamptz, NULL)
              ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
            isOne
          )),
        byCredential: Effect.fnUntraced(function*(credential_id: string) {
          const [row] = yield* sql`SELECT ${columns} FROM passkeys WHERE credential_id = ${credential_id}`
          return row === undefined ? undefined : yield* decodeStored(row)
        }, Effect.orDie),
        ofUser: (user_id) =>
          Effect.orDie(Effect.flatMap(
            sql`SELECT ${columns} FROM passkeys WHERE user_id = ${user_id} ORDER BY id`,
            (rows) => Effect.forEach(rows, (row) => decodeStored(row))
          )),
        list: (user_id) =>
          Effect.orDie(Effect.flatMap(
            sql`SELECT id, name, created_at, last_used_at FROM passkeys WHERE user_id = ${user_id} ORDER BY id`,
            (rows) => decodePasskeys(rows)
          )),
        used: (id, { after, before }, at) =>
          Effect.orDie(Effect.map(
            sql`UPDATE passkeys SET counter = ${after}, last_used_at = ${iso(at)}::timestamptz
              WHERE id = ${id} AND counter = ${before} RETURNING id`,
            isOne
          )),
        rename: (user_id, id, name) =>
          Effect.orDie(Effect.map(sql`UPDATE passkeys SET name = ${name} WHERE user_id = ${user_id} AND id = ${id} RETURNING id`, isOne)),
        otherWaysIn: Effect.fnUntraced(function*(user_id: string, id: string, issuer: string | null) {
          yield* sql`SELECT id FROM users WHERE id = ${user_id} FOR UPDATE`
          const rows = yield* sql`SELECT 1 FROM passkeys WHERE user_id = ${user_id} AND id <> ${id}
            UNION ALL SELECT 1 FROM identities WHERE user_id = ${user_id} AND issuer = ${issuer}`
          return rows.length
        }, Effect.orDie),
        remove: (user_id, id) =>
          Effect.orDie(Effect.map(sql`DELETE FROM passkeys WHERE user_id = ${user_id} AND id = ${id} RETURNING id`, isOne))
      })
    })
  )
}
