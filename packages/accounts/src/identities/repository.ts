/** Identities in Postgres. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Errand, type ProvenIdentity } from "./model.ts"

const KeptErrand = Schema.Struct({ errand: Errand, nonce: Schema.String, verifier: Schema.String })
/** An errand, and what the provider's answer is verified with. */
export type KeptErrand = typeof KeptErrand.Type

const decodeErrand = Schema.decodeUnknownEffect(KeptErrand)

const decodeUser = Schema.decodeUnknownEffect(Schema.Struct({ user_id: Schema.String }))

type Key = Pick<ProvenIdentity, "issuer" | "subject">

export class IdentityRepository extends Context.Service<IdentityRepository, {
  /** Keeps an errand until its person comes back or it is over, and forgets those that are over. */
  readonly keep: (state_hash: string, kept: KeptErrand, at: DateTime.Utc, expires_at: DateTime.Utc) => Effect.Effect<void>
  /** Takes an errand, once. */
  readonly take: (state_hash: string, at: DateTime.Utc) => Effect.Effect<KeptErrand | undefined>
  readonly userOf: (key: Key) => Effect.Effect<string | undefined>
  /** Links the identity, unless it is linked already; gives the user that it is linked to. */
  readonly link: (key: Key, user_id: string, at: DateTime.Utc) => Effect.Effect<string | undefined>
  readonly isLinked: (user_id: string, issuer: string) => Effect.Effect<boolean>
}>()("@svc/accounts/IdentityRepository") {
  static readonly layer = Layer.effect(
    IdentityRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const userOf = Effect.fnUntraced(function*({ issuer, subject }: Key) {
        const [row] = yield* sql`SELECT user_id FROM identities WHERE issuer = ${issuer} AND subject = ${subject}`
        return row === undefined ? undefined : (yield* decodeUser(row)).user_id
      }, Effect.orDie)
      return IdentityRepository.of({
        keep: Effect.fnUntraced(
          function*(state_hash: string, { errand, nonce, verifier }: KeptErrand, at: DateTime.Utc, expires_at: DateTime.Utc) {
            yield* sql`DELETE FROM identity_errands WHERE expires_at <= ${iso(at)}::timestamptz`
            yield* sql`INSERT INTO identity_errands (state_hash, errand, nonce, verifier, expires_at)
              VALUES (${state_hash}, ${JSON.stringify(errand)}::jsonb, ${nonce}, ${verifier}, ${iso(expires_at)}::timestamptz)`
          },
          Effect.orDie
        ),
        take: Effect.fnUntraced(function*(state_hash: string, at: DateTime.Utc) {
          const [row] = yield* sql`DELETE FROM identity_errands
            WHERE state_hash = ${state_hash} AND expires_at > ${iso(at)}::timestamptz RETURNING errand, nonce, verifier`
          return row === undefined ? undefined : yield* decodeErrand(row)
        }, Effect.orDie),
        userOf,
        link: Effect.fnUntraced(function*(key: Key, user_id: string, at: DateTime.Utc) {
          yield* sql`INSERT INTO identities (issuer, subject, user_id, created_at)
            VALUES (${key.issuer}, ${key.subject}, ${user_id}, ${iso(at)}::timestamptz) ON CONFLICT (issuer, subject) DO NOTHING`
          return yield* userOf(key)
        }, Effect.orDie),
        isLinked: (user_id, issuer) =>
          Effect.orDie(Effect.map(
            sql`SELECT 1 FROM identities WHERE user_id = ${user_id} AND issuer = ${issuer} LIMIT 1`,
            (rows) => rows.length === 1
          ))
      })
    })
  )
}
