/** What can be done with feedback: give it. */
import { RateLimited } from "@svc/kernel/resource/errors"
import { nextId } from "@svc/kernel/values/ids"
import { networkOf } from "@svc/kernel/values/network"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { type FeedbackReceived, type FeedbackRequest, PER_HOUR, TicketId } from "./model.ts"
import { FeedbackRepository } from "./repository.ts"

export class Feedback extends Context.Service<Feedback, {
  /** `address` is where the request came from. */
  readonly send: (request: FeedbackRequest, address: string) => Effect.Effect<FeedbackReceived, RateLimited>
}>()("@svc/metering/Feedback") {
  static readonly layer = Layer.effect(
    Feedback,
    Effect.gen(function*() {
      const repository = yield* FeedbackRepository
      return Feedback.of({
        send: Effect.fn("Feedback.send")(function*(request: FeedbackRequest, address: string) {
          const at = yield* realNow
          const id = TicketId.make(yield* nextId("tkt"))
          const network_sha256 = createHash("sha256").update(networkOf(address)).digest("hex")
          const oldest = yield* repository.insert({ ...request, id, network_sha256 }, at)
          if (oldest === undefined) return { ticket_id: id, ok: true }
          const retry_after = Math.max(
            1,
            Math.ceil((DateTime.toEpochMillis(DateTime.add(oldest, { hours: 1 })) - DateTime.toEpochMillis(at)) / 1000)
          )
          return yield* new RateLimited({
            message:
              `Your network has sent ${PER_HOUR} messages within an hour, which is all it may. Wait ${retry_after} s and send again.`,
            details: { retry_after }
          })
        })
      })
    })
  )
}
