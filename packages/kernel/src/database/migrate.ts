/** All migrations, oldest first. The number is a date and a counter (yymmddnn, an int4), so that two branches rarely collide. */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as foundation from "./migrations/26112101_foundation.ts"
import * as payments from "./migrations/26112102_payments.ts"
import * as webhookSecrets from "./migrations/26112103_webhook_secrets.ts"

const run = (statements: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (const statement of statements) yield* sql.unsafe(statement).unprepared
  })

export const migrations = {
  "26112101_foundation": run(foundation.statements),
  "26112102_payments": run(payments.statements),
  "26112103_webhook_secrets": run(webhookSecrets.statements)
}

/** Applies what is missing in one transaction and returns what it applied. Safe when several processes start at once. */
export const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "svc_migrations" })
