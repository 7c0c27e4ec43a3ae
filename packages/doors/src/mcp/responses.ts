/** Answers as HTTP carries them. */
import { realNow } from "@svc/kernel/values/time"
import { DateTime, Duration, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { type EventLog, Outlet } from "./event-log.ts"
import * as JsonRpc from "./json-rpc.ts"
import { Sessions } from "./sessions.ts"

export type Response = HttpServerResponse.HttpServerResponse
type Headers = Readonly<Record<string, string>>

export const json = (body: object, status = 200, headers: Headers = {}): Response =>
  HttpServerResponse.jsonUnsafe(body, { status, headers })

export const accepted = (headers: Headers = {}): Response => HttpServerResponse.empty({ status: 202, headers })

export const refused = (status: number, error: JsonRpc.RpcError, id: JsonRpc.Id = null, headers: Headers = {}): Response =>
  json(JsonRpc.refusal(id, error), status, headers)

/** A comment, which readers skip. */
const SILENCE = ": \n\n"

const STREAM_HEADERS = {
  "cache-control": "no-cache, no-transform",
  // Proxies that collect answers would hold events back.
  "x-accel-buffering": "no",
  // So that nothing is left open when it ends because the service does.
  connection: "close"
}

interface Reading {
  /** The latest event that the reader has. */
  readonly after?: number
  readonly headers?: Headers
  /** Sent before everything else; without anything to send, Node would keep the head of the answer back, too. */
  readonly first?: string
  /** Called when the connection is gone. */
  readonly onGone?: Effect.Effect<void>
}

/** A stream as the answer, from the moment on at which it is read. */
export const streamed = (log: EventLog, { after = 0, first = SILENCE, headers = {}, onGone }: Reading = {}) =>
  Effect.map(Sessions, ({ held, limits, watch }): Response => {
    const open = Effect.gen(function*() {
      const outlet = yield* Outlet.make(held)
      let said = DateTime.toEpochMillis(yield* realNow)
      const stop = watch({
        tick: (now, stopping) => {
          if (stopping) outlet.end()
          if (now - said < Duration.toMillis(limits.keepAlive)) return
          said = now
          outlet.send(SILENCE)
        }
      })
      outlet.send(first)
      log.attach(outlet, after)
      return { outlet, stop }
    })
    const close = ({ outlet, stop }: Effect.Success<typeof open>) =>
      Effect.suspend(() => {
        stop()
        log.detach(outlet)
        return onGone ?? Effect.void
      })
    const bytes = Stream.unwrap(Effect.map(Effect.acquireRelease(open, close), ({ outlet }) => outlet.bytes))
    return HttpServerResponse.stream(bytes, { contentType: "text/event-stream", headers: { ...STREAM_HEADERS, ...headers } })
  })
