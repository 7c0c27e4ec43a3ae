/** What a route does not read is refused by every route that takes a key, as the document has it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt } from "./positions.ts"
import type { Resources } from "./resources.ts"
import { makeResources } from "./resources.ts"
import type { Asked } from "./service.ts"
import { jsonOf, layer as service, must, openMerchant, operatorKey, send } from "./service.ts"

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Without a version, so that the one of a header is the only one. */
const exampleOf = ({ body }: Route): Readonly<Record<string, unknown>> | undefined => {
  const example = body?.example
  if (typeof example !== "object" || example === null) return undefined
  return { ...example, version: undefined, ...("idempotency_key" in example ? { idempotency_key: randomUUID() } : {}) }
}

/** Sends a good request of the route but for what is added to it. */
const asker = Effect.gen(function*() {
  const resources: Resources = yield* makeResources(`unread-${randomUUID()}`)
  const operator = yield* operatorKey
  const routes = routesOf(yield* served).filter(({ key }) => key !== undefined)
  assert.isAbove(routes.length, 30)
  const pathOf = (route: Route) => fillPath(route.path, (position) => idAt(resources, position))
  const ask = (route: Route, { headers = {}, ...asked }: Asked = {}, search = "") =>
    send(route.method, `${pathOf(route)}${search}`, {
      key: route.key === "operator_key" ? operator : resources.merchant.key,
      body: exampleOf(route),
      headers,
      ...asked
    })
  return { ask, resources, routes }
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("what a route does not read", (it) => {
  it.effect("a query parameter is refused by its name", () =>
    Effect.gen(function*() {
      const { ask, routes } = yield* asker
      for (const route of routes) {
        for (const [search, code] of [["?nobody_reads=this", "nobody_reads"], ["?4242424242424242", "************4242"]] as const) {
          const answer = yield* ask(route, {}, search)
          const { code: named, error } = jsonOf(answer)
          assert.deepStrictEqual(
            [answer.status, error, named],
            [400, "validation_error", code],
            `${nameOf(route)}${search}: ${answer.text}`
          )
        }
      }
    }))

  it.effect("a question mark alone asks for nothing", () =>
    Effect.gen(function*() {
      const { ask, routes } = yield* asker
      for (const route of routes.filter(({ method }) => method === "GET")) {
        for (const search of ["?", "?&"]) assert.strictEqual((yield* ask(route, {}, search)).status, 200, `${nameOf(route)}${search}`)
      }
    }))

  it.effect("a body is refused where none is read, by the names of its fields", () =>
    Effect.gen(function*() {
      const { ask, routes } = yield* asker
      const without = routes.filter(({ body, method, upload }) => method !== "GET" && body === undefined && !upload)
      assert.includeMembers(without.map(nameOf), [
        "POST /v1/webhook_endpoint/rotate_secret",
        "DELETE /v1/webhook_endpoint",
        "POST /v1/payment_methods/{id}/revoke"
      ])
      for (const route of without) {
        for (
          const [body, code] of [[{ nobody_reads: 1 }, "nobody_reads"], [[], "body"], [null, "body"], ["text", "body"], [
            { "": 1 },
            "body"
          ]] as const
        ) {
          const answer = yield* ask(route, { body })
          const { code: named, error } = jsonOf(answer)
          assert.deepStrictEqual(
            [answer.status, error, named],
            [400, "validation_error", code],
            `${nameOf(route)} ${JSON.stringify(body)}: ${answer.text}`
          )
        }
      }
    }))

  it.effect("nothing, and an empty object, are no body", () =>
    Effect.gen(function*() {
      const { resources: { merchant: { key } } } = yield* asker
      const rotate = (asked: Asked) => send("POST", "/v1/webhook_endpoint/rotate_secret", { key, ...asked })
      for (const asked of [{}, { body: {} }, { headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0" } }]) {
        const answer = yield* rotate(asked)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.match(String(jsonOf(answer)["secret"]), /^whsec_/)
      }
      assert.strictEqual((yield* send("DELETE", "/v1/webhook_endpoint", { key, body: {} })).status, 204)
    }))

  it.effect("If-Match is compared where the document names it, and refused on any other write", () =>
    Effect.gen(function*() {
      const { ask, routes } = yield* asker
      const compared = new Set<string>()
      for (const route of routes) {
        const named = route.parameters.some(({ in: place, name }) => place === "header" && name.toLowerCase() === "if-match")
        const answer = yield* ask(route, { headers: { "If-Match": "\"999999\"" } })
        const { code, details, error } = jsonOf(answer)
        const said = [answer.status, error, code]
        if (named) {
          compared.add(nameOf(route))
          assert.deepStrictEqual(said, [409, "version_conflict", undefined], `${nameOf(route)}: ${answer.text}`)
          assert.match(JSON.stringify(details), /^\{"version":[1-9]\d*\}$/, nameOf(route))
        } else if (route.method === "GET") assert.strictEqual(answer.status, 200, `${nameOf(route)}: ${answer.text}`)
        else assert.deepStrictEqual(said, [400, "validation_error", "if-match"], `${nameOf(route)}: ${answer.text}`)
      }
      assert.includeMembers([...compared], [
        "PATCH /v1/account",
        "DELETE /v1/webhook_endpoint",
        "POST /v1/webhook_endpoint/rotate_secret",
        "POST /v1/accounts/{id}/suspend",
        "POST /v1/payment_intents/{id}/capture"
      ])
    }))

  it.effect("a verb of a payment intent acts on the version that If-Match names", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("if-match")
      const { id, version } = yield* must("POST", "/v1/payment_intents", {
        key,
        body: { amount: 1999, currency: "USD", idempotency_key: randomUUID() }
      })
      const path = `/v1/payment_intents/${String(id)}`
      const body = { idempotency_key: randomUUID(), payment_method_id: "tok_visa" }
      const authorize = (ifMatch: string) => send("POST", `${path}/authorize`, { key, body, headers: { "If-Match": ifMatch } })
      for (
        const [ifMatch, status] of [["*", 400], [`W/"${String(version)}"`, 400], [`"${Number(version) + 1}"`, 409], [
          `"${String(version)}"`,
          200
        ]] as const
      ) {
        const answer = yield* authorize(ifMatch)
        assert.strictEqual(answer.status, status, `${ifMatch}: ${answer.text}`)
        if (status === 400) assert.strictEqual(jsonOf(answer)["code"], "if-match")
      }
      const replayed = yield* authorize(`"${String(version)}"`)
      assert.deepStrictEqual([replayed.status, replayed.headers["idempotent-replayed"]], [200, "true"])
    }))
})
