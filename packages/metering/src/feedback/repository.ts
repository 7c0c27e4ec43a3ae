/** Feedback in Postgres. It belongs to no account. */
import { iso } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type FeedbackRequest, PER_HOUR, type TicketId } from "./model.ts"

interface Received extends FeedbackRequest {
  readonly id: TicketId
  readonly network_sha256: string
}

export class FeedbackRepository extends Context.Service<FeedbackRepository, {
  /** Keeps a message, unless its network has sent enough in the last hour: then since when the oldest of them counts. */
  readonly insert: (received: Received, at: DateTime.Utc) => Effect.Effect<DateTime.Utc | undefined>
}>()("@svc/metering/FeedbackRepository") {
  static readonly layer = Layer.effect(
    FeedbackRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return FeedbackRepository.of({
        insert: Effect.fnUntraced(
          function*({ category = "other", email, id, message, network_sha256, rating }: Received, at: DateTime.Utc) {
            return yield* sql.withTransaction(Effect.gen(function*() {
              // One network at a time, in all processes.
              yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${network_sha256}, 0))`
              const recent = yield* sql<{ readonly created_at: string }>`
            SELECT created_at FROM feedback_tickets WHERE network_sha256 = ${network_sha256} AND created_at > ${
                iso(DateTime.subtract(at, { hours: 1 }))
              }::timestamptz
            ORDER BY created_at DESC LIMIT ${PER_HOUR}`
              const oldest = recent[PER_HOUR - 1]
              if (oldest !== undefined) return DateTime.makeUnsafe(oldest.created_at)
              yield* sql`
            INSERT INTO feedback_tickets (id, network_sha256, message, category, email, rating, created_at)
            VALUES (${id}, ${network_sha256}, ${message}, ${category}, ${email ?? null}, ${rating ?? null}, ${iso(at)}::timestamptz)`
              return undefined
            }))
          },
          Effect.orDie
        )
      })
    })
  )
}
