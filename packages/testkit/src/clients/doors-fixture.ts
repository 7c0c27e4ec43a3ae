/** The doors of MCP before a gate that follows a script: what a tool's name says, it does. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as site from "@svc/doors/discovery/site"
import * as mcp from "@svc/doors/mcp/http"
import { parseJson } from "@svc/kernel/values/json"
import * as finish from "@svc/server/finish"
import { listen } from "@svc/server/listener"
import { listening } from "@svc/server/tools"
import { Gate, type ToolAnswer, type ToolRequest } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { Progress } from "@svc/tool-kit/progress"
import { Directory } from "@svc/tool-kit/services/directory"
import { Deferred, Effect, Layer } from "effect"
import { base } from "./listener.ts"

/** A proxy serves the doors below a path, and takes the path away. */
export const PUBLIC_URL = "https://tools.example.com/base"

/** What the proxy asks the doors for when it is asked for this path. */
export const behindProxy = (path: string): string => path.replace(/^\/base(?=\/)/u, "")

const headers = { "x-svc-request-cost": "1" }

/** The arguments of every call that has begun; of those that were interrupted, and of each `slow` one that has ended. */
export const begun: Array<unknown> = []
export const interrupted: Array<unknown> = []
export const finished: Array<unknown> = []
/** What `wait` waits for. */
export const bell = Deferred.makeUnsafe<void>()
/** What `long` waits for. */
export const goOn = Deferred.makeUnsafe<void>()

const scripted = Effect.fnUntraced(function*({ arguments: args, earlier, meta, name, url }: ToolRequest): Effect.fn.Return<ToolAnswer> {
  begun.push(args)
  const before = earlier === undefined ? undefined : yield* earlier(undefined)
  if (before !== undefined) return before
  switch (name) {
    case "pay":
      return {
        _tag: "PaymentRequired",
        body: {
          type: "https://paymentauth.org/problems/payment-required",
          title: "Payment Required",
          status: 402,
          error: "Payment Required",
          price: "0.01"
        },
        inBand: { x402Version: 2, error: "Payment Required", price: "0.01", accepts: [] },
        challenges: [{ id: "ch_1", method: "stripe" }],
        authenticate: ["Payment id=\"ch_1\", method=\"stripe\"", "Payment id=\"ch_2\", method=\"evm\""],
        headers: { "payment-required": "eyJ4NDAyVmVyc2lvbiI6Mn0=" },
        meta: {}
      }
    case "auth":
      return refuse("AUTH_REQUIRED", "None was sent.")
    case "arguments":
      return refuse("INVALID_ARGUMENTS", "amount: must be positive.")
    case "pending":
      return { _tag: "Pending", call_id: "call_1", status_url: "/v1/calls/call_1", headers }
    case "progress":
      for (const progress of [1, 2]) yield* (yield* Progress)({ progress, total: 2 })
      break
    case "wait":
      yield* Deferred.await(bell).pipe(Effect.onInterrupt(() => Effect.sync(() => interrupted.push(args))))
      break
    case "forever":
      return yield* Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => interrupted.push(args))))
    case "long":
      yield* Deferred.await(goOn)
      break
    case "slow":
      yield* Effect.sleep("300 millis")
      finished.push(args)
      break
    case "large":
      return { _tag: "Answered", result: { text: "x".repeat(2_000_000) }, isError: false, charged: 1, headers, meta: {} }
    case "broken":
      return yield* Effect.die(new Error("a secret of ours"))
  }
  return {
    _tag: "Answered",
    result: { name, args, url },
    isError: false,
    charged: 1,
    headers,
    meta: "echo" in meta ? { echo: meta["echo"] } : {}
  }
})

export const doors = listen(Layer.mergeAll(mcp.layer, finish.layer), { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
  Layer.provide([
    Layer.mock(Gate)({ call: scripted, keyRefusal: () => Effect.undefined }),
    Layer.mock(Directory)({}),
    site.layer({ tools_url: PUBLIC_URL, api_url: "http://api.test" }),
    listening,
    NodeCrypto.layer
  ])
)

type Json = Readonly<Record<string, unknown>>

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of JSON, or of the last event of a stream. */
  readonly body: unknown
  /** Of each event of a stream that has data. */
  readonly events: ReadonlyArray<{ readonly id: string | undefined; readonly data: unknown }>
}

export const eventsOf = (text: string) =>
  text.split("\n\n").flatMap((block) => {
    const data = /^data: (.+)$/mu.exec(block)?.[1]
    return data === undefined ? [] : [{ id: /^id: (.+)$/mu.exec(block)?.[1], data: data.startsWith("{") ? parseJson(data) : data }]
  })

export const send = Effect.fnUntraced(function*(path: string, init: RequestInit = {}) {
  const url = `${yield* base}${path}`
  const response = yield* Effect.promise((signal) => fetch(url, { signal, ...init }))
  const text = yield* Effect.promise(() => response.text())
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  const events = isStream ? eventsOf(text) : []
  const told: Told = {
    status: response.status,
    headers: response.headers,
    text,
    events,
    body: isStream ? events.at(-1)?.data : text === "" ? undefined : parseJson(text)
  }
  return told
})

export const post = (body: unknown, headers: Readonly<Record<string, string>> = {}, path = "/mcp") =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

export const call = (name: string, args: Json = {}, more: Json = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, ...more }
})

export const BOTH = { accept: "application/json, text/event-stream" }

export const initialize = (revision = "2025-11-25") => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "t", version: "1" } }
})

/** Headers of a new session. */
export const session = Effect.fnUntraced(function*(revision = "2025-11-25", headers: Readonly<Record<string, string>> = {}) {
  const opened = yield* post(initialize(revision), { ...BOTH, ...headers })
  return { ...BOTH, ...headers, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "none" }
})
