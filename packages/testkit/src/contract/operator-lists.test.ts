/** What an operator reads of merchants, on every list of the OpenAPI document. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt, unknownLike } from "./positions.ts"
import type { Resources } from "./positions.ts"
import { makeResources } from "./resources.ts"
import { jsonOf, layer as service, operatorKey, send } from "./service.ts"

const takesMerchant = ({ parameters }: Route) => parameters.some((parameter) => parameter.in === "query" && parameter.name === "merchant_id")

const pathOf = ({ path }: Route, of: Resources) => fillPath(path, (position) => idAt(of, position))

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an operator key", (it) => {
  it.effect("reads each list of the merchant it names, as that merchant does, and of no other", () =>
    Effect.gen(function*() {
      const key = yield* operatorKey
      const lists = routesOf(yield* served).filter(takesMerchant)
      assert.includeMembers(lists.map(({ path }) => path), ["/v1/payment_intents", "/v1/payment_methods", "/v1/balance_accounts", "/v1/financial_events", "/v1/events", "/v1/webhook_events", "/v1/api_keys"])
      const merchants = [yield* makeResources("one"), yield* makeResources("two")]
      for (const list of lists) {
        assert.strictEqual(list.method, "GET", list.path)
        for (const of of merchants) {
          const ask = (query: string, by: string) => send("GET", `${pathOf(list, of)}${query}`, { key: by })
          const own = yield* ask("?per_page=100", of.merchant.key)
          const read = yield* ask(`?per_page=100&merchant_id=${of.merchant.id}`, key)
          assert.deepStrictEqual([read.status, read.text], [200, own.text], list.path)
          const without = yield* ask("", key)
          assert.deepStrictEqual([without.status, jsonOf(without)["error"]], [403, "forbidden"], list.path)
          for (const id of [unknownLike(of.merchant.id), "x", ""]) {
            const refused = yield* ask(`?merchant_id=${id}`, key)
            assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "merchant_id"], `${list.path} of ${id}`)
          }
        }
      }
    }))

  it.effect("changes nothing and reads nothing else in a merchant's name", () =>
    Effect.gen(function*() {
      const key = yield* operatorKey
      const of = yield* makeResources("three")
      const others = routesOf(yield* served).filter((route) => route.key === "secret_key" && !takesMerchant(route))
      assert.isNotEmpty(others)
      for (const route of others) {
        const refused = yield* send(route.method, `${pathOf(route, of)}?merchant_id=${of.merchant.id}`, { key })
        assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [403, "forbidden"], `${route.method} ${route.path}`)
      }
    }))
})
