/** Sums over calls in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export interface ToolSum {
  readonly tool: string
  readonly calls: number
  readonly charged_cents: number
  readonly free_calls: number
}

export class UsageRepository extends Context.Service<UsageRepository, {
  /** By tool, the dearest first. */
  readonly sums: (account: string, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<ToolSum>>
}>()("@svc/paywall/UsageRepository") {
  static readonly layer = Layer.effect(
    UsageRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return UsageRepository.of({
        sums: (account, since) =>
          Effect.orDie(sql<ToolSum>`
          SELECT tool, sum(calls)::bigint AS calls, sum(charged_cents)::bigint AS charged_cents, sum(free_calls)::bigint AS free_calls
            FROM (
            SELECT tool, count(*) AS calls, sum(price) AS charged_cents, 0 AS free_calls FROM tool_calls
            WHERE account_id = ${account} AND state = 'settled' AND created_at >= ${iso(since)}::timestamptz GROUP BY tool
            UNION ALL
            SELECT tool, 0, 0, sum(calls) FROM free_tool_calls WHERE account_id = ${account} AND minute >= ${
            iso(since)
          }::timestamptz GROUP BY tool
          ) used GROUP BY tool ORDER BY charged_cents DESC, tool`)
      })
    })
  )
}
