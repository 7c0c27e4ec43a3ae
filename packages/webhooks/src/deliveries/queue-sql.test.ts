/** What the statements of the queue read, on tables that Postgres knows nothing about yet, as after the first busy minutes. */
import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layer as layerFixture } from "../fixture.ts"
import { DUE_ACCOUNTS } from "./queue-sql.ts"

const ACCOUNTS = 100
const DELIVERIES = 30

/** Deliveries that wait, of accounts that exist for this table alone. */
const INSERT = `INSERT INTO webhook_deliveries
  (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at, created_at, updated_at)
  SELECT 'acct_' || n % ${ACCOUNTS}, 'whd_' || n, 'evt_' || n, n, 'payment_intent.created', 'pi_' || n, 'pending', 0, now(), now(), now()
  FROM generate_series(1, ${ACCOUNTS * DELIVERIES}) n`

interface Explained {
  readonly "QUERY PLAN": ReadonlyArray<
    { readonly Plan: { readonly "Actual Rows": number; readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number } }
  >
}

layer(layerFixture(layerDatabase))("the search for accounts with due deliveries", (it) => {
  it.effect("reads as many pages for each account, however many deliveries wait", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [explained] = yield* sql.withTransaction(Effect.gen(function*() {
        // The settings of the workers' connections.
        for (const join of ["seqscan", "hashjoin", "mergejoin"]) yield* sql.unsafe(`SET LOCAL enable_${join} = off`)
        yield* sql.unsafe(INSERT)
        return yield* sql.unsafe<Explained>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${DUE_ACCOUNTS.replaceAll("$1", "now()")}`)
      }))
      const plan = explained?.["QUERY PLAN"][0]?.Plan
      if (plan === undefined) return assert.fail("Postgres explained nothing")
      assert.strictEqual(plan["Actual Rows"], ACCOUNTS)
      // A few for the account after it, and a few for its first delivery.
      assert.isBelow((plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]) / ACCOUNTS, 20)
    }))
})
