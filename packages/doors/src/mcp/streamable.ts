/** Streamable HTTP with sessions, as the revisions from 2025-03-26 to 2025-11-25 have it; 2024-11-05 may come over it, too. */
import { isRecord } from "@svc/kernel/values/record"
import { beginningOf } from "@svc/kernel/values/text"
import { Deferred, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { batchHeaders } from "./bare.ts"
import { type Exchange, readsOf } from "./exchange.ts"
import { type Incoming, sorted } from "./incoming.ts"
import { errors, type Id, type Message, refusal } from "./json-rpc.ts"
import type { Door, MethodServices } from "./methods.ts"
import { accepted, json, refused, type Response, streamed } from "./responses.ts"
import { allRevisions, hasBatches, hasPriming, negotiated } from "./revisions.ts"
import { keyRefusal, peerOf, start } from "./run.ts"
import { send402 } from "./send-402.ts"
import type { Session } from "./session.ts"
import { Sessions } from "./sessions.ts"

type Services = MethodServices | Sessions | HttpServerRequest.HttpServerRequest

export const SESSION = "mcp-session-id"
const VERSION = "mcp-protocol-version"

const gone = (id: Id = null): Response =>
  refused(
    404,
    errors.invalid(
      "there is no such session: it has ended, lives in another process, or was opened with another key. Send initialize for a new one"
    ),
    id
  )

/**
 * The revision of a header counts only as one that is spoken here: clients and the suites that judge servers send older ones than they
 * agreed upon.
 */
const wrongVersion = ({ headers }: Door): Response | undefined => {
  const version = headers[VERSION]
  if (version === undefined || allRevisions.includes(version)) return undefined
  return refused(400, {
    ...errors.invalid(`MCP-Protocol-Version ${beginningOf(version, 40)} is not spoken here`),
    data: { supported: allRevisions, requested: beginningOf(version, 40) }
  })
}

/** What the client says without waiting for an answer. */
export const hear = (session: Session, { notifications, responses }: Incoming): void => {
  for (const response of responses) session.answered(response)
  for (const { method, params } of notifications) {
    const id = params?.["requestId"]
    if (method === "notifications/cancelled" && (typeof id === "string" || typeof id === "number")) session.cancel(id)
  }
}

/** Remembers what the client says of itself. */
export const introduce = (session: Session, { params = {} }: Message): void => {
  session.revision = negotiated(params["protocolVersion"])
  session.capabilities = isRecord(params["capabilities"]) ? params["capabilities"] : {}
}

/** A caller that pays over HTTP says so; every other one reads of a payment in the result. */
export const paysOverHttp = ({ headers }: Door): boolean =>
  headers["accept-payment"] !== undefined || headers["x-agent-budget"] !== undefined

const finished = (
  exchange: Exchange,
  { invalid, requests }: Incoming,
  isBatch: boolean,
  door: Door,
  headers: Readonly<Record<string, string>>
) => {
  const bodies = [...invalid, ...exchange.outcomes.flatMap((outcome) => outcome === undefined ? [] : [outcome.body])]
  const [outcome] = exchange.outcomes
  const tool = !isBatch && outcome?.answer._tag === "Tool" ? outcome.answer.answer : undefined
  if (tool?._tag === "PaymentRequired" && paysOverHttp(door)) return send402(tool)
  if (isBatch) {
    const costs = batchHeaders(exchange.outcomes.flatMap((ran) => ran === undefined ? [] : [ran.answer]), door)
    return Effect.succeed(bodies.length === 0 ? accepted(headers) : json(bodies, 200, { ...headers, ...costs }))
  }
  const [body] = bodies
  // A client that cancels a request waits for no answer to it.
  if (body === undefined) return Effect.succeed(accepted(headers))
  return Effect.succeed(json(body, requests.length === 0 ? 400 : 200, { ...headers, ...tool?.headers }))
}

const exchangeOf = Effect.fnUntraced(
  function*(session: Session, incoming: Incoming, isBatch: boolean, door: Door): Effect.fn.Return<Response, never, Services> {
    const headers = { [SESSION]: session.id }
    hear(session, incoming)
    if (incoming.requests.length === 0) {
      return incoming.invalid.length === 0
        ? accepted(headers)
        : json(isBatch ? incoming.invalid : incoming.invalid[0] ?? {}, 400, headers)
    }
    const open = () => {
      const log = session.openLog()
      if (hasPriming(session.revision)) log.push("")
      return log
    }
    const { exchange } = yield* start(
      { requests: incoming.requests, door, reads: readsOf(door.headers["accept"]), open },
      (one) => peerOf(session, one),
      session
    )
    yield* Deferred.await(exchange.decided)
    if (exchange.log === undefined) {
      return yield* finished(exchange, incoming, isBatch, door, headers)
    }
    for (const one of incoming.invalid) {
      exchange.log.push(JSON.stringify(one))
    }
    return yield* streamed(exchange.log, { headers })
  }
)

/** Opens a session with the first request of it. */
export const initialize = Effect.fnUntraced(function*(value: unknown, door: Door): Effect.fn.Return<Response, never, Services> {
  const incoming = sorted([value])
  const [request] = incoming.requests
  if (request === undefined) return incoming.invalid[0] === undefined ? accepted() : json(incoming.invalid[0], 400)
  const session = yield* (yield* Sessions).open("streamable", door.headers, negotiated(request.params?.["protocolVersion"]))
  if (session === undefined) {
    return refused(
      503,
      { code: -32000, message: "All sessions of this server are in use. Try again in a minute, or send requests without a session." },
      request.id,
      { "retry-after": "60" }
    )
  }
  introduce(session, request)
  return yield* exchangeOf(session, incoming, false, door)
})

export const post = Effect.fnUntraced(function*(value: unknown, door: Door): Effect.fn.Return<Response, never, Services> {
  const { find, limits } = yield* Sessions
  const isBatch = Array.isArray(value)
  const incoming = sorted(isBatch ? value.slice(0, limits.batch + 1) : [value], isBatch)
  const session = yield* find(door.headers[SESSION], door.headers)
  if (session === undefined || session.kind !== "streamable") return gone(isBatch ? null : incoming.requests[0]?.id)
  const wrong = wrongVersion(door)
  if (wrong !== undefined) return wrong
  if (isBatch && !hasBatches(session.revision)) {
    return json(refusal(null, errors.invalid(`revision ${session.revision} has no batches; send one message a body`)), 400)
  }
  if (isBatch && (value.length === 0 || value.length > limits.batch)) {
    return json(refusal(null, errors.invalid(`a batch holds 1 to ${limits.batch} messages`)), 400)
  }
  return yield* exchangeOf(session, incoming, isBatch, door)
})

/** Opens the stream that belongs to no request, or goes on with one that broke. */
export const get = Effect.fnUntraced(function*(door: Door): Effect.fn.Return<Response, never, Services> {
  if (door.headers[SESSION] === undefined) {
    return refused(405, errors.invalid("a stream belongs to a session. POST initialize, and send its Mcp-Session-Id"), null, {
      allow: "POST, DELETE, OPTIONS"
    })
  }
  const session = yield* (yield* Sessions).find(door.headers[SESSION], door.headers)
  // The events of the session hold answers that were charged: a revoked key reads them no more.
  if (session === undefined || session.kind !== "streamable" || (yield* keyRefusal(door)) !== undefined) return gone()
  const wrong = wrongVersion(door)
  if (wrong !== undefined) return wrong
  const headers = { [SESSION]: session.id }
  if (readsOf(door.headers["accept"]) === "json") {
    return refused(406, errors.invalid("GET answers with text/event-stream alone; accept it"), null, headers)
  }
  const last = door.headers["last-event-id"]
  if (last === undefined || last === "") return yield* streamed(session.standalone, { headers, after: session.standalone.last })
  const log = session.find(last)
  if (log === undefined || !log.log.knows(log.after)) {
    return refused(
      400,
      errors.invalid("the events after Last-Event-ID are no longer known. Call again, with the same idempotency key where there was one"),
      null,
      headers
    )
  }
  return yield* streamed(log.log, { headers, after: log.after })
})

/** Ends the session, and its calls with it. */
export const remove = Effect.fnUntraced(function*(door: Door): Effect.fn.Return<Response, never, Services> {
  const { end, find } = yield* Sessions
  const session = yield* find(door.headers[SESSION], door.headers)
  if (session === undefined || session.kind !== "streamable") return gone()
  session.cancelAll()
  yield* end(session)
  return json({}, 200)
})
