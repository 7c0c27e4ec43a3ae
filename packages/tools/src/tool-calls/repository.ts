/** Calls and credits in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { windowAt } from "@svc/kernel/road/counters"
import { iso } from "@svc/kernel/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Cents } from "../call.ts"
import { ALLOWANCE, decodeRow, type Purse, type ToolCall } from "./model.ts"

/** What was used of the month's allowance, and each grant that has not expired with what was used of it; what expires first comes first. */
const PURSE = `
  SELECT NULL AS id, NULL::bigint AS of, (SELECT c.spent + c.reserved FROM counters c
    WHERE c.account_id = $1 AND c.name = 'credits' AND c.key = '${ALLOWANCE}' AND c.period = 'month' AND c.window_start = $3::timestamptz) AS used, NULL::timestamptz AS expires_at
  UNION ALL
  SELECT g.id, g.cents, c.spent + c.reserved, g.expires_at
  FROM credit_grants g LEFT JOIN counters c ON c.account_id = g.account_id AND c.name = 'credits' AND c.key = g.id AND c.period = 'life'
  WHERE g.account_id = $1 AND (g.expires_at IS NULL OR g.expires_at > $2::timestamptz) AND g.cents > coalesce(c.spent + c.reserved, 0)`

interface PurseRow {
  readonly id: string | null
  readonly of: number | null
  readonly used: number | null
  readonly expires_at: string | null
}

/** What never expires comes last. */
const byExpiry = (one: PurseRow, other: PurseRow): number => (one.expires_at ?? "9").localeCompare(other.expires_at ?? "9") || (one.id ?? "").localeCompare(other.id ?? "")

export class ToolCallRepository extends Context.Service<ToolCallRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<ToolCall | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<ToolCall>>
  /** What of credits is left at a moment, with this allowance a month. */
  readonly purse: (account: string, allowance: Cents, at: DateTime.Utc) => Effect.Effect<Purse>
  /** Adds to the counts of free calls; an empty account stands for callers without one. */
  readonly addFree: (counts: ReadonlyArray<{ readonly account_id: string; readonly tool: string; readonly minute: string; readonly calls: number }>) => Effect.Effect<void>
}>()("@svc/tools/ToolCallRepository") {
  static readonly layer = Layer.effect(ToolCallRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM tool_calls WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const purse = Effect.fnUntraced(function*(account: string, allowance: Cents, at: DateTime.Utc) {
      const rows = yield* reader.unsafe<PurseRow>(PURSE, [account, iso(at), iso(windowAt("month", at).start)])
      const used = rows.find(({ id }) => id === null)?.used ?? 0
      const grants = rows.filter(({ id }) => id !== null).sort(byExpiry)
      return {
        allowance: { left: Math.max(0, allowance - used), of: allowance },
        grants: grants.map(({ id, of, used: taken }) => ({ id: id ?? "", of: of ?? 0, left: (of ?? 0) - (taken ?? 0) }))
      }
    }, Effect.orDie)

    return ToolCallRepository.of({
      find,
      list: (account, page) => Effect.orDie(Effect.map(listPage(sql, { table: "tool_calls", where: [sql`account_id = ${account}`] }, page), (rows) => mapPage(rows, decodeRow))),
      purse,
      addFree: (counts) =>
        counts.length === 0 ? Effect.void : Effect.asVoid(Effect.orDie(sql`
          INSERT INTO free_tool_calls SELECT r.* FROM jsonb_populate_recordset(NULL::free_tool_calls, ${JSON.stringify(counts)}::jsonb) r
          ON CONFLICT (account_id, tool, minute) DO UPDATE SET calls = free_tool_calls.calls + excluded.calls`))
    })
  }))
}
