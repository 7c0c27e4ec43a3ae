/** Seals the secrets of addresses that earlier versions stored as text. */
import { Keyring } from "@svc/platform/encryption/keyring"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { bareOf, secretIn } from "./sealed-url.ts"

/** Rows that are sealed together. */
const BATCH = 500

/** Seals the secrets that rows of earlier versions hold as text. It may be stopped and repeated, and run beside servers. */
export const sealAddresses = Effect.fn("sealAddresses")(function*(table: "checkout_sessions" | "portal_sessions") {
  const sql = yield* SqlClient.SqlClient
  const keyring = yield* Keyring
  while (true) {
    const rows = yield* sql<{ readonly account_id: string; readonly id: string; readonly url: string }>`
      SELECT account_id, id, url FROM ${sql(table)} WHERE secret IS NULL ORDER BY id LIMIT ${BATCH}`
    yield* Effect.forEach(rows, ({ account_id, id, url }) =>
      sql`
      UPDATE ${sql(table)} SET url = ${bareOf(url)}, secret = ${JSON.stringify(keyring.seal(secretIn(url), id))}::jsonb
      WHERE account_id = ${account_id} AND id = ${id} AND secret IS NULL`, { discard: true })
    if (rows.length < BATCH) return
  }
}, Effect.retry(Schedule.spaced("10 seconds")))
