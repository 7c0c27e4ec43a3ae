/**
 * Idempotency keys of requests that do not write them in a commit of their own: claimed before the request runs, and given its answer
 * after.
 */
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { StoredReply } from "../road/decision.ts"
import { realNow } from "../values/time.ts"
import { type Keyed, LEASE_SECONDS } from "./idempotency.ts"

/** Reads and writes the rows of such keys, in the table of all idempotency keys. */
export const claimedKeys = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Whether the key is this request's from now on, and of nobody else. */
  claim: Effect.fnUntraced(function*(account: string, { fingerprint, key, operation }: Keyed, resource_id: string) {
    const at = yield* realNow
    const rows = yield* sql`
      INSERT INTO idempotency_keys (key, account_id, operation, fingerprint, resource_type, resource_id, status, lease_until, first_seen_at)
      VALUES (${key}, ${account}, ${operation}, ${fingerprint}, ${
      operation.slice(0, operation.indexOf("."))
    }, ${resource_id}, 'in_progress',
        ${DateTime.formatIso(DateTime.add(at, { seconds: LEASE_SECONDS }))}::timestamptz, ${DateTime.formatIso(at)}::timestamptz)
      ON CONFLICT (key) DO NOTHING RETURNING 1 AS one`
    return rows.length > 0
  }, Effect.orDie),
  /**
   * Writes the answer, and the fingerprint, to which an upload adds its bytes. `made`: the id of what the request made, where the answer
   * has one.
   */
  finish: ({ fingerprint, key }: Keyed, { body, status }: StoredReply, made: string | null) =>
    Effect.asVoid(Effect.orDie(sql`
      UPDATE idempotency_keys SET status = 'done', fingerprint = ${fingerprint}, response_status = ${status}, response_body = ${body}, lease_until = NULL,
        resource_id = coalesce(${made}::text, resource_id)
      WHERE key = ${key} AND status = 'in_progress'`)),
  /** Gives the key back: the request was refused, and a refusal consumes no key. */
  release: ({ key }: Keyed) => Effect.asVoid(Effect.orDie(sql`DELETE FROM idempotency_keys WHERE key = ${key} AND status = 'in_progress'`)),
  /** Nobody knows what the request did: whoever repeats it hears so at once. */
  breakOff: ({ key }: Keyed) =>
    Effect.asVoid(Effect.orDie(sql`UPDATE idempotency_keys SET lease_until = NULL WHERE key = ${key} AND status = 'in_progress'`))
}))
