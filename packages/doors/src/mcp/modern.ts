/**
 * 2026-07-28: each request says which revision it speaks and what the client can do, there are no sessions, and headers repeat what the
 * body says, so that proxies need not read it.
 */
import { isRecord } from "@svc/kernel/values/record"
import { beginningOf } from "@svc/kernel/values/text"
import { Deferred, Effect, Result } from "effect"
import * as Base64 from "effect/encoding/Base64"
import type { HttpServerRequest } from "effect/http"
import type { MethodAnswer } from "./answers.ts"
import { EventLog } from "./event-log.ts"
import { type Exchange, readsOf } from "./exchange.ts"
import { sorted } from "./incoming.ts"
import { errors, notification, type Params, type RpcError } from "./json-rpc.ts"
import { capabilities, type Door, instructions, type MethodServices, SERVER } from "./methods.ts"
import { isLogLevel, logLevels, noClientCapabilities, type Peer } from "./peer.ts"
import { accepted, json, refused, type Response, streamed } from "./responses.ts"
import { allRevisions, STATELESS } from "./revisions.ts"
import { type Request, start } from "./run.ts"
import { send402 } from "./send-402.ts"
import { Sessions } from "./sessions.ts"
import { message, shape } from "./shapes.ts"
import { paysOverHttp } from "./streamable.ts"

type Services = MethodServices | Sessions | HttpServerRequest.HttpServerRequest
type Record_ = Readonly<Record<string, unknown>>

const VERSION = "io.modelcontextprotocol/protocolVersion"
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
const LOG_LEVEL = "io.modelcontextprotocol/logLevel"
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
const SERVER_INFO = "io.modelcontextprotocol/serverInfo"

const metaOf = (params: Params | undefined): Record_ | undefined => {
  const meta = params?.["_meta"]
  return isRecord(meta) ? meta : undefined
}

/** Whether a body is meant for these rules: it says so in its `_meta`, or in the header, or by a method that only they have. */
export const isModern = (value: unknown, { headers }: Door): boolean => {
  if (headers["mcp-protocol-version"] === STATELESS) return true
  if (!isRecord(value)) return false
  const params = value["params"]
  return value["method"] === "server/discover" || (isRecord(params) && isRecord(params["_meta"]) && VERSION in params["_meta"])
}

const mismatch = (why: string): RpcError => ({
  code: -32020,
  message: `${why} Headers repeat what the body says, so that proxies need not read it.`
})

const BASE64 = /^=\?base64\?(.*)\?=$/i

/** Text that no header can carry comes as `=?base64?…?=`. */
const decoded = (header: string | undefined): string | undefined => {
  const encoded = BASE64.exec(header ?? "")?.[1]
  return encoded === undefined ? header?.trim() : Result.getOrUndefined(Base64.decodeString(encoded))
}

/** What `Mcp-Name` repeats, by method. */
const NAMES: Readonly<Record<string, string>> = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" }

/** Why a request does not keep the rules. */
const broken = ({ method, params }: Request, headers: Door["headers"]): RpcError | undefined => {
  const meta = metaOf(params)
  const version = headers["mcp-protocol-version"]
  const claimed = meta?.[VERSION]
  if (typeof claimed !== "string") return errors.params(`_meta: needs ${VERSION}, for example ${STATELESS}.`)
  if (version === undefined) return mismatch("MCP-Protocol-Version is missing.")
  if (version.trim() !== claimed) return mismatch("MCP-Protocol-Version differs from the body.")
  if (!isRecord(meta?.[CAPABILITIES])) return errors.params(`_meta: needs ${CAPABILITIES}, an object.`)
  if (claimed !== STATELESS) {
    return {
      code: -32022,
      message: `Without a session, revision ${STATELESS} is spoken here.`,
      data: { supported: allRevisions, requested: beginningOf(claimed, 40) }
    }
  }
  if (headers["mcp-method"]?.trim() !== method) return mismatch("Mcp-Method differs from the body's method, or is missing.")
  const key = NAMES[method]
  return key === undefined || decoded(headers["mcp-name"]) === params?.[key]
    ? undefined
    : mismatch(`Mcp-Name differs from params.${key}, or is missing.`)
}

/** Methods that this revision has left out. */
const LEFT_OUT: ReadonlySet<string> = new Set(["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"])

const [MINUTE, HOUR] = [60_000, 3_600_000]

/** How long, and by whom, a list may be kept. The catalog of a process never changes; the list of an agent key follows its policy. */
const kept = (method: string, agent: boolean): Record_ => {
  if (method === "server/discover") return { ttlMs: HOUR, cacheScope: "public" }
  if (method === "tools/list") return agent ? { ttlMs: MINUTE, cacheScope: "private" } : { ttlMs: HOUR, cacheScope: "public" }
  return /\/(?:list|read)$/.test(method) ? { ttlMs: 0, cacheScope: "private" } : {}
}

const dressed = (method: string, { agent }: Door, of: MethodAnswer) => {
  const shaped = shape(of)
  if ("error" in shaped) return shaped
  const { _meta, ...rest } = shaped.result
  return {
    result: { resultType: "complete", ...kept(method, agent), ...rest, _meta: { ...(isRecord(_meta) ? _meta : {}), [SERVER_INFO]: SERVER } }
  }
}

const peerOf = (params: Params | undefined, exchange: Exchange): Peer => {
  const meta = metaOf(params)
  const able = meta?.[CAPABILITIES]
  const least = meta?.[LOG_LEVEL]
  const notify: Peer["notify"] = (method, said) => Effect.sync(() => exchange.say(notification(method, said)))
  return {
    ...noClientCapabilities,
    capabilities: isRecord(able) ? able : {},
    notify,
    log: (level, data) =>
      isLogLevel(least) && logLevels.indexOf(level) >= logLevels.indexOf(least)
        ? notify("notifications/message", { level, logger: "svc", data })
        : Effect.void
  }
}

/** What is wrong with the request has a status, too; what a tool refuses has none. */
const statusOf = (of: MethodAnswer): number => {
  if (of._tag !== "Error") return 200
  return of.error.code === -32601 ? 404 : of.error.code <= -32020 && of.error.code >= -32099 ? 400 : 200
}

const discover = Effect.map(capabilities, (able) => ({ supportedVersions: allRevisions, capabilities: able, instructions }))

const run = Effect.fnUntraced(function*(request: Request, door: Door): Effect.fn.Return<Response, never, Services> {
  const { held } = yield* Sessions
  // A client cannot resume a stream without a session.
  const open = () => new EventLog(0, held, false)
  const work = {
    requests: [request],
    door,
    reads: readsOf(door.headers["accept"]),
    open,
    dress: (of: MethodAnswer) => dressed(request.method, door, of)
  }
  const { exchange, fibers } = yield* start(work, (one) => peerOf(request.params, one))
  yield* Deferred.await(exchange.decided)
  const { log } = exchange
  // Closing the stream is how a client cancels.
  if (log !== undefined) return yield* streamed(log, { onGone: Effect.sync(() => fibers.forEach((fiber) => fiber.interruptUnsafe())) })
  const [outcome] = exchange.outcomes
  if (outcome === undefined) return accepted()
  const tool = outcome.answer._tag === "Tool" ? outcome.answer.answer : undefined
  if (tool?._tag === "PaymentRequired" && paysOverHttp(door)) return yield* send402(tool)
  return json(outcome.body, statusOf(outcome.answer), tool?.headers)
})

/** Nothing that could be subscribed to changes while a process lives, so what follows the acknowledgement is silence. */
const listen = Effect.fnUntraced(function*({ id }: Request) {
  const log = new EventLog(0, (yield* Sessions).held, false)
  log.push(JSON.stringify(notification("notifications/subscriptions/acknowledged", { _meta: { [SUBSCRIPTION]: id }, notifications: {} })))
  return yield* streamed(log)
})

export const post = Effect.fnUntraced(function*(value: unknown, door: Door): Effect.fn.Return<Response, never, Services> {
  if (Array.isArray(value)) return refused(400, errors.invalid(`revision ${STATELESS} has no batches; send one message a body`))
  const { invalid: [unread], requests: [request] } = sorted([value])
  if (unread !== undefined) return json(unread, 400)
  if (request === undefined) return accepted()
  const why = broken(request, door.headers)
  if (why !== undefined) return refused(400, why, request.id)
  if (LEFT_OUT.has(request.method)) {
    return refused(404, errors.method(request.method, ["server/discover", "tools/list", "tools/call", "discover/catalog"]), request.id)
  }
  if (request.method === "subscriptions/listen") return yield* listen(request)
  if (request.method !== "server/discover") return yield* run(request, door)
  return json(message(request.id, dressed(request.method, door, { _tag: "Result", result: yield* discover })))
})
