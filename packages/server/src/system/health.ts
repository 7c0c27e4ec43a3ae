/** Whether the service can do its work. */
import { RequestLimit } from "@svc/accounts/api-keys/rate-limit"
import { Disk } from "@svc/kernel/database/unreachable"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Draining } from "../draining.ts"

export interface HealthReport {
  readonly status: "healthy" | "degraded" | "unhealthy"
  readonly database: "up" | "down"
  readonly cache: "up" | "down"
  readonly uptime: string
}

export class Health extends Context.Service<Health, {
  readonly report: Effect.Effect<HealthReport>
  /** Whether the process is about to stop. */
  readonly draining: Effect.Effect<boolean>
}>()("@svc/server/Health") {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { cache } = yield* RequestLimit
      const started = yield* Clock.currentTimeMillis
      const database = sql`SELECT 1`.pipe(
        Effect.timeout("2 seconds"),
        Effect.match({ onSuccess: () => "up" as const, onFailure: () => "down" as const })
      )
      return {
        draining: yield* Draining,
        report: Effect.gen(function*() {
          const [answer, shared] = yield* Effect.all([database, cache], { concurrency: "unbounded" })
          const seconds = Math.floor(Duration.toSeconds(Duration.millis((yield* Clock.currentTimeMillis) - started)))
          const status = answer === "down"
            ? "unhealthy" as const
            : (yield* Disk.isFull) || shared === "down"
            ? "degraded" as const
            : "healthy" as const
          // Where there is none, none is up; nothing is missing then.
          return { status, database: answer, cache: shared ?? "down" as const, uptime: `PT${seconds}S` }
        })
      }
    })
  )
}
