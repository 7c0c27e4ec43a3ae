/** An account for the tests of what hangs on one: its row, and the head of its chains. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeId } from "../values/ids.ts"
import { iso, now } from "../values/time.ts"
import { openHead } from "./heads.ts"

/** A new active sandbox account with an empty ledger and no endpoint. */
export const openAccount = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const at = yield* now
  const id = makeId("acct", at.epochMilliseconds)
  yield* sql`INSERT INTO accounts (id, name, status, sandbox, capabilities, restrictions, settings, created_at, updated_at, version)
    VALUES (${id}, 'Acme', 'active', true, '["charges","payouts"]'::jsonb, '[]'::jsonb, '{}'::jsonb, ${iso(at)}::timestamptz, ${
    iso(at)
  }::timestamptz, 1)`
  yield* openHead(id)
  return id
})
