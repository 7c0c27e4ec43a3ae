/** `svc replay`: sends webhooks again. */
import { DeliveryId } from "@svc/webhooks/deliveries/model"
import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { clockOf } from "../clocks.ts"
import { type ApiFlags, apiFlags, connect } from "../connection.ts"
import { CalledWrongly } from "../failure.ts"
import { momentIn, spanIn } from "../moments.ts"
import { print } from "../output.ts"

const isDeliveryId = Schema.is(DeliveryId)

/** A moment as ISO 8601, or how long ago: `30m`, `24h` and the like, by the account's own clock where it has one. */
const momentOf = Effect.fnUntraced(function*(text: string, flags: ApiFlags) {
  const [moment, span] = [momentIn(text), spanIn(text)]
  if (moment !== undefined) return moment
  if (span === undefined) {
    return yield* new CalledWrongly({
      message: `--since: "${text}" is no moment. Give one such as 2026-11-21T08:00:00Z, or how long ago, such as 30m, 24h or 7d.`
    })
  }
  const { client } = yield* connect(flags)
  // A key that may not read the clock is answered by the world's time.
  const clock = yield* Effect.orElseSucceed(clockOf(client), () => undefined)
  return DateTime.subtract(clock?.now ?? DateTime.makeUnsafe(yield* Clock.currentTimeMillis), { seconds: span })
})

export const replay = Command.make(
  "replay",
  {
    id: Argument.String("whq_id").pipe(Argument.withDescription("One delivery, whq_…"), Argument.optional),
    since: Flag.String("since").pipe(
      Flag.withDescription("All that finished since a moment (ISO 8601) or for so long (30m, 24h, 7d)"),
      Flag.optional
    ),
    status: Flag.Literals("status", ["failed", "delivered"]).pipe(
      Flag.withDescription("With --since: which ones; failed unless given"),
      Flag.withDefault("failed")
    ),
    ...apiFlags
  },
  Effect.fnUntraced(function*({ id, since, status, ...flags }) {
    if (Option.isSome(id) === Option.isSome(since)) {
      return yield* new CalledWrongly({ message: "Name one delivery (whq_…), or give --since for many; not both." })
    }
    if (Option.isSome(since)) {
      const from = yield* momentOf(since.value, flags)
      const { client, explain } = yield* connect(flags)
      const { replayed } = yield* client.webhook_events.replay_all({ payload: { since: from, status } }).pipe(
        Effect.mapError(explain)
      )
      return yield* print({ replayed }, `${replayed} replayed`)
    }
    const source = Option.getOrElse(id, () => "")
    if (!isDeliveryId(source)) {
      return yield* new CalledWrongly({ message: `"${source}" is no delivery. Its id begins with whq_, as the Webhook-ID header says.` })
    }
    const { client, explain } = yield* connect(flags)
    const made = yield* client.webhook_events.replay({ params: { id: source } }).pipe(Effect.mapError(explain))
    yield* print(made, `${made.id}  ${made.event_type}  ${made.event_id}  replays ${source}`)
  })
).pipe(
  Command.withDescription("Send a webhook again, or all that failed since a moment")
)
