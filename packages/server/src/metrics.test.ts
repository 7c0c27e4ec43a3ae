/** What operators see of requests, payments, deliveries and calls of tools, as Prometheus reads it. */
import { assert, layer } from "@effect/vitest"
import { layer as service, must, openMerchant, operatorKey, send } from "@svc/testkit/contract/service"
import { servicesWith } from "@svc/testkit/services"
import { until } from "@svc/testkit/until"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { listen } from "./listener.ts"
import * as tools from "./tools.ts"

/** The numbers of one page of metrics, by name and labels as they are written. */
const numbersOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
      const at = line.lastIndexOf(" ")
      return [line.slice(0, at), Number(line.slice(at + 1))]
    })
  )

const read = Effect.fnUntraced(function*(key: string) {
  const { headers, status, text } = yield* send("GET", "/metrics", { key })
  assert.deepStrictEqual([status, headers["content-type"]], [200, "text/plain; version=0.0.4; charset=utf-8"])
  return numbersOf(text)
})

layer(service, { excludeTestServices: true, timeout: 60_000 })("metrics", (it) => {
  it.effect("count requests by route and status, and payments by outcome and rail", () =>
    Effect.gen(function*() {
      const operator = yield* operatorKey
      const { key } = yield* openMerchant("metrics")
      const before = yield* read(operator)
      const pay = (payment_method_id: string) => ({
        key,
        body: { amount: 1999, currency: "USD", payment_method_id, capture: true, idempotency_key: randomUUID() }
      })
      const { id, selected_rail } = yield* must("POST", "/v1/payment_intents", pay("tok_visa"))
      yield* send("POST", "/v1/payment_intents", pay("tok_insufficient_funds"))
      yield* must("GET", `/v1/payment_intents/${String(id)}`, { key })
      yield* send("GET", "/v1/no/such/path", { key })
      const after = yield* read(operator)
      const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
      const requests = (labels: string) => more(`svc_http_request_duration_seconds_count{${labels}}`)
      assert.deepStrictEqual({
        made: requests(`method="POST",route="/v1/payment_intents",status="201"`),
        declined: requests(`method="POST",route="/v1/payment_intents",status="402"`),
        read: requests(`method="GET",route="/v1/payment_intents/:id",status="200"`),
        missing: requests(`method="GET",route="none",status="404"`),
        captured: more(`svc_payments{outcome="captured",rail="${String(selected_rail)}"}`)
      }, { made: 1, declined: 1, read: 1, missing: 1, captured: 1 })
      const failed = Array.from(after.keys()).filter((name) => name.startsWith(`svc_payments{outcome="failed"`))
      assert.strictEqual(failed.reduce((sum, name) => sum + more(name), 0), 1)
    }))

  it.effect("tell how much waits in the database", () =>
    Effect.gen(function*() {
      const numbers = yield* read(yield* operatorKey)
      assert.isAtLeast(numbers.get(`svc_database_connections{state="active"}`) ?? 0, 1)
      for (const name of ["svc_timers_overdue", "svc_timers_overdue_seconds", "svc_webhook_queue", "svc_webhook_queue_seconds"]) {
        assert.isAtLeast(numbers.get(name) ?? -1, 0, name)
      }
    }))

  it.effect("tell for how long deliveries lag behind, and nothing of those that a worker has", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const operator = yield* operatorKey
      const { key } = yield* openMerchant("metrics")
      yield* must("PUT", "/v1/webhook_endpoint", { key, body: { url: "http://127.0.0.1:9/" } })
      const lag = Effect.map(read(operator), (numbers) => numbers.get("svc_webhook_queue_seconds") ?? Number.NaN)
      assert.strictEqual(yield* lag, 0)
      const body = { amount: 1999, currency: "USD", idempotency_key: randomUUID() }
      yield* must("POST", "/v1/payment_intents", { key, body })
      yield* until("the lag begins", Effect.map(lag, (seconds) => seconds > 0))
      const first = yield* lag
      yield* until("the lag grows", Effect.map(lag, (seconds) => seconds > first))
      yield* sql`UPDATE webhook_deliveries SET lease_until = now() + interval '1 hour'`
      assert.strictEqual(yield* lag, 0, "in a worker's hands")
      yield* sql`UPDATE webhook_deliveries SET status = 'delivered', lease_until = NULL`
      assert.strictEqual(yield* lag, 0)
    }))

  it.effect("are the operator's alone", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("metrics")
      const answers = [
        yield* send("GET", "/metrics"),
        yield* send("GET", "/metrics", { key }),
        yield* send("GET", "/metrics", { key: "x" })
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [401, 403, 401])
    }))
})

const toolServer = listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
  Layer.provide(tools.listening),
  Layer.provideMerge(servicesWith({ environment: { TOOLS_SIGNUPS_PER_HOUR: "1000" } }))
)

const post = Effect.fnUntraced(function*(path: string, body: object, key?: string) {
  const base = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "x-svc-key": key }) }
  return yield* Effect.promise(() => fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) }))
})

const call = (name: string, args: object, key?: string) =>
  post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }, key)

layer(toolServer, { excludeTestServices: true, timeout: 60_000 })("metrics of the tool server", (it) => {
  it.effect("count calls by tool, payer and outcome", () =>
    Effect.gen(function*() {
      const opened = yield* post("/v1/accounts", { email: `${randomUUID()}@example.com`, name: "Ada" })
      const { api_key }: { readonly api_key: string } = yield* Effect.promise(() => opened.json())
      const before = numbersOf(yield* PrometheusMetrics.format())
      yield* call("score_dispute_readiness", { reason_code: "13.1", evidence: { hasDeliveryProof: true } })
      yield* call("score_dispute_readiness", { reason_code: 13 })
      yield* call("svc_web_search", { operation: "search", namespace: "n", query: "x" }, api_key)
      yield* call("ping_payment", {})
      yield* call(randomUUID(), {})
      const after = numbersOf(yield* PrometheusMetrics.format())
      const more = Array.from(after)
        .filter(([name]) => name.startsWith("svc_tool_calls{"))
        .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
        .filter(([, count]) => count > 0)
      assert.deepStrictEqual(Object.fromEntries(more), {
        [`svc_tool_calls{tool="score_dispute_readiness",payer="free",outcome="succeeded"}`]: 1,
        [`svc_tool_calls{tool="score_dispute_readiness",payer="none",outcome="invalid_arguments"}`]: 1,
        [`svc_tool_calls{tool="svc_web_search",payer="credits",outcome="succeeded"}`]: 1,
        [`svc_tool_calls{tool="ping_payment",payer="none",outcome="payment_required"}`]: 1
      })
    }))
})
