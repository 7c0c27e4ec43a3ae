/**
 * The tenant matrix, made from the OpenAPI document: each route, each place where it names something, each
 * kind of key. What belongs to somebody else answers as what does not exist, and nothing of it is shown or changed.
 */
import { assert, layer } from "@effect/vitest"
import { ApiKeyScope } from "@svc/accounts/access/model"
import { catalog } from "@svc/server/catalog"
import { Context, Effect, Layer, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { Document, Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import {
  bodyPositions,
  fillPath,
  idAt,
  isCursor,
  neighbourOf,
  otherBodies,
  positionsOf,
  queryPosition,
  textsOf,
  unknownLike
} from "./positions.ts"
import type { Resources } from "./resources.ts"
import { fitFor, hasKeyInHeaderAlone, makeAnother, makeResources, readyFor, snapshot } from "./resources.ts"
import type { Asked } from "./service.ts"
import { itemsOf, jsonOf, layer as service, must, openMerchant, operatorKey, restrictedKey, send } from "./service.ts"
import type { WireAnswer } from "./wire.ts"

const scopes = Array.from(catalog.scopes).filter(Schema.is(ApiKeyScope))

interface Cast {
  readonly document: Document
  readonly routes: ReadonlyArray<Route>
  readonly mine: Resources
  readonly theirs: Resources
  readonly operator: string
  readonly revoked: string
}

/** Two merchants with one of everything each, and the other keys. */
class Stage extends Context.Service<Stage, Cast>()("@svc/testkit/contract/Stage") {}

const layerStage = Layer.effect(
  Stage,
  Effect.gen(function*() {
    const document = yield* served
    const mine = yield* makeResources("mine")
    const { key } = mine.merchant
    const made = yield* must("POST", "/v1/api_keys", { key, body: { name: "Revoked", kind: "secret" } })
    yield* must("POST", `/v1/api_keys/${String(made["id"])}/revoke`, { key })
    return {
      document,
      routes: routesOf(document),
      mine,
      theirs: yield* makeResources("theirs"),
      operator: yield* operatorKey,
      revoked: String(made["secret"])
    }
  })
).pipe(Layer.provideMerge(service))

/** All that a caller sees of an answer that may not depend on who owns what. */
const seen = ({ headers, status, text }: WireAnswer) => {
  const { "request-id": id = "", date: _, "ratelimit-remaining": __, "ratelimit-reset": ___, ...others } = headers
  return { status, text: id === "" ? text : text.replaceAll(id, "<request id>"), headers: others }
}

const isSchema = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** The example body, with a key of its own and the fields in `changes` set. */
const bodyOf = ({ body }: Route, changes: Readonly<Record<string, unknown>> = {}): Pick<Asked, "body"> => {
  if (body === undefined || !isSchema(body.example)) return {}
  return { body: { ...body.example, ...("idempotency_key" in body.example ? { idempotency_key: randomUUID() } : {}), ...changes } }
}

/** A fresh key, where the body has a place for it. */
const keyIn = (documented: unknown) => isSchema(documented) && "idempotency_key" in documented ? { idempotency_key: randomUUID() } : {}

/** The code of what the route is about, where the body has a place for it. */
const codeOf = (documented: unknown, fresh: Readonly<Record<string, unknown>> | undefined) =>
  isSchema(documented) && "code" in documented && fresh?.["code"] !== undefined ? { code: fresh["code"] } : {}

/** The route's path with ids of these resources, each changed by `change`. */
const pathOf = ({ path }: Route, resources: Resources, change: (id: string) => string = (id) => id): string =>
  fillPath(path, (position) => encodeURIComponent(change(idAt(resources, position))))

const ask = (route: Route, path: string, asked: Asked) => send(route.method, path, { ...bodyOf(route), ...asked })
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const hasId = ({ path }: Route) => path.includes("{")
const queryOf = ({ parameters }: Route) => parameters.filter((parameter) => parameter.in === "query")
const queryNames = (route: Route) => queryOf(route).map(({ name }) => name)
const takesMerchant = (route: Route) => queryNames(route).includes("merchant_id")

const malformed = ["x", "%2F", "..%2F..", "%F0%9F%98%80", "null", "a".repeat(300), "pi_01KDV8Q400"]

/** Everything of the other merchant that must not turn up. */
const foreignTexts = ({ mine, theirs }: Pick<Cast, "mine" | "theirs">) => {
  const own = new Set(textsOf(mine))
  return textsOf(theirs).filter((text) => !own.has(text))
}

/** Runs a check for each route; at least one has to fit, or the check has checked nothing. */
const forEachRoute = Effect.fnUntraced(
  function*<R>(which: (route: Route) => boolean, check: (route: Route, cast: Cast) => Effect.Effect<void, never, R>) {
    const cast = yield* Stage
    const routes = cast.routes.filter(which)
    assert.isNotEmpty(routes)
    yield* Effect.forEach(routes, (route) => check(route, cast), { discard: true })
  }
)

layer(layerStage, { excludeTestServices: true, timeout: "60 seconds" })("tenant matrix", (it) => {
  it.effect("of every place where a route names something it is known what", () =>
    forEachRoute(
      () => true,
      Effect.fnUntraced(function*(route, { document, mine, routes, theirs }) {
        yield* Effect.void
        const places = [
          ...queryOf(route).map((parameter) => queryPosition(route, parameter)),
          ...bodyPositions(document, routes, route).map(({ of }) => of)
        ]
        for (const resources of [mine, theirs]) {
          pathOf(route, resources)
          for (const of of places) assert.notStrictEqual(of?.(resources), "", nameOf(route))
        }
      })
    ))

  it.effect("with its own id and key each route is admitted, so that the refusals below mean something", () =>
    forEachRoute(
      (route) => route.key !== undefined,
      Effect.fnUntraced(function*(route, { mine, operator }) {
        if (route.method !== "GET") return
        const answer = yield* ask(route, pathOf(route, mine), { key: route.key === "operator_key" ? operator : mine.merchant.key })
        assert.strictEqual(answer.status, 200, `${nameOf(route)}: ${answer.text}`)
      })
    ))

  it.effect("what is somebody else's answers as what does not exist, byte for byte", () =>
    Effect.gen(function*() {
      const { theirs } = yield* Stage
      const before = yield* snapshot(theirs)
      yield* forEachRoute(
        (route) => hasId(route) && route.key === "secret_key",
        Effect.fnUntraced(function*(route, { mine }) {
          const key = mine.merchant.key
          const foreign = yield* ask(route, pathOf(route, theirs), { key })
          const unknown = yield* ask(route, pathOf(route, theirs, unknownLike), { key })
          assert.strictEqual(foreign.status, 404, `${nameOf(route)}: ${foreign.text}`)
          assert.deepStrictEqual(seen(foreign), seen(unknown), nameOf(route))
        })
      )
      assert.deepStrictEqual(yield* snapshot(theirs), before, "nothing of theirs has changed")
    }))

  it.effect(
    "a malformed id is not found, in the same bytes as an unknown one",
    () =>
      forEachRoute(
        (route) => hasId(route) && route.key !== undefined,
        Effect.fnUntraced(function*(route, { mine, operator, theirs }) {
          const key = route.key === "operator_key" ? operator : mine.merchant.key
          const unknown = seen(yield* ask(route, pathOf(route, mine, unknownLike), { key }))
          for (const id of malformed) {
            const answer = yield* ask(route, fillPath(route.path, () => id), { key })
            assert.include([400, 404], answer.status, `${nameOf(route)} with ${id}: ${answer.text}`)
            // What is too long for an id the router refuses for every route.
            if (unknown.status === 404 && id.length < 100) {
              assert.deepStrictEqual(seen(answer), unknown, `${nameOf(route)} with ${id}`)
            }
            for (const text of foreignTexts({ mine, theirs })) assert.notInclude(answer.text, text)
          }
        })
      ),
    600_000
  )

  it.effect("a missing, unknown and revoked key are one and the same, whatever is asked for", () =>
    forEachRoute(
      (route) => route.key !== undefined,
      Effect.fnUntraced(function*(route, { mine, revoked, theirs }) {
        const missing = seen(yield* ask(route, pathOf(route, mine), {}))
        assert.strictEqual(missing.status, 401, nameOf(route))
        for (const key of [revoked, "sk_test_00000000000000000000000000000000", "sk_live_", "x"]) {
          for (const resources of [mine, theirs]) {
            assert.deepStrictEqual(seen(yield* ask(route, pathOf(route, resources), { key })), missing, `${nameOf(route)} with ${key}`)
          }
        }
      })
    ))

  it.effect("a restricted key without the scope is refused before anything is looked up", () =>
    Effect.gen(function*() {
      const { mine } = yield* Stage
      const keys = new Map(
        yield* Effect.forEach(
          scopes,
          Effect.fnUntraced(function*(scope) {
            return [scope, yield* restrictedKey(mine.merchant, scopes.filter((other) => other !== scope))] as const
          })
        )
      )
      yield* forEachRoute(
        (route) => route.key === "secret_key",
        Effect.fnUntraced(function*(route, { theirs }) {
          const scope = scopes.find((known) => known === route.scope)
          assert(scope !== undefined, `${nameOf(route)} names no scope`)
          const key = keys.get(scope)
          const own = yield* ask(route, pathOf(route, mine), { key })
          assert.deepStrictEqual([own.status, jsonOf(own)["error"]], [403, "forbidden"], nameOf(route))
          for (const path of [pathOf(route, theirs), pathOf(route, mine, unknownLike)]) {
            assert.deepStrictEqual(seen(yield* ask(route, path, { key })), seen(own), nameOf(route))
          }
        })
      )
    }))

  it.effect("merchants' and operators' keys do not open each other's routes, nor an operator's one where it must say whose it reads", () =>
    forEachRoute(
      (route) => route.keys.length === 1 || (route.keys.length === 2 && takesMerchant(route)),
      Effect.fnUntraced(function*(route, { mine, operator, theirs }) {
        const key = route.key === "operator_key" ? mine.merchant.key : operator
        const own = yield* ask(route, pathOf(route, mine), { key })
        assert.deepStrictEqual([own.status, jsonOf(own)["error"]], [403, "forbidden"], nameOf(route))
        for (const path of [pathOf(route, theirs), pathOf(route, mine, unknownLike)]) {
          assert.deepStrictEqual(seen(yield* ask(route, path, { key })), seen(own), nameOf(route))
        }
      })
    ))

  it.effect("the operator meets an unknown account as what does not exist", () =>
    forEachRoute(
      (route) => hasId(route) && route.keys.includes("operator_key") && !takesMerchant(route),
      Effect.fnUntraced(function*(route, { mine, operator }) {
        const answer = yield* ask(route, pathOf(route, mine, unknownLike), { key: operator })
        assert.deepStrictEqual([answer.status, jsonOf(answer)["error"]], [404, "not_found"], nameOf(route))
      })
    ))

  it.effect("no list shows a row of somebody else, whatever it is filtered by", () =>
    forEachRoute(
      (route) => route.method === "GET" && route.key === "secret_key" && queryNames(route).length > 0,
      Effect.fnUntraced(function*(route, { mine, theirs }) {
        const path = pathOf(route, mine)
        const places = queryOf(route).flatMap((parameter) => {
          const of = queryPosition(route, parameter)
          return of === undefined ? [] : [{ name: parameter.name, cursor: isCursor(parameter), of }]
        })
        const filters = places.map(({ cursor, name, of }) => ({
          name,
          foreign: of(theirs),
          unknown: (cursor ? neighbourOf : unknownLike)(of(theirs))
        }))
        const list = (query: string) => send("GET", `${path}?${query}`, { key: mine.merchant.key })
        const everything = queryNames(route).includes("per_page") ? "per_page=100" : ""
        for (const query of [everything, ...filters.map(({ foreign, name }) => `${name}=${encodeURIComponent(foreign)}`)]) {
          const answer = yield* list(query)
          assert.strictEqual(answer.status, 200, `${path}?${query}: ${answer.text}`)
          for (const text of foreignTexts({ mine, theirs })) assert.notInclude(answer.text, text, `${path}?${query}`)
        }
        for (const { foreign, name, unknown } of filters) {
          const [one, other] = [
            yield* list(`${name}=${encodeURIComponent(foreign)}`),
            yield* list(`${name}=${encodeURIComponent(unknown)}`)
          ]
          assert.deepStrictEqual(seen(one), seen(other), `${path}?${name}`)
        }
        for (const { name, of } of places.filter(({ cursor }) => !cursor)) {
          const found = (resources: Resources) =>
            Effect.map(list(`${name}=${encodeURIComponent(of(resources))}`), (answer) => itemsOf(jsonOf(answer)))
          assert.isNotEmpty(yield* found(mine), `${path}?${name} finds one's own`)
          assert.isEmpty(yield* found(theirs), `${path}?${name} finds nothing of somebody else's`)
        }
      })
    ))

  it.effect("a parameter that a route does not know is refused by its name", () =>
    forEachRoute(
      (route) => route.method === "GET" && route.key === "secret_key" && queryNames(route).length > 0,
      Effect.fnUntraced(function*(route, { mine }) {
        const answer = yield* send("GET", `${pathOf(route, mine)}?created_gte=2026-01-01`, { key: mine.merchant.key })
        assert.deepStrictEqual([answer.status, jsonOf(answer)["code"]], [400, "created_gte"], nameOf(route))
      })
    ))

  it.effect("what a body names is looked for among one's own", () =>
    Effect.gen(function*() {
      const { document, mine, routes, theirs } = yield* Stage
      const key = mine.merchant.key
      const fields = routes.flatMap((route) => bodyPositions(document, routes, route).map((field) => ({ route, ...field })))
      assert.isNotEmpty(fields)
      for (const { name, of, route } of fields) {
        const collection = positionsOf(route)[0]?.collection
        const ready = readyFor[nameOf(route)]
        const fresh: Readonly<Record<string, unknown>> | undefined = collection === undefined
          ? undefined
          : yield* ready?.(mine.merchant) ?? makeAnother(routes, collection, mine.merchant) ?? Effect.undefined
        const path = fillPath(route.path, (position) => String(fresh?.["id"] ?? idAt(mine, position)))
        const documented = bodyOf(route).body
        const mineOf = (field: Pick<(typeof fields)[number], "name" | "of">) =>
          (fitFor[`${nameOf(route)} ${field.name}`] ?? fitFor[field.name])?.(key) ?? Effect.succeed(field.of(mine))
        const named = fields.filter((field) => field.route === route && isSchema(documented) && field.name in documented)
        const own = yield* Effect.forEach(named, (field) => Effect.map(mineOf(field), (value) => [field.name, value] as const))
        const naming = (value: string) => {
          const instead = otherBodies[`${nameOf(route)} ${name}`]
          return {
            key,
            headers: hasKeyInHeaderAlone(route) ? { "Idempotency-Key": randomUUID() } : {},
            ...(instead === undefined
              ? bodyOf(route, { ...Object.fromEntries(own), ...codeOf(documented, fresh), [name]: value })
              : { body: { ...keyIn(documented), ...instead, [name]: value } })
          }
        }
        const foreign = yield* send(route.method, path, naming(of(theirs)))
        const unknown = yield* send(route.method, path, naming(unknownLike(of(theirs))))
        assert.isAtLeast(foreign.status, 400, `${nameOf(route)}: ${foreign.text}`)
        assert.deepStrictEqual(seen(foreign), seen(unknown), nameOf(route))
        assert.isBelow(
          (yield* send(route.method, path, naming(yield* mineOf({ name, of })))).status,
          300,
          `${nameOf(route)}: with one's own it succeeds`
        )
      }
    }))

  it.effect("an idempotency key of somebody else conflicts like one's own, and tells nothing", () =>
    Effect.gen(function*() {
      const { mine, theirs } = yield* Stage
      const other = yield* openMerchant("third")
      const create = (idempotency_key: string) =>
        send("POST", "/v1/payment_intents", { key: other.key, body: { amount: 7, currency: "EUR", idempotency_key } })
      const own = randomUUID()
      yield* must("POST", "/v1/payment_intents", { key: other.key, body: { amount: 6, currency: "EUR", idempotency_key: own } })
      const conflict = seen(yield* create(own))
      assert.deepStrictEqual([conflict.status, jsonOf(conflict)["error"]], [400, "idempotency_key_reused"])
      for (const resources of [mine, theirs]) {
        assert.deepStrictEqual(seen(yield* create(idAt(resources, "/v1/idempotency_keys/{key}"))), conflict)
      }
    }))
})
