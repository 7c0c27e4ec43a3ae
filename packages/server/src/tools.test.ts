/** What the tool server says of itself, with a database and without one. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { ServerConfig } from "./config.ts"
import { listen } from "./listener.ts"
import * as services from "./services.ts"
import * as tools from "./tools.ts"

const serving = (database: typeof layerDatabase | Layer.Layer<DatabaseConfig>) =>
  listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
    Layer.provide(
      Layer.unwrap(
        Effect.map(ServerConfig, (config) => services.layer(config, { base_url: "http://svc.test", tools_url: "http://tools.svc.test" }))
      )
    ),
    Layer.provideMerge(Database.layer),
    Layer.provide([database, NodeCrypto.layer])
  )

/** Nobody listens on the port of discarded packets. */
const nowhere = Layer.succeed(DatabaseConfig, { host: "127.0.0.1", port: 9, username: "nobody", database: "none" })

const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const send = Effect.fnUntraced(function*(path: string, method = "GET") {
  const base = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const response = yield* Effect.promise(() => fetch(`${base}${path}`, { method }))
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, headers: response.headers, body: text === "" ? {} : yield* decode(text) }
})

describe("the tool server", () => {
  layer(serving(layerDatabase), { excludeTestServices: true, timeout: "60 seconds" })("with its database", (it) => {
    it.effect.each([
      { path: "/livez", says: { status: "ok" } },
      { path: "/readyz", says: { status: "ok" } },
      { path: "/v1/health", says: { status: "healthy", database: "up", cache: "down" } }
    ])("answers $path", ({ path, says }) =>
      Effect.gen(function*() {
        const { body, headers, status } = yield* send(path)
        assert.strictEqual(status, 200)
        assert.deepInclude(body, says)
        assert.match(headers.get("request-id") ?? "", /^req_/)
        assert.deepStrictEqual([(yield* send(path, "HEAD")).status], [200])
      }))

    it.effect.each(
      [
        ["PUT", "/mcp", "POST, GET, HEAD, DELETE, OPTIONS"],
        ["PATCH", "/v1/mcp", "POST, GET, HEAD, DELETE, OPTIONS"],
        ["GET", "/messages", "POST, OPTIONS"],
        ["GET", "/rpc", "POST"],
        ["PUT", "/v1/accounts", "POST"],
        ["DELETE", "/v1/credits/purchases", "POST, GET, HEAD"],
        ["POST", "/v1/credits/purchases/cpur_1", "GET, HEAD"],
        ["POST", "/openapi.json", "GET, HEAD"],
        ["POST", "/v1/docs", "GET, HEAD"],
        ["DELETE", "/v1/install/claude?x=1", "GET, HEAD"],
        ["GET", "/v1/analyze", "POST"],
        ["PUT", "/pay/x", "GET, HEAD, POST"],
        ["POST", "/livez", "GET, HEAD"]
      ] as const
    )("%s is no method of %s", ([method, path, allow]) =>
      Effect.gen(function*() {
        const { body, headers, status } = yield* send(path, method)
        assert.deepStrictEqual([status, body["error"], headers.get("allow"), body["request_id"]], [
          405,
          "method_not_allowed",
          allow,
          headers.get("request-id")
        ])
      }))

    it.effect("says where the fields of an operation stand, and they stand there", () =>
      Effect.gen(function*() {
        const { body, status } = yield* send("/v1/accounts", "POST")
        assert.deepStrictEqual([status, body["code"]], [400, "body"])
        const place = /they stand in (\S+?)\.?(?:\s|$)/.exec(String(body["message"]))?.[1] ?? ""
        assert.strictEqual((yield* send(place)).status, 200, String(body["message"]))
      }))

    it.effect("has no other route, and says which it has", () =>
      Effect.gen(function*() {
        for (const [path, method] of [["/v1/accounts/x", "GET"], ["/v1/payment_intents", "POST"], ["/v1/error_codes", "GET"]] as const) {
          const { body, status } = yield* send(path, method)
          assert.deepStrictEqual([status, body["error"]], [404, "not_found"], path)
          for (const served of ["/v1/accounts", "/v1/agents/signup", "/v1/health", "/livez", "/readyz"]) {
            assert.include(String(body["message"]), served)
          }
        }
      }))
  })

  layer(serving(nowhere), { excludeTestServices: true, timeout: "60 seconds" })("without its database", (it) => {
    it.effect("lives, is not ready, and says why", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send("/livez")).status, 200)
        const { body, headers, status } = yield* send("/readyz")
        assert.deepStrictEqual([status, body["error"]], [503, "service_unavailable"])
        assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        assert.strictEqual(body["request_id"], headers.get("request-id"))
        const health = yield* send("/v1/health")
        assert.strictEqual(health.status, 200)
        assert.deepInclude(health.body, { status: "unhealthy", database: "down" })
      }))
  })
})
