/** What the ledger's table itself takes, row by row, past the commit road. */
import type { Entry } from "@svc/kernel/road/decision"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { chainOf } from "../fixture.ts"

const JUDGE = `CREATE OR REPLACE FUNCTION svc_test_refused(entries jsonb) RETURNS SETOF integer LANGUAGE plpgsql AS $$
  BEGIN
    FOR n IN 0 .. jsonb_array_length(entries) - 1 LOOP
      BEGIN
        INSERT INTO public.financial_events SELECT r.* FROM jsonb_populate_record(NULL::public.financial_events, entries -> n) r;
      EXCEPTION WHEN check_violation THEN
        RETURN NEXT n;
      END;
    END LOOP;
  END $$`

let accounts = 0

/** The places of the entries that the table's CHECK refuses. One statement; the others are rows of a new account then. */
export const refusedByDatabase = Effect.fnUntraced(function*(entries: ReadonlyArray<Entry>) {
  const sql = yield* SqlClient.SqlClient
  const merchant_id = `acct_judged_${++accounts}`
  const rows = chainOf(entries).map((row) => ({ ...row, merchant_id, ordinal: row.sequence_id, reconciliation_status: "pending" }))
  const refused = yield* sql<{ readonly n: number }>`SELECT n FROM public.svc_test_refused(${JSON.stringify(rows)}::jsonb) n`
  return refused.map(({ n }) => n)
})

/** Before the first use in a database. */
export const prepareJudge = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(JUDGE).unprepared)
