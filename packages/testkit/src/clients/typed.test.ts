/** A program on Effect that calls the tools by their types: through the same gate as every other caller. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import * as site from "@svc/doors/discovery/site"
import * as typed from "@svc/doors/typed/door"
import * as finish from "@svc/server/finish"
import { listen } from "@svc/server/listener"
import { Gate, type ToolAnswer, type ToolRequest } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { ToolTimedOut } from "@svc/tool-kit/typed/errors"
import { Tools } from "@svc/tools/catalog/group"
import { IllegalTokenLifecycleTransition } from "@svc/tools/catalog/svc_network_tokenization"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { SqlClient } from "effect/sql"
import { layerWith, openCaller } from "../agents/service.ts"
import { payOneCent } from "../examples/paying-client.ts"
import { search } from "../examples/search-client.ts"
import { ping } from "../examples/typed-client.ts"
import { field } from "./conformance/parts.ts"
import { base, toolServer } from "./listener.ts"

/** What a client calls over. */
const protocol = Effect.gen(function*() {
  const made = RpcClient.layerProtocolHttp({ url: `${yield* base}/rpc` }).pipe(
    Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
  )
  // For as long as the test: `Effect.provide` would end it with the making.
  return yield* Layer.build(made)
})

const client = Effect.flatMap(protocol, (context) => Effect.provideContext(RpcClient.make(Tools), context))

/** What the gate is told of the connections of its calls. */
const connections: Array<Pick<ToolRequest, "address" | "url">> = []

const answers: Readonly<Record<string, ToolAnswer>> = {
  pay: {
    _tag: "PaymentRequired",
    body: { price: "0.01" },
    inBand: {},
    challenges: [{ id: "ch_1" }],
    authenticate: [],
    headers: {},
    meta: {}
  },
  pending: { _tag: "Pending", call_id: "call_1", status_url: "/v1/calls/call_1", headers: {} },
  refused: refuse("AUTH_REQUIRED", "None was sent."),
  // What is said of the money may not be what the tool said.
  late: {
    _tag: "Answered",
    isError: true,
    charged: 0,
    result: { error: { code: "timed_out", message: "Too late.", retryable: true } },
    failure: new ToolTimedOut({ code: "timed_out", message: "Too late. Nothing was charged.", retryable: true }),
    headers: {},
    meta: {}
  },
  away: {
    _tag: "Answered",
    isError: false,
    charged: 0,
    result: { _not_configured: true, reason: "unset", detail: "d", remediation: "r" },
    headers: {},
    meta: {}
  },
  done: { _tag: "Answered", isError: false, charged: 1, result: { ok: true, settled_cents: 1, message: "Settled." }, headers: {}, meta: {} }
}

const scripted = listen(Layer.merge(typed.layer, finish.layer), { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(Layer.provide([
  Layer.mock(Gate)({
    call: ({ address, headers, url }) =>
      Effect.sync(() => {
        connections.push({ address, url })
        return answers[headers["x-script"] ?? ""] ?? refuse("UNKNOWN_TOOL", "It was called so.")
      })
  }),
  site.layer({ tools_url: "https://tools.example.com/base", api_url: "http://api.test" }),
  NodeCrypto.layer
]))

describe("the tools as typed procedures", () => {
  layer(toolServer, { excludeTestServices: true, timeout: "60 seconds" })("of the server as it is", (it) => {
    it.effect("are called", () =>
      Effect.scoped(Effect.gen(function*() {
        const { list_programs } = yield* client
        const { artifact_count, programs } = yield* list_programs({})
        assert.deepStrictEqual([programs.length, artifact_count], [21, 152])
      })))

    it.effect("fail with the tool's own error, and with what is asked of who calls, each as its class", () =>
      Effect.scoped(Effect.gen(function*() {
        const { ping_payment, svc_network_tokenization } = yield* client
        const { key } = yield* openCaller("typed")
        const events = ["provision", "activate", "resume"] as const
        const headers = { authorization: `Bearer ${key}` }
        const moved = yield* Effect.flip(svc_network_tokenization({ operation: "lifecycle", events }, { headers }))
        assert(moved instanceof IllegalTokenLifecycleTransition)
        assert.deepNestedInclude({ detail: moved.detail }, { "detail.event": "resume", "detail.allowed": ["suspend", "delete"] })
        const unknown = yield* Effect.flip(ping_payment({}, { headers: { authorization: "Bearer svck_unknown" } }))
        assert.deepInclude({ ...unknown, message: unknown.message }, {
          _tag: "KeyRefused",
          code: "INVALID_KEY",
          message: "The key is malformed, unknown, revoked or expired. Send a current key."
        })
      })))

    it.effect("are paid for where their callers catch what is due", () =>
      Effect.scoped(Effect.gen(function*() {
        const paid = yield* Effect.provideContext(payOneCent, yield* protocol)
        assert.deepInclude({ ...paid }, { ok: true, settled_cents: 1 })
      })))

    it.effect("say where to pay, to a client that makes its own connection", () =>
      Effect.gen(function*() {
        const { key } = yield* openCaller("pings")
        assert.match(String(yield* ping(`${yield* base}/rpc`, key)), /^Pay at http\S+$/u)
      }))

    it.effect("give a result, or an error of calling that is caught by its tag", () =>
      Effect.scoped(Effect.gen(function*() {
        const { id, key } = yield* openCaller("searches")
        const context = yield* protocol
        const found = (by: string) => Effect.provideContext(search("refunds", by), context)
        assert.deepStrictEqual(yield* found(key), { hits: [] })
        assert.include(yield* found("svck_unknown"), "The key is malformed, unknown, revoked or expired.")
        yield* (yield* SqlClient.SqlClient)`UPDATE counters SET spent = 1000 WHERE account_id = ${id}`
        assert.match(String(yield* found(key)), /^Buy credits, or pay at http\S+$/u)
      })))

    it.effect("pass over headers of a message that are no text", () =>
      Effect.gen(function*() {
        const url = yield* base
        const body = `${
          JSON.stringify({ _tag: "Request", id: "1", tag: "list_programs", payload: {}, headers: [["x-svc-key", 7], ["x-agent-mode", {}]] })
        }\n`
        const response = yield* Effect.promise(() => fetch(`${url}/rpc`, { method: "POST", body }))
        assert.include(yield* Effect.promise(() => response.text()), "\"Success\"")
      }))

    it.effect("are not for pages of other sites", () =>
      Effect.gen(function*() {
        const url = yield* base
        assert.strictEqual(
          (yield* Effect.promise(() => fetch(`${url}/rpc`, { method: "POST", headers: { origin: "https://evil.example" }, body: "{}" })))
            .status,
          403
        )
      }))
  })

  layer(layerWith({ TOOLS_ANONYMOUS_CALLS_PER_MINUTE: "1" }), { excludeTestServices: true, timeout: "60 seconds" })(
    "of a server that lets a network call once a minute",
    (it) => {
      it.effect("are counted by the connection, whatever addresses their messages name", () =>
        Effect.gen(function*() {
          const url = yield* base
          const calls = Array.from({ length: 30 }, (_, at) =>
            JSON.stringify({
              _tag: "Request",
              id: String(at),
              tag: "list_programs",
              payload: {},
              headers: ["x-svc-address", "x-forwarded-for", "x-real-ip", "forwarded"].map((name) => [name, `203.0.${at}.1`])
            }))
          const response = yield* Effect.promise(() => fetch(`${url}/rpc`, { method: "POST", body: `${calls.join("\n")}\n` }))
          const lines = (yield* Effect.promise(() => response.text())).trim().split("\n")
          assert.strictEqual(lines.filter((line) => line.includes("\"Success\"")).length, 1)
          assert.strictEqual(lines.filter((line) => line.includes("\"RATE_LIMITED\"")).length, 29)
        }))
    }
  )

  layer(scripted, { excludeTestServices: true, timeout: "60 seconds" })("of a gate that follows a script", (it) => {
    it.effect("say of their connection what HTTP says, and of their address what is public", () =>
      Effect.scoped(Effect.gen(function*() {
        const { ping_payment } = yield* client
        yield* ping_payment({}, { headers: { "x-script": "done", "x-svc-address": "203.0.113.1", host: "evil.example" } })
        assert.deepStrictEqual(connections.at(-1), { address: "127.0.0.1", url: "https://tools.example.com/base/rpc" })
      })))

    it.effect.each([
      {
        script: "pay",
        fails: { _tag: "PaymentRequired", code: "PAYMENT_REQUIRED", body: { price: "0.01" }, challenges: [{ id: "ch_1" }] }
      },
      { script: "pending", fails: { _tag: "CallPending", retryable: true, call_id: "call_1", status_url: "/v1/calls/call_1" } },
      { script: "refused", fails: { _tag: "KeyRefused", code: "AUTH_REQUIRED", retryable: false } },
      { script: "late", fails: { _tag: "ToolTimedOut", code: "timed_out", message: "Too late.", retryable: true } },
      { script: "away", fails: { _tag: "NotConfigured", reason: "unset" } }
    ])("fail as the gate says ($script)", ({ fails, script }) =>
      Effect.scoped(Effect.gen(function*() {
        const { ping_payment } = yield* client
        const error = yield* Effect.flip(ping_payment({}, { headers: { "x-script": script } }))
        for (const [name, value] of Object.entries(fails)) assert.deepStrictEqual(field(error, name), value)
      })))

    it.effect("answer what the gate lets through", () =>
      Effect.scoped(Effect.gen(function*() {
        const { ping_payment } = yield* client
        assert.deepStrictEqual({ ...yield* ping_payment({}, { headers: { "x-script": "done" } }) }, {
          ok: true,
          settled_cents: 1,
          message: "Settled."
        })
      })))
  })
})
