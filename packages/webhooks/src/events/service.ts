/** What can be read of an account's events, over HTTP and from the command line alike. */
import { type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer } from "effect"
import { checkEventType, type EventId, KnownEventTypes, type LoggedEventRow } from "./model.ts"
import { type EventFilter, EventRepository } from "./repository.ts"

export class Events extends Context.Service<Events, {
  readonly get: (account: string, id: EventId) => Effect.Effect<LoggedEventRow, NotFound>
  /** Fails when the page lies too deep or is named twice. */
  readonly list: (account: string, filter: EventFilter, page: PageRequest) => Effect.Effect<Page<LoggedEventRow>, ValidationError>
}>()("@svc/webhooks/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function*() {
      const repository = yield* EventRepository
      const knownTypes = yield* KnownEventTypes

      const get = Effect.fn("Events.get")(function*(account: string, id: EventId) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("event"))
      })

      const list = Effect.fn("Events.list")(function*(account: string, filter: EventFilter, request: PageRequest) {
        yield* Effect.fromResult(checkEventType(knownTypes, filter.type))
        return yield* repository.list(account, filter, yield* Effect.fromResult(checkPage(request)))
      })

      return Events.of({ get, list })
    })
  )
}
