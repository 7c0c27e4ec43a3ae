/**
 * Tells an open page what changes: the ids of the resources of the account's new events, as server-sent events. The events are those of the
 * API's own list. A stream ends by itself; the page begins another when somebody is there, so that an open page keeps no session awake.
 */
import { Stopping } from "@svc/kernel/http/stopping"
import { isRecord } from "@svc/kernel/values/record"
import { Duration, Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Json, textAt } from "../pages/json.ts"
import type { Desk, Handler, Here } from "./router.ts"

const EVERY = Duration.seconds(4)
/** Questions of one stream: five minutes of them. */
const MOST_ASKED = 75
/** Streams at once, of the process and of a session: each asks the database now and then. */
const MOST_OPEN = 200
const MOST_OF_SESSION = 4

/** To a browser, the word that it asks no more. */
const none = HttpServerResponse.empty({ status: 204 })

const PATH = "/v1/events"

const eventsOf = ({ json }: { readonly json: Json }): ReadonlyArray<Json> => {
  const data = json["data"]
  return Array.isArray(data) ? data.filter(isRecord) : []
}

const seqOf = (event: Json | undefined): number => Number(event?.["event_seq"] ?? 0)

/** Each id is a message of its own. Without any a comment keeps the connection, and shows that somebody still listens. */
const written = (events: ReadonlyArray<Json>): string => {
  const ids = new Set(events.map((event) => textAt(event, "data.id")).filter((id) => /^\w{1,64}$/u.test(id)))
  return ids.size === 0 ? ":\n\n" : Array.from(ids, (id) => `data: ${id}\n\n`).join("")
}

const listen = Effect.fnUntraced(function*({ ask, request, visit }: Here) {
  const isStopping = yield* Stopping
  const ever = (path: string) =>
    Effect.scoped(Effect.provideService(ask({ method: "GET", path }), HttpServerRequest.HttpServerRequest, request))
  const newest = yield* ask({ method: "GET", path: `${PATH}?per_page=1` })
  if (visit.person.account === null || newest.status !== 200) return none
  let [seq, asked] = [seqOf(eventsOf(newest)[0]), 0]
  const next = Effect.gen(function*() {
    yield* Effect.sleep(EVERY)
    const answered = yield* ever(`${PATH}?after_seq=${seq}&per_page=100`)
    const events = eventsOf(answered)
    seq = Math.max(seq, ...events.map(seqOf))
    asked++
    return { isLast: answered.status !== 200 || asked >= MOST_ASKED || isStopping(), text: written(events) }
  })
  const later = Stream.fromEffectRepeat(next).pipe(Stream.takeUntil(({ isLast }) => isLast), Stream.map(({ text }) => text))
  return HttpServerResponse.stream(Stream.encodeText(Stream.concat(Stream.succeed(":\n\n"), later)), {
    contentType: "text/event-stream",
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", "x-accel-buffering": "no" }
  })
})

export const addLive = ({ get }: Desk) => {
  const open = new Map<string, number>()
  const count = () => Array.from(open.values()).reduce((sum, one) => sum + one, 0)
  const live: Handler = (here) => {
    const { session_id } = here.visit.person
    const own = open.get(session_id) ?? 0
    if (own >= MOST_OF_SESSION || count() >= MOST_OPEN) return Effect.succeed(none)
    const enter = Effect.sync(() => void open.set(session_id, (open.get(session_id) ?? 0) + 1))
    const leave = Effect.sync(() => {
      const left = (open.get(session_id) ?? 1) - 1
      if (left === 0) open.delete(session_id)
      else open.set(session_id, left)
    })
    // The scope of a request ends with its answer, however that ends.
    return Effect.andThen(Effect.acquireRelease(enter, () => leave), listen(here))
  }
  return get("/live", live)
}
