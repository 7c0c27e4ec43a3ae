/**
 * The transport of 2024-11-05, which many clients still speak: GET opens the one stream of a session, whose first event says where to POST,
 * and every answer comes over the stream. A POST is answered 202 before anything is known, so payment is always asked for in band. What
 * the stream loses nobody can fetch later, so calls run only while it has room.
 */
import { publicPath, Site } from "@svc/tool-kit/services/site"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { sorted } from "./incoming.ts"
import { errors } from "./json-rpc.ts"
import type { Door, MethodServices } from "./methods.ts"
import { accepted, json, refused, type Response, streamed } from "./responses.ts"
import { peerOf, start } from "./run.ts"
import { Sessions } from "./sessions.ts"
import { hear, introduce } from "./streamable.ts"

type Services = MethodServices | Sessions | HttpServerRequest.HttpServerRequest

/** The stream, and where to send messages: the same paths under each of the names. */
export const paths = [
  { stream: "/v1/mcp/sse", messages: "/v1/mcp/messages" },
  { stream: "/mcp/sse", messages: "/mcp/messages" },
  { stream: "/sse", messages: "/messages" }
] as const

export const open = (messages: string) =>
  Effect.fnUntraced(function*(door: Door): Effect.fn.Return<Response, never, Services> {
    const { end, open: openSession } = yield* Sessions
    const session = yield* openSession("messages", door.headers, "2024-11-05")
    if (session === undefined) {
      return refused(503, { code: -32000, message: "All sessions of this server are in use. Try again in a minute." }, null, {
        "retry-after": "60"
      })
    }
    return yield* streamed(session.standalone, {
      first: `event: endpoint\ndata: ${publicPath(yield* Site, messages)}?session_id=${session.id}\n\n`,
      onGone: end(session)
    })
  })

const gone = refused(
  404,
  errors.invalid(
    "there is no such session: its stream has closed, it lives in another process, or was opened with another key. Open a stream with GET"
  )
)

const full = refused(
  429,
  { code: -32000, message: "Earlier answers still wait to be read, so this was not run. Read the stream, then send it again." },
  null,
  { "retry-after": "1" }
)

export const post = Effect.fnUntraced(function*(value: unknown, door: Door): Effect.fn.Return<Response, never, Services> {
  const { find, limits } = yield* Sessions
  const id = new URL(door.url).searchParams.get("session_id") ?? new URL(door.url).searchParams.get("sessionId") ?? undefined
  const session = yield* find(id, door.headers)
  if (session === undefined || session.kind !== "messages") return gone
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0 || values.length > limits.batch) {
    return refused(400, errors.invalid(`a batch holds 1 to ${limits.batch} messages`))
  }
  const incoming = sorted(values, Array.isArray(value))
  hear(session, incoming)
  const [first] = incoming.requests
  if (first?.method === "initialize") introduce(session, first)
  if (incoming.invalid.length + incoming.requests.length > 0) {
    const { standalone } = session
    const room = yield* Effect.timeoutOption(standalone.room, limits.roomWithin)
    if (Option.isNone(room)) return full
    if (!room.value) return gone
    for (const one of incoming.invalid) standalone.push(JSON.stringify(one))
    if (incoming.requests.length > 0) {
      yield* start(
        { requests: incoming.requests, door, reads: "stream", open: () => standalone, shared: true },
        (one) => peerOf(session, one),
        session
      )
    }
  }
  return incoming.invalid.length > 0 && incoming.requests.length === 0 ? json(incoming.invalid[0] ?? {}, 400) : accepted()
})
