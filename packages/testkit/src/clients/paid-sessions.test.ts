/**
 * Programs of the official SDK that pay with mppx, against the tool server: the wrapped client, and the `fetch` that pays as that of a
 * transport.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { client } from "./install.ts"
import { base, toolServer } from "./listener.ts"

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const Printed = Schema.Struct({
  isError: Schema.Boolean,
  structuredContent: Fields,
  meta: Fields,
  calls: Schema.Array(Schema.Struct({ status: Schema.Number, sent: Schema.Array(Schema.String) })),
  freeAfterwards: Schema.Boolean
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Printed))

interface Case {
  readonly pays: "wrapped" | "aloud" | "quietly"
  readonly wallet: "card" | "evm" | "x402"
  readonly transport: "http" | "sse" | "v2"
  /** Each POST of the call: its status, and the header that it was paid with. */
  readonly calls: ReadonlyArray<{ readonly status: number; readonly sent: ReadonlyArray<string> }>
}

const inResult = (status: number) => [{ status, sent: [] }, { status, sent: [] }]
const overHttp = (header: string) => [{ status: 402, sent: [] }, { status: 200, sent: [header] }]

const cases: ReadonlyArray<Case> = [
  { pays: "wrapped", wallet: "card", transport: "http", calls: inResult(200) },
  { pays: "wrapped", wallet: "evm", transport: "http", calls: inResult(200) },
  { pays: "wrapped", wallet: "card", transport: "sse", calls: inResult(202) },
  { pays: "wrapped", wallet: "evm", transport: "sse", calls: inResult(202) },
  { pays: "wrapped", wallet: "card", transport: "v2", calls: inResult(200) },
  { pays: "wrapped", wallet: "evm", transport: "v2", calls: inResult(200) },
  { pays: "aloud", wallet: "card", transport: "http", calls: overHttp("authorization") },
  { pays: "aloud", wallet: "evm", transport: "http", calls: overHttp("authorization") },
  { pays: "aloud", wallet: "x402", transport: "http", calls: overHttp("payment-signature") },
  { pays: "aloud", wallet: "card", transport: "v2", calls: overHttp("authorization") },
  { pays: "aloud", wallet: "x402", transport: "v2", calls: overHttp("payment-signature") },
  { pays: "quietly", wallet: "card", transport: "http", calls: inResult(200) },
  { pays: "quietly", wallet: "evm", transport: "http", calls: inResult(200) }
]

const SIGNUP = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ agent_name: "session" }) }
const decodeSignup = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ token: Schema.String })))
const decodeUsage = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ total: Schema.Number })))

const read = (url: string, init: RequestInit) => Effect.promise(() => fetch(url, init).then((response) => response.text()))

layer(toolServer, { excludeTestServices: true, timeout: "120 seconds" })("mppx in a session", (it) => {
  it.effect.each(cases)(
    "$pays, $wallet, over $transport: is asked, pays, and has its result and receipt",
    ({ calls, pays, transport, wallet }) =>
      Effect.gen(function*() {
        const address = yield* base
        const { token } = yield* Effect.flatMap(read(`${address}/v1/agents/signup`, SIGNUP), decodeSignup)
        const { code, stderr, stdout } = yield* client(
          "pay-mcp.mjs",
          `${address}${transport === "sse" ? "/v1/mcp/sse" : "/v1/mcp"}`,
          transport,
          pays,
          wallet,
          token
        )
        assert.strictEqual(code, 0, stderr)
        const printed = yield* decode(stdout.trim())
        assert.isFalse(printed.isError)
        assert.deepInclude(printed.structuredContent, { ok: true, settled_cents: 1 })
        assert.deepStrictEqual(printed.calls, calls)
        if (wallet !== "x402") assert.deepInclude(printed.meta["org.paymentauth/receipt"], { status: "success", settlement: "simulated" })
        else assert.deepInclude(printed.meta["x402/payment-response"], { success: true })
        assert.isTrue(printed.freeAfterwards)
        // It is the call of whoever opened the session, and it was paid for once.
        const { total } = yield* Effect.flatMap(read(`${address}/v1/usage`, { headers: { authorization: `Bearer ${token}` } }), decodeUsage)
        assert.strictEqual(total, 1)
      }),
    300_000
  )
})
