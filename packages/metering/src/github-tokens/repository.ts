/** Sealed tokens in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Sealed } from "@svc/platform/encryption/keyring"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decode = Schema.decodeUnknownSync(Sealed)

export class GithubTokenRepository extends Context.Service<GithubTokenRepository>()("@svc/metering/GithubTokenRepository", {
  make: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return {
      put: (account: string, token: Sealed, at: DateTime.Utc) =>
        Effect.orDie(sql`INSERT INTO github_tokens (id, token, updated_at)
          VALUES (${account}, ${JSON.stringify(token)}::jsonb, ${iso(at)}::timestamptz)
          ON CONFLICT (id) DO UPDATE SET token = excluded.token, updated_at = excluded.updated_at`),
      remove: (account: string) => Effect.orDie(sql`DELETE FROM github_tokens WHERE id = ${account}`),
      find: (account: string) =>
        Effect.orDie(Effect.map(
          sql<{ readonly token: unknown }>`SELECT token::jsonb AS token FROM github_tokens WHERE id = ${account}`,
          ([row]) => row === undefined ? undefined : decode(row.token)
        ))
    }
  })
}) {
  static readonly layer = Layer.effect(GithubTokenRepository, GithubTokenRepository.make)
}
