/** Endpoints in Postgres, one row an account. */
import { withActor } from "@svc/kernel/parts/actor"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookEndpoint } from "./model.ts"

const decode = Schema.decodeUnknownEffect(WebhookEndpoint)
const encodeRow = Schema.encodeSync(WebhookEndpoint)

/** An account shows where its webhooks go. */
export const accountColumns = Effect.map(SqlClient.SqlClient, (sql) => [
  { column: "webhook_url", value: sql`(SELECT e.url FROM webhook_endpoints e WHERE e.account_id = accounts.id)` } as const
])

export class EndpointRepository extends Context.Service<EndpointRepository, {
  readonly find: (account: string) => Effect.Effect<WebhookEndpoint | undefined>
  /** False when the account has an endpoint already. */
  readonly insert: (account: string, endpoint: WebhookEndpoint) => Effect.Effect<boolean>
  /** Writes version n over version n - 1. False when that is no longer the current version. */
  readonly replace: (account: string, endpoint: WebhookEndpoint) => Effect.Effect<boolean>
  /** False when there was none, or none of this version. */
  readonly remove: (account: string, version?: number) => Effect.Effect<boolean>
}>()("@svc/webhooks/EndpointRepository") {
  static readonly layer = Layer.effect(
    EndpointRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const within = withActor(sql)
      const row = (endpoint: WebhookEndpoint) =>
        sql`jsonb_populate_record(NULL::webhook_endpoints, ${JSON.stringify(encodeRow(endpoint))}::jsonb) r`
      const any = (rows: ReadonlyArray<unknown>) => rows.length > 0

      const find = Effect.fnUntraced(function*(account: string) {
        const [found] = yield* sql`SELECT * FROM webhook_endpoints WHERE account_id = ${account}`
        return found === undefined ? undefined : yield* decode(found)
      }, Effect.orDie)

      return EndpointRepository.of({
        find,
        insert: (account, endpoint) =>
          Effect.orDie(Effect.map(
            within(sql`INSERT INTO webhook_endpoints SELECT r.* FROM ${row(endpoint)} WHERE r.account_id = ${account}
            ON CONFLICT (account_id) DO NOTHING RETURNING account_id`),
            any
          )),
        replace: (account, endpoint) =>
          Effect.orDie(Effect.map(
            within(
              sql`UPDATE webhook_endpoints e
                SET url = r.url, schedule = r.schedule, secret = r.secret, previous_secrets = r.previous_secrets,
              updated_at = r.updated_at, version = r.version
            FROM ${row(endpoint)}
            WHERE e.account_id = ${account} AND e.account_id = r.account_id AND e.version = r.version - 1
            RETURNING e.account_id`
            ),
            any
          )),
        remove: (account, version) =>
          Effect.orDie(Effect.map(
            within(
              sql`DELETE FROM webhook_endpoints WHERE account_id = ${account} AND version = COALESCE(${
                version ?? null
              }::bigint, version) RETURNING account_id`
            ),
            any
          ))
      })
    })
  )
}
