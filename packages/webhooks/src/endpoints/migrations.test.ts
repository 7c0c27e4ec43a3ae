import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "./migrations.ts"

layer(Database.layer.pipe(Layer.provideMerge(layerDatabase)))("the migration of webhook secrets", (it) => {
  it.effect("keeps the secret before the last rotation, with its end", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const after = yield* sql.withTransaction(Effect.gen(function*() {
        // The table as it was, in a schema that is looked at first.
        yield* sql`CREATE SCHEMA before`
        yield* sql`SET LOCAL search_path TO before`
        yield* sql`SET LOCAL timezone TO 'Asia/Kolkata'`
        yield* sql`CREATE TABLE webhook_endpoints (account_id text PRIMARY KEY, secret text NOT NULL, previous_secret text, previous_secret_expires_at timestamptz)`
        yield* sql`INSERT INTO webhook_endpoints VALUES ('acct_1', 'whsec_2', 'whsec_1', '2026-01-02T03:04:05.067Z'), ('acct_2', 'whsec_1', NULL, NULL)`
        yield* migrations["26112103_webhook_secrets"] ?? Effect.die("there is no such migration")
        return yield* sql`SELECT * FROM webhook_endpoints ORDER BY account_id`
      }))
      assert.deepStrictEqual(after, [
        { account_id: "acct_1", secret: "whsec_2", previous_secrets: [{ secret: "whsec_1", expires_at: "2026-01-02T03:04:05.067Z" }] },
        { account_id: "acct_2", secret: "whsec_1", previous_secrets: [] }
      ])
    }))
})
