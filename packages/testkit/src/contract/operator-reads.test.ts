/** What an operator reads of merchants: each operation that the OpenAPI document opens to both kinds of keys, and no other. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt, unknownLike } from "./positions.ts"
import type { Resources } from "./positions.ts"
import { makeResources } from "./resources.ts"
import { jsonOf, layer as service, operatorKey, send } from "./service.ts"

const takesMerchant = ({ parameters }: Route) =>
  parameters.some((parameter) => parameter.in === "query" && parameter.name === "merchant_id")
const isShared = ({ keys }: Route) => keys.length === 2
const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Without the checkpoints of an export, which are signed anew each time. */
const unsigned = (text: string) => text.replaceAll(/^\{"type":"(?:checkpoint|end)".*\n/gm, "")

const pathOf = ({ path }: Route, of: Resources) => fillPath(path, (position) => idAt(of, position))

/** The address of a passthrough page is told to who made it, and to nobody else. */
const withoutAddresses = (text: string): string => text.replaceAll(/"path":"\/pass\/[\w-]+"/gu, "\"path\":null")

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an operator key", (it) => {
  it.effect("opens, by the document, the lists that take a merchant's id and an account by its own, and nothing else of merchants", () =>
    Effect.gen(function*() {
      const routes = routesOf(yield* served)
      const shared = routes.filter(isShared)
      assert.sameMembers(shared.map(nameOf), [
        ...routes.filter(takesMerchant).map(nameOf),
        "GET /v1/accounts/{id}",
        "GET /v1/accounts/{id}/ledger/export"
      ])
      assert.includeMembers(shared.map(({ path }) => path), [
        "/v1/payment_intents",
        "/v1/payment_methods",
        "/v1/settlements",
        "/v1/balance_accounts",
        "/v1/financial_events",
        "/v1/events",
        "/v1/webhook_events",
        "/v1/api_keys"
      ])
      // A scope is asked of restricted keys; an operator's has none.
      for (const { operation, path, scope } of shared) {
        assert.deepStrictEqual(operation.security, [{ secret_key: [scope ?? ""] }, { operator_key: [] }], path)
        assert.isDefined(scope, path)
      }
    }))

  it.effect("reads each list of the merchant it names, as that merchant does, and of no other", () =>
    Effect.gen(function*() {
      const key = yield* operatorKey
      const lists = routesOf(yield* served).filter(takesMerchant)
      const merchants = [yield* makeResources("one"), yield* makeResources("two")]
      for (const list of lists) {
        assert.strictEqual(list.method, "GET", list.path)
        for (const of of merchants) {
          const ask = (query: string, by: string) => send("GET", `${pathOf(list, of)}${query}`, { key: by })
          // Sums have no pages.
          const size = list.parameters.some(({ name }) => name === "per_page") ? "per_page=100" : ""
          const own = yield* ask(`?${size}`, of.merchant.key)
          assert.strictEqual(own.status, 200, list.path)
          const read = yield* ask(`?${size}&merchant_id=${of.merchant.id}`, key)
          assert.deepStrictEqual([read.status, read.text], [200, withoutAddresses(own.text)], list.path)
          const without = yield* ask("", key)
          assert.deepStrictEqual([without.status, jsonOf(without)["error"]], [403, "forbidden"], list.path)
          for (const id of [unknownLike(of.merchant.id), "x", ""]) {
            const refused = yield* ask(`?merchant_id=${id}`, key)
            assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "merchant_id"], `${list.path} of ${id}`)
          }
        }
      }
    }))

  it.effect("reads what stands under a merchant's id in the path, as that merchant does; one that nobody has is not found", () =>
    Effect.gen(function*() {
      const key = yield* operatorKey
      const merchants = [yield* makeResources("four"), yield* makeResources("five")]
      const routes = routesOf(yield* served).filter((route) => isShared(route) && !takesMerchant(route))
      assert.isNotEmpty(routes)
      for (const route of routes) {
        assert.strictEqual(route.method, "GET", route.path)
        for (const of of merchants) {
          const ask = (by: string, change: (id: string) => string = (id) => id) =>
            send("GET", fillPath(route.path, (position) => change(idAt(of, position))), { key: by })
          const [own, read, unknown, malformed] = [
            yield* ask(of.merchant.key),
            yield* ask(key),
            yield* ask(key, unknownLike),
            yield* ask(key, () => "x")
          ]
          assert.deepStrictEqual([read.status, unsigned(read.text)], [200, unsigned(own.text)], route.path)
          assert.include(read.text, of.merchant.id)
          assert.deepStrictEqual([unknown.status, jsonOf(unknown)["error"]], [404, "not_found"], route.path)
          assert.deepStrictEqual([malformed.status, malformed.text.replace(/"request_id":"[^"]*"/, "")], [
            404,
            unknown.text.replace(/"request_id":"[^"]*"/, "")
          ], route.path)
        }
      }
    }))

  it.effect("changes nothing and reads nothing else in a merchant's name", () =>
    Effect.gen(function*() {
      const key = yield* operatorKey
      const of = yield* makeResources("three")
      const others = routesOf(yield* served).filter((route) => route.key === "secret_key" && !isShared(route))
      assert.isNotEmpty(others.filter(({ method }) => method === "GET"))
      assert.isNotEmpty(others.filter(({ method }) => method !== "GET"))
      for (const route of others) {
        const refused = yield* send(route.method, `${pathOf(route, of)}?merchant_id=${of.merchant.id}`, { key })
        assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [403, "forbidden"], nameOf(route))
      }
    }))
})
