/** What can be seen and replayed of an account's deliveries, over HTTP and from the command line alike. */
import { InvalidState, type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { checkEventType, KnownEventTypes } from "../events/model.ts"
import type { DeliveryId, DeliveryWithEvent, ReplayRequest, WebhookAttempt } from "./model.ts"
import { BATCH, type DeliveryFilter, DeliveryRepository, type Replay } from "./repository.ts"
import { DeliverySignal } from "./signal.ts"

const noEndpoint = () =>
  new InvalidState({
    message: "The account has no webhook endpoint, so there is nowhere to replay to. Set one with PUT /v1/webhook_endpoint.",
    details: { state: "no_endpoint", allowed: [] }
  })

export class Deliveries extends Context.Service<Deliveries, {
  readonly get: (account: string, id: DeliveryId) => Effect.Effect<DeliveryWithEvent, NotFound>
  readonly list: (account: string, filter: DeliveryFilter, page: PageRequest) => Effect.Effect<Page<DeliveryWithEvent>, ValidationError>
  readonly attempts: (account: string, id: DeliveryId, page: PageRequest) => Effect.Effect<Page<WebhookAttempt>, NotFound | ValidationError>
  /** A new delivery of the same event. `InvalidState` while the old one is still on its way. */
  readonly replay: (account: string, id: DeliveryId) => Effect.Effect<DeliveryWithEvent, NotFound | InvalidState>
  /**
   * Replays every finished delivery that fits and was not replayed before, a few hundred at a time, and
   * answers how many. Interrupted half way, a second call goes on where the first stopped.
   */
  readonly replayAll: (account: string, request: ReplayRequest) => Effect.Effect<number, InvalidState | ValidationError>
}>()("@svc/webhooks/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const repository = yield* DeliveryRepository
      const signal = yield* DeliverySignal
      const knownTypes = yield* KnownEventTypes

      const get = Effect.fn("Deliveries.get")(function*(account: string, id: DeliveryId) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("webhook event"))
      })

      const list = Effect.fn("Deliveries.list")(function*(account: string, filter: DeliveryFilter, page: PageRequest) {
        yield* Effect.fromResult(checkEventType(knownTypes, filter.type))
        return yield* repository.list(account, filter, yield* Effect.fromResult(checkPage(page)))
      })

      const attempts = Effect.fn("Deliveries.attempts")(function*(account: string, id: DeliveryId, page: PageRequest) {
        yield* get(account, id)
        return yield* repository.attempts(account, id, yield* Effect.fromResult(checkPage(page)))
      })

      const requireEndpoint = Effect.fnUntraced(function*(account: string) {
        if (!(yield* repository.hasEndpoint(account))) return yield* noEndpoint()
      })

      const replayOf = (source: string, again: boolean): Effect.Effect<Replay> => Effect.map(nextId("whq"), (id) => ({ source, id, again }))

      const replay = Effect.fn("Deliveries.replay")(function*(account: string, id: DeliveryId) {
        const { delivery, event } = yield* get(account, id)
        yield* requireEndpoint(account)
        const [made] = yield* repository.replay(account, [yield* replayOf(id, true)], yield* now)
        if (made === undefined) {
          return yield* new InvalidState({
            message: `The delivery is ${delivery.status}: it is still on its way. Only delivered and failed ones can be replayed.`,
            details: { state: delivery.status, allowed: [] }
          })
        }
        signal.queued([account])
        return (yield* repository.find(account, made)) ?? { delivery, event }
      })

      const replayAll = Effect.fn("Deliveries.replayAll")(function*(account: string, request: ReplayRequest) {
        yield* requireEndpoint(account)
        yield* Effect.fromResult(checkEventType(knownTypes, request.type))
        // What finishes later is not looked at, and neither are the replays, whose ids follow: an account's own clock may stand still.
        const [end, before] = [yield* now, yield* nextId("whq")]
        let replayed = 0
        for (let from = "";;) {
          const sources = yield* repository.replayable(account, request, from, before, end)
          if (sources.length > 0) {
            const replayedRows = yield* repository.replay(
              account,
              yield* Effect.forEach(sources, (source) => replayOf(source, false)),
              yield* now
            )
            replayed += replayedRows.length
            signal.queued([account])
          }
          if (sources.length < BATCH) return replayed
          from = sources[sources.length - 1] ?? from
        }
      })

      return Deliveries.of({ get, list, attempts, replay, replayAll })
    })
  )
}
