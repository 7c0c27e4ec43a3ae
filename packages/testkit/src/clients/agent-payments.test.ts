/**
 * An agent with a key of its owner pays by the official SDK: it looks up what it costs in another currency, pays, is told to wait for a
 * person above the owner's limit, and sees the payment succeed once the owner has approved it through the payments API.
 */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { makeClient } from "@svc/client/client"
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import * as tools from "@svc/server/tools"
import { Tools } from "@svc/tools/catalog/group"
import { listed, listedToAgents } from "@svc/tools/catalog/index"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { randomUUID } from "node:crypto"
import { verifyBooks } from "../road.ts"
import { servicesWith } from "../services.ts"
import { runClient } from "./installed.ts"
import { base } from "./listener.ts"

/** Where the payments API is reached, beside the tool server. */
class ApiUrl extends Context.Service<ApiUrl, string>()("@svc/testkit/clients/ApiUrl") {}

const api = Layer.effect(ApiUrl, Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))).pipe(
  Layer.provide(listen(routes.layer, { port: 0, host: "127.0.0.1", variable: "API_PORT" }))
)
const toolServer = listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(Layer.provide(tools.listening))

const installation = Layer.merge(api, toolServer).pipe(Layer.provideMerge(servicesWith()))

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const Seen = Schema.Struct({
  tools: Schema.Array(Schema.String),
  answers: Schema.Array(Schema.Struct({
    isError: Schema.optionalKey(Schema.Boolean),
    structuredContent: Schema.optionalKey(Fields),
    code: Schema.optionalKey(Schema.Number),
    data: Schema.optionalKey(Fields)
  }))
})
const decode = Schema.decodeUnknownEffect(Seen)

/** What the agent's program sees that makes these calls. */
const agent = Effect.fnUntraced(
  function*(token: string | undefined, ...calls: ReadonlyArray<{ readonly name: string; readonly arguments: object }>) {
    const url = `${yield* base}/v1/mcp`
    return yield* Effect.flatMap(runClient("agent-payments.mjs", { url, calls, ...(token === undefined ? {} : { token }) }), decode)
  }
)

/** The account's owner: a key of the payments API, and an agent key that may pay up to 100.00 by itself. */
const owner = Effect.gen(function*() {
  const { account, key } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
  const client = yield* makeClient({ baseUrl: yield* ApiUrl, secretKey: key.secret }).pipe(Effect.provide(FetchHttpClient.layer))
  const issued = yield* client.agent_keys.issue({
    payload: {
      name: "Buyer",
      policy: {
        allowed_currencies: ["USD", "EUR"],
        max_amount_minor_cents: 50_000,
        require_approval_above: 10_000,
        budgets: { day: 60_000 }
      }
    }
  })
  return { account, client, token: Redacted.value(issued.token) }
})

const payment = (amount: number, currency = "USD") => ({
  name: "execute_payment",
  arguments: { idempotency_key: randomUUID(), amount, currency, payment_method_id: "tok_visa" }
})
const quote = { name: "get_quote", arguments: { source_amount: 25_000, source_currency: "USD", target_currency: "EUR" } }

const forAgents = listedToAgents.map(({ name }) => name)

layer(installation, { excludeTestServices: true, timeout: "120 seconds" })("an agent of an account", (it) => {
  it.effect("pays what it may, waits for its owner above that, and sees what the owner decided", () =>
    Effect.gen(function*() {
      const { account, client, token } = yield* owner
      const [small, large, other] = [payment(1_999), payment(25_000), payment(20_000)]
      const seen = yield* agent(token, quote, small, large, payment(1, "JPY"), payment(50_001), other, payment(9_999), payment(9_999))
      assert.deepStrictEqual(seen.tools, [...listed.map(({ name }) => name), ...forAgents])
      const [quoted, paid, waits, currency, amount, alsoWaits, last, budget] = seen.answers
      assert.deepInclude(quoted?.structuredContent, { target_amount: 21_408, fee_amount: 250, rate_date: "2026-11-20" })
      assert.deepInclude(paid?.structuredContent, { status: "succeeded", amount: 1_999, currency: "USD" })
      assert.deepInclude(waits?.structuredContent, { status: "pending", pending_reason: "requires_approval" })
      assert.deepInclude(alsoWaits?.structuredContent, { status: "pending" })
      assert.deepInclude(last?.structuredContent, { status: "succeeded" })
      assert.deepStrictEqual([currency, amount, budget].map((one) => [one?.code, one?.data?.["code"]]), [
        [4030, "AGENT_CURRENCY_NOT_ALLOWED"],
        [4030, "AGENT_AMOUNT_NOT_ALLOWED"],
        [4030, "AGENT_BUDGET_EXCEEDED"]
      ])

      const { data: pending } = yield* client.approvals.list({ query: { status: "pending", per_page: 20 } })
      assert.deepStrictEqual(pending.map((one) => one.amount), [20_000, 25_000])
      const [second, first] = pending
      assert.strictEqual<unknown>(first?.id, waits?.structuredContent?.["approval_id"])
      const approved = yield* client.approvals.approve({ params: { id: String(first?.id) }, payload: { idempotency_key: randomUUID() } })
      assert.deepInclude(approved, { state: "captured", captured_amount: 25_000 })
      const rejected = yield* client.approvals.reject({ params: { id: String(second?.id) }, payload: { idempotency_key: randomUUID() } })
      assert.strictEqual(rejected.state, "cancelled")

      const [again, refused, room] = (yield* agent(token, large, other, payment(9_999))).answers
      assert.deepInclude(again?.structuredContent, {
        status: "succeeded",
        payment_id: waits?.structuredContent?.["payment_id"],
        approval_id: first?.id
      })
      assert.deepStrictEqual([refused?.isError, refused?.structuredContent?.["error"] instanceof Object], [true, true])
      assert.include(JSON.stringify(refused?.structuredContent), "payment_rejected")
      // What was rejected gave its room back.
      assert.deepInclude(room?.structuredContent, { status: "succeeded" })
      assert.isNull((yield* verifyBooks(account.id)).first_break)
      assert.isTrue((yield* client.financial_events.verify({ query: {} })).ok)
    }), 300_000)

  it.effect("is seen and served the tools for agents at every door, and nobody else is", () =>
    Effect.scoped(Effect.gen(function*() {
      const { client, token } = yield* owner
      const stranger = yield* agent(undefined, quote)
      assert.deepStrictEqual(stranger.tools, listed.map(({ name }) => name))
      assert.deepStrictEqual(stranger.answers[0]?.data?.["code"], "AUTH_REQUIRED")

      const url = yield* base
      const bare = Effect.fnUntraced(function*(authorization: string) {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: quote })
        const response = yield* Effect.promise(() =>
          fetch(`${url}/v1/mcp`, { method: "POST", body, headers: { "content-type": "application/json", authorization } })
        )
        return [response.status, yield* Effect.promise(() => response.text())] as const
      })
      const toolKey = yield* client.api_keys.create({ payload: { kind: "tool", name: "Tools" } })
      const [status, text] = yield* bare(`Bearer ${token}`)
      assert.strictEqual(status, 200)
      assert.include(text, "21408")
      assert.strictEqual((yield* bare(`Bearer ${Redacted.value(toolKey.secret)}`))[0], 401)

      const protocol = RpcClient.layerProtocolHttp({ url: `${url}/rpc` }).pipe(
        Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
      )
      const rpc = yield* Effect.provideContext(RpcClient.make(Tools), yield* Layer.build(protocol))
      assert.strictEqual((yield* rpc.get_quote(quote.arguments, { headers: { authorization: `Bearer ${token}` } })).target_amount, 21_408)
      const wanted = payment(10_001).arguments
      assert.strictEqual((yield* rpc.execute_payment(wanted, { headers: { authorization: `Bearer ${token}` } })).status, "pending")
      assert.deepInclude(yield* Effect.flip(rpc.execute_payment(wanted)), { _tag: "KeyRefused", code: "AUTH_REQUIRED" })

      // An agent does not approve what it asked for.
      const { data: [waiting] } = yield* client.approvals.list({ query: { status: "pending", per_page: 20 } })
      const approve = `${yield* ApiUrl}/v1/approvals/${String(waiting?.id)}/approve`
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const own = yield* Effect.promise(() =>
        fetch(approve, { method: "POST", body: JSON.stringify({ idempotency_key: randomUUID() }), headers })
      )
      assert.strictEqual(own.status, 403)
    })), 300_000)
})
