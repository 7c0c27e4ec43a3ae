/** Whether the service can do its work. */
import { Disk } from "@svc/kernel/database/unreachable"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export interface HealthReport {
  readonly status: "healthy" | "degraded" | "unhealthy"
  readonly database: "up" | "down"
  readonly cache: "up" | "down"
  readonly uptime: string
}

export class Health extends Context.Service<Health, {
  readonly report: Effect.Effect<HealthReport>
}>()("@svc/server/Health") {
  static readonly layer = Layer.effect(Health, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const started = yield* Clock.currentTimeMillis
    const database = sql`SELECT 1`.pipe(
      Effect.timeout("2 seconds"),
      Effect.match({ onSuccess: () => "up" as const, onFailure: () => "down" as const })
    )
    return {
      report: Effect.gen(function*() {
        const answer = yield* database
        const seconds = Math.floor(Duration.toSeconds(Duration.millis((yield* Clock.currentTimeMillis) - started)))
        const status = answer === "down" ? "unhealthy" as const : (yield* Disk.isFull) ? "degraded" as const : "healthy" as const
        // The cache is this process's own memory: it is up whenever anybody can ask.
        return { status, database: answer, cache: "up" as const, uptime: `PT${seconds}S` }
      })
    }
  }))
}
