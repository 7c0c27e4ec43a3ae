/** What a cache may keep, and what a browser may do with the pages that are not the documentation. */
import { assert, layer } from "@effect/vitest"
import { jsonOf, layer as service, must, openMerchant, operatorKey, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an answer", (it) => {
  it.effect("with a secret, with somebody's money or a refusal is kept by no cache", () =>
    Effect.gen(function*() {
      const [{ key }, operator] = [yield* openMerchant("caches"), yield* operatorKey]
      const secrets = [
        ["POST", "/v1/api_keys", { key, body: { kind: "secret", name: "Shop" } }],
        ["POST", "/v1/accounts", { key: operator, body: { name: "Merchant", sandbox: true } }],
        ["PUT", "/v1/webhook_endpoint", { key, body: { url: "http://127.0.0.1:9/hook" } }],
        ["POST", "/v1/webhook_endpoint/rotate_secret", { key }]
      ] as const
      for (const [method, path, asked] of secrets) {
        const answer = yield* send(method, path, asked)
        assert.match(
          answer.text,
          /"(?:secret|secret_key|signing_secret)":\s*"\w{20,}|whsec_/,
          `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`
        )
        assert.strictEqual(answer.headers["cache-control"], "no-store", path)
      }
      for (
        const [path, status] of [["/v1/payment_intents", 200], ["/v1/account", 200], ["/v1/payment_intents/none", 404], ["/none", 404], [
          "/livez",
          200
        ]] as const
      ) {
        const answer = yield* send("GET", path, { key })
        assert.deepStrictEqual([answer.status, answer.headers["cache-control"]], [status, "no-store"], path)
      }
    }))

  it.effect("of the simulator's page may not be framed, and runs nothing", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("pages")
      const { id } = yield* must("POST", "/v1/payment_intents", {
        key,
        body: { amount: 1999, currency: "USD", idempotency_key: randomUUID() }
      })
      const authorized = yield* must("POST", `/v1/payment_intents/${String(id)}/authorize`, {
        key,
        body: { payment_method_id: "tok_requires_action", idempotency_key: randomUUID() }
      })
      const { url } = Object(authorized["next_action"])
      const page = new URL(String(url)).pathname
      for (const [method, path, status] of [["GET", page, 200], ["POST", `${page}/pass`, 200], ["GET", page, 404]] as const) {
        const answer = yield* send(method, path)
        assert.strictEqual(answer.status, status, answer.text)
        assert.match(
          answer.headers["content-security-policy"] ?? "",
          /^default-src 'none'; style-src(?: 'sha256-[\w+/=]+')+; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/u
        )
        assert.deepInclude(answer.headers, { "x-content-type-options": "nosniff", "cache-control": "no-store" })
      }
      assert.strictEqual(jsonOf(yield* send("GET", `/v1/payment_intents/${String(id)}`, { key }))["state"], "authorized")
    }))
})
