/** A program on Effect that calls the tools by their types: through the same gate as every other caller. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import * as typed from "@svc/doors/typed/door"
import * as finish from "@svc/server/finish"
import { listen } from "@svc/server/listener"
import { Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { Tools } from "@svc/tools/catalog/index"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { field } from "./conformance/parts.ts"
import { base, toolServer } from "./listener.ts"

const client = Effect.gen(function*() {
  const protocol = RpcClient.layerProtocolHttp({ url: `${yield* base}/rpc` }).pipe(
    Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
  )
  // For as long as the test: `Effect.provide` would end it with the making.
  const context = yield* Layer.build(protocol)
  return yield* Effect.provideContext(RpcClient.make(Tools), context)
})

const answers: Readonly<Record<string, ToolAnswer>> = {
  pay: { _tag: "PaymentRequired", body: { price: "0.01" }, inBand: {}, challenges: [{ id: "ch_1" }], authenticate: [], headers: {} },
  pending: { _tag: "Pending", call_id: "call_1", status_url: "/v1/calls/call_1", headers: {} },
  refused: refuse("AUTH_REQUIRED", "None was sent."),
  failed: {
    _tag: "Answered",
    isError: true,
    result: { error: { code: "declined", message: "No.", retryable: false } },
    headers: {},
    meta: {}
  },
  away: {
    _tag: "Answered",
    isError: false,
    result: { _not_configured: true, reason: "unset", detail: "d", remediation: "r" },
    headers: {},
    meta: {}
  },
  done: { _tag: "Answered", isError: false, result: { ok: true, settled_cents: 1, message: "Settled." }, headers: {}, meta: {} }
}

const scripted = listen(Layer.merge(typed.layer, finish.layer), { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(Layer.provide([
  Layer.mock(Gate)({
    call: ({ headers }) => Effect.succeed(answers[headers["x-script"] ?? ""] ?? refuse("UNKNOWN_TOOL", "It was called so."))
  }),
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

  layer(scripted, { excludeTestServices: true, timeout: "60 seconds" })("of a gate that follows a script", (it) => {
    it.effect.each([
      { script: "pay", fails: { _tag: "PaymentDue", body: { price: "0.01" }, challenges: [{ id: "ch_1" }] } },
      { script: "pending", fails: { _tag: "CallPending", call_id: "call_1", status_url: "/v1/calls/call_1" } },
      { script: "refused", fails: { _tag: "CallRefused", code: "AUTH_REQUIRED", status: 401 } },
      { script: "failed", fails: { _tag: "ToolFailed", code: "declined", retryable: false } },
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
