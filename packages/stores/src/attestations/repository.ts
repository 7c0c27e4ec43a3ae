/** The ends of the chains in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { FIRST } from "./model.ts"

export class AttestationRepository extends Context.Service<AttestationRepository, {
  /** Puts `next`, of the hash that was the end, in its place. Of several at once, each waits for the one before. */
  readonly append: <A extends { readonly entry_hash: string }>(
    account: string,
    at: DateTime.Utc,
    next: (prevHash: string) => A
  ) => Effect.Effect<A>
}>()("@svc/stores/AttestationRepository") {
  static readonly layer = Layer.effect(
    AttestationRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const append = Effect.fnUntraced(
        function*<A extends { readonly entry_hash: string }>(account: string, at: DateTime.Utc, next: (prevHash: string) => A) {
          yield* sql`INSERT INTO attestation_heads (account_id, entry_hash, updated_at)
            VALUES (${account}, ${FIRST}, ${iso(at)}::timestamptz) ON CONFLICT DO NOTHING`
          const [head] = yield* sql<{ readonly entry_hash: string }>`
            SELECT entry_hash FROM attestation_heads WHERE account_id = ${account} FOR UPDATE`
          const entry = next(head?.entry_hash ?? FIRST)
          yield* sql`UPDATE attestation_heads SET entry_hash = ${entry.entry_hash}, updated_at = ${iso(at)}::timestamptz
            WHERE account_id = ${account}`
          return entry
        },
        sql.withTransaction,
        Effect.orDie
      )
      return AttestationRepository.of({ append })
    })
  )
}
