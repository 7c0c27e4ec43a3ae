/**
 * Bodies that have no canonical JSON, under an idempotency key: numbers beyond what JSON knows, and values nested too deeply. The key is
 * read before the body is judged, so each write has to refuse them as it does without a key.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt } from "./positions.ts"
import { makeResources } from "./resources.ts"
import { jsonOf, layer as service, operatorKey, Service } from "./service.ts"

const nested = (levels: number, open = "[", close = "]") => `${open.repeat(levels)}1${close.repeat(levels)}`

const values = {
  "a number beyond all": "1e999",
  "a number below all": "-1e999",
  "arrays, 600 deep": nested(600),
  "objects, 600 deep": nested(600, "{\"a\":", "}"),
  "arrays, 20,000 deep": nested(20_000)
}

/** The names that a body of the route knows, but for its key. */
const fieldsOf = ({ body }: Route): ReadonlyArray<string> => {
  const properties = body?.schema["properties"]
  return typeof properties === "object" && properties !== null ? Object.keys(properties).filter((name) => name !== "idempotency_key") : []
}

/** The value as the whole body, in a field that nobody knows, and in all that the route knows. */
const bodiesOf = (route: Route, value: string): ReadonlyArray<string> => [
  value,
  `{"nobody_knows":${value}}`,
  ...(fieldsOf(route).length === 0 ? [] : [`{${fieldsOf(route).map((name) => `${JSON.stringify(name)}:${value}`).join()}}`])
]

const isKeyed = ({ parameters }: Route) =>
  parameters.some(({ in: place, name }) => place === "header" && name.toLowerCase() === "idempotency-key")

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("a body without canonical JSON", (it) => {
  it.effect(
    "is refused by every keyed write, with a key as without one, and the key is free again",
    () =>
      Effect.gen(function*() {
        const wire = yield* Service
        const resources = yield* makeResources(`keyed-bodies-${randomUUID()}`)
        const operator = yield* operatorKey
        const writes = routesOf(yield* served).filter((route) => route.key !== undefined && route.method !== "GET" && isKeyed(route))
        assert.isAbove(writes.length, 70)
        const problems: Array<string> = []
        for (const route of writes) {
          const target = fillPath(route.path, (position) => idAt(resources, position))
          const bearer = route.key === "operator_key" ? operator : resources.merchant.key
          const ask = (body: string, key?: string) =>
            Effect.orDie(wire.send({
              method: route.method,
              target,
              headers: [
                ["Authorization", `Bearer ${bearer}`],
                ["Content-Type", "application/json"],
                ...(key === undefined ? [] : [["Idempotency-Key", key] as const])
              ],
              body: Buffer.from(body)
            }))
          const key = randomUUID()
          for (const [what, value] of Object.entries(values)) {
            for (const body of bodiesOf(route, value)) {
              const [bare, keyed] = [yield* ask(body), yield* ask(body, key)]
              const isRefused = keyed.status >= 400 && keyed.status < 500 && jsonOf(keyed).error !== "idempotency_key_reused"
              if (isRefused && keyed.status === bare.status) continue
              const statuses = `${bare.status} without a key, ${keyed.status} with one`
              problems.push(`${route.method} ${route.path}, ${what}: ${statuses}: ${keyed.text.slice(0, 200)}`)
            }
          }
        }
        assert.deepStrictEqual(problems, [])
      }),
    { timeout: 300_000 }
  )
})
