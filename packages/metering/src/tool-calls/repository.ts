/** Calls and credits in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { windowAt } from "@svc/kernel/road/counters"
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { greater, plans, type SoldPlan, type Tier } from "../plans/model.ts"
import { ALLOWANCE, type CreditBalance, type ToolCall, toolCalls } from "./model.ts"

/** What was used of the month's allowance, each grant that has not expired with what was used of it, and each plan that runs. */
const PURSE = `
  SELECT NULL AS id, NULL::bigint AS of, (SELECT c.spent + c.reserved FROM counters c
    WHERE c.account_id = $1 AND c.name = 'credits' AND c.key = '${ALLOWANCE}' AND c.period = 'month'
      AND c.window_start = $3::timestamptz) AS used,
    NULL::timestamptz AS expires_at, NULL AS source, NULL AS pays_for, NULL AS plan
  UNION ALL
  SELECT g.id, g.cents, c.spent + c.reserved, g.expires_at, g.source, g.pays_for, NULL
  FROM credit_grants g LEFT JOIN counters c ON c.account_id = g.account_id AND c.name = 'credits' AND c.key = g.id AND c.period = 'life'
  WHERE g.account_id = $1 AND (g.expires_at IS NULL OR g.expires_at > $2::timestamptz) AND g.cents > coalesce(c.spent + c.reserved, 0)
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, p.plan FROM account_plans p
    WHERE p.account_id = $1 AND (p.ends_at IS NULL OR p.ends_at > $2::timestamptz)`

interface CreditBalanceRow {
  readonly id: string | null
  readonly of: number | null
  readonly used: number | null
  readonly expires_at: string | null
  readonly source: CreditBalance["grants"][number]["source"] | null
  readonly pays_for: string | null
  readonly plan: SoldPlan | null
}

/** What never expires comes last. */
const byExpiry = (one: CreditBalanceRow, other: CreditBalanceRow): number =>
  (one.expires_at ?? "9").localeCompare(other.expires_at ?? "9") || (one.id ?? "").localeCompare(other.id ?? "")

export class ToolCallRepository extends Context.Service<ToolCallRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<ToolCall | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<ToolCall>>
  /** What of credits is left at a moment, of an account that is on this tier or on the plan it bought, whichever is greater. */
  readonly creditBalance: (account: string, tier: Tier, at: DateTime.Utc) => Effect.Effect<CreditBalance>
  /** Adds to the counts of free calls; an empty account stands for callers without one. */
  readonly addFree: (
    counts: ReadonlyArray<{ readonly account_id: string; readonly tool: string; readonly minute: string; readonly calls: number }>
  ) => Effect.Effect<void>
}>()("@svc/metering/ToolCallRepository") {
  static readonly layer = Layer.effect(
    ToolCallRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* KeyReader

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        const [row] = yield* reader.unsafe("SELECT * FROM tool_calls WHERE account_id = $1 AND id = $2", [account, id])
        return row === undefined ? undefined : toolCalls.decode(row)
      }, Effect.orDie)

      const creditBalance = Effect.fnUntraced(
        function*(account: string, tier: Tier, at: DateTime.Utc): Effect.fn.Return<CreditBalance, SqlError.SqlError> {
          const rows = yield* reader.unsafe<CreditBalanceRow>(PURSE, [account, iso(at), iso(windowAt("month", at).start)])
          const held = rows.reduce<Tier>((greatest, { plan }) => plan === null ? greatest : greater(greatest, plan), tier)
          // What a plan gives each month is a grant.
          const of = held === tier ? plans[tier].allowance : 0
          const used = rows.find(({ id, plan }) => id === null && plan === null)?.used ?? 0
          const grants = rows.filter(({ id }) => id !== null).sort(byExpiry)
          return {
            tier: held,
            allowance: { left: Math.max(0, of - used), of },
            grants: grants.map(({ expires_at, id, of: cents, pays_for, source, used: taken }) => ({
              id: id ?? "",
              of: cents ?? 0,
              left: (cents ?? 0) - (taken ?? 0),
              source: source ?? "operator",
              pays_for,
              expires_at
            }))
          }
        },
        Effect.orDie
      )

      return ToolCallRepository.of({
        find,
        list: (account, page) =>
          Effect.orDie(
            Effect.map(listPage(sql, { table: "tool_calls", where: [sql`account_id = ${account}`] }, page), (rows) =>
              mapPage(rows, toolCalls.decode))
          ),
        creditBalance,
        addFree: (counts) =>
          counts.length === 0 ? Effect.void : Effect.asVoid(Effect.orDie(sql`
          INSERT INTO free_tool_calls SELECT r.* FROM jsonb_populate_recordset(NULL::free_tool_calls, ${JSON.stringify(counts)}::jsonb) r
          ON CONFLICT (account_id, tool, minute) DO UPDATE SET calls = free_tool_calls.calls + excluded.calls`))
      })
    })
  )
}
