/** `expand[]`, wherever the OpenAPI document has it: what each of its values shows, what it refuses, and whom. */
import { assert, layer } from "@effect/vitest"
import { ApiKeyScope } from "@svc/accounts/access/model"
import { isRecord } from "@svc/kernel/values/record"
import { Effect, Schema } from "effect"
import type { Parameter, Route } from "./document.ts"
import { resolve, routesOf, served } from "./document.ts"
import { fillPath, idAt } from "./positions.ts"
import type { Resources } from "./positions.ts"
import { makeResources } from "./resources.ts"
import { jsonOf, layer as service, must, operatorKey, restrictedKey, send } from "./service.ts"

const EXPAND = "expand[]"
const parameterOf = ({ parameters }: Route) => parameters.find(({ in: place, name }) => place === "query" && name === EXPAND)
const isScope = Schema.is(ApiKeyScope)

const pathsOf = ({ schema }: Parameter): ReadonlyArray<string> => {
  const { items } = schema
  const known: unknown = isRecord(items) ? items["enum"] : undefined
  return Array.isArray(known) ? known.map(String) : []
}

interface Case {
  readonly route: Route
  /** What may be asked for. */
  readonly paths: ReadonlyArray<string>
}

const pathOf = ({ path }: Route, of: Resources) => fillPath(path, (position) => idAt(of, position))

/** The route that shows what a reference of this name refers to. */
const ownRoute = (routes: ReadonlyArray<Route>, name: string): Route =>
  routes.find(({ method, path }) => method === "GET" && path === `/v1/${name.replace(/y$/u, "ie")}s/{id}`) ??
    assert.fail(`no GET /v1/${name}s/{id} shows what ${EXPAND}=${name} expands`)

const casesOf = (routes: ReadonlyArray<Route>): ReadonlyArray<Case> =>
  routes.flatMap((route) => {
    const parameter = parameterOf(route)
    if (parameter === undefined) return []
    const paths = pathsOf(parameter)
    assert.isNotEmpty(paths, route.path)
    return [{ route, paths }]
  })

/** The rows of an answer, of a list or of one resource. */
const rowsOf = (json: Readonly<Record<string, unknown>>): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  (Array.isArray(json["data"]) ? json["data"] : [json]).filter(isRecord)

/** What stands at the path in a row, and the id that leads there. */
const reach = (row: Readonly<Record<string, unknown>>, path: string) => {
  const names = path.split(".")
  const last = names.pop() ?? ""
  const holder = names.reduce<unknown>((at, name) => isRecord(at) ? at[name] : undefined, row)
  return isRecord(holder) ? { last, id: holder[`${last}_id`], whole: holder[last] } : { last, id: undefined, whole: undefined }
}

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("expand[]", (it) => {
  it.effect("is on the list and the retrieval alike, with the field that it fills in the schema of the answer", () =>
    Effect.gen(function*() {
      const document = yield* served
      const routes = routesOf(document)
      const cases = casesOf(routes)
      assert.includeMembers(cases.map(({ route }) => route.path), ["/v1/settlements", "/v1/settlements/{id}"])
      for (const { paths, route } of cases) {
        const collection = route.path.replace(/\/\{\w+\}$/, "")
        for (const path of [collection, `${collection}/{id}`]) {
          assert.deepStrictEqual(cases.find((other) => other.route.path === path)?.paths, paths, path)
        }
        if (route.path === collection) continue
        const schema = resolve(document, route.operation.responses["200"]?.content?.["application/json"]?.schema ?? {})
        for (const name of paths.filter((path) => !path.includes("."))) {
          assert.property(schema["properties"], name)
          assert.property(schema["properties"], `${name}_id`)
          assert.notInclude(JSON.stringify(schema["required"]), `"${name}"`)
        }
      }
    }))

  it.effect("shows the resource as its own GET does, and nothing where it is not asked for", () =>
    Effect.gen(function*() {
      const routes = routesOf(yield* served)
      const mine = yield* makeResources("expand")
      const { key } = mine.merchant
      const shown = new Set<string>()
      for (const { paths, route } of casesOf(routes)) {
        const plain = rowsOf(yield* must("GET", pathOf(route, mine), { key }))
        assert.isNotEmpty(plain, route.path)
        for (const path of paths) {
          const rows = rowsOf(yield* must("GET", `${pathOf(route, mine)}?${EXPAND}=${path}`, { key }))
          assert.strictEqual(rows.length, plain.length)
          for (const [at, row] of rows.entries()) {
            const { id, last, whole } = reach(row, path)
            const own = typeof id === "string" ? yield* must("GET", ownRoute(routes, last).path.replace("{id}", id), { key }) : null
            assert.deepStrictEqual(whole, own, `${route.path}?${EXPAND}=${path}`)
            if (own !== null) shown.add(path)
            const { [path.split(".")[0] ?? ""]: _, ...rest } = row
            assert.deepStrictEqual(rest, plain[at], route.path)
          }
        }
        const all = paths.map((path) => `${encodeURIComponent(EXPAND)}=${path}`)
        assert.strictEqual((yield* send("GET", `${pathOf(route, mine)}?${[...all, ...all].join("&")}`, { key })).status, 200)
      }
      // A resource may refer to one or the other; somewhere each is there to be shown.
      assert.sameMembers(
        [...shown],
        [...new Set(casesOf(routes).flatMap(({ paths }) => paths))].filter((path) => shown.has(path) || !path.includes("."))
      )
    }))

  it.effect("refuses what cannot be expanded by the name expand, and says what can", () =>
    Effect.gen(function*() {
      const mine = yield* makeResources("refused")
      for (const { paths, route } of casesOf(routesOf(yield* served))) {
        const [first = ""] = paths
        for (
          const asked of [
            "nothing_like_it",
            "",
            `${first}_id`,
            `${first}.`,
            `${first}.${first}.${first}.${first}`,
            "merchant",
            "__proto__",
            `${first}&${EXPAND}=other`,
            `other&${EXPAND}=${first}`
          ]
        ) {
          const refused = yield* send("GET", `${pathOf(route, mine)}?${EXPAND}=${asked}`, { key: mine.merchant.key })
          const { code, error, message } = jsonOf(refused)
          assert.deepStrictEqual([refused.status, error, code], [400, "validation_error", "expand"], `${route.path}?${EXPAND}=${asked}`)
          for (const path of paths) assert.include(String(message), `"${path}"`)
          assert.include(String(message), "at most 3 references")
        }
        const unknown = yield* send("GET", `${pathOf(route, mine)}?expand=${first}`, { key: mine.merchant.key })
        assert.deepStrictEqual([unknown.status, jsonOf(unknown)["code"]], [400, "expand"])
      }
    }))

  it.effect("shows a restricted key nothing that it could not retrieve, and refuses before anything is looked up", () =>
    Effect.gen(function*() {
      const routes = routesOf(yield* served)
      const mine = yield* makeResources("restricted")
      for (const { paths, route } of casesOf(routes)) {
        const own = isScope(route.scope) ? route.scope : assert.fail(route.path)
        for (const path of paths) {
          const scopes = path.split(".").map((name) => ownRoute(routes, name).scope).filter(isScope)
          const ask = Effect.fnUntraced(function*(...given: ReadonlyArray<ApiKeyScope>) {
            return yield* send("GET", `${pathOf(route, mine)}?${EXPAND}=${path}`, { key: yield* restrictedKey(mine.merchant, given) })
          })
          assert.strictEqual((yield* ask(own, ...scopes)).status, 200)
          for (const missing of scopes) {
            const refused = yield* ask(own, ...scopes.filter((scope) => scope !== missing))
            const { details, error } = jsonOf(refused)
            assert.deepStrictEqual(
              [refused.status, error, details],
              [403, "forbidden", { required_scope: missing }],
              `${route.path}?${EXPAND}=${path}`
            )
          }
        }
      }
    }))

  it.effect("works for an operator on the lists of the merchant it names", () =>
    Effect.gen(function*() {
      const key = yield* operatorKey
      const mine = yield* makeResources("operated")
      const shared = casesOf(routesOf(yield* served)).filter(({ route }) => route.keys.includes("operator_key"))
      assert.isNotEmpty(shared)
      for (const { paths: [path = ""], route } of shared) {
        const own = yield* send("GET", `${pathOf(route, mine)}?${EXPAND}=${path}`, { key: mine.merchant.key })
        const read = yield* send("GET", `${pathOf(route, mine)}?${EXPAND}=${path}&merchant_id=${mine.merchant.id}`, { key })
        assert.deepStrictEqual([read.status, read.text], [200, own.text], route.path)
      }
    }))
})
