/** What all lists have in common, made from the OpenAPI document: `page`, `after` and `before`, and how filters refuse. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt, neighbourOf, queryPosition } from "./positions.ts"
import type { Resources } from "./resources.ts"
import { makeResources } from "./resources.ts"
import { itemsOf, jsonOf, layer as service, operatorKey, send } from "./service.ts"

interface Cast {
  readonly lists: ReadonlyArray<Route>
  readonly operator: string
  readonly mine: Resources
  readonly theirs: Resources
}

/** Two merchants with one of everything each. */
class Stage extends Context.Service<Stage, Cast>()("@svc/testkit/contract/lists.test/Stage") {}

const isPaged = ({ method, parameters }: Route) => method === "GET" && parameters.some(({ name }) => name === "after")

const layerStage = Layer.effect(
  Stage,
  Effect.gen(function*() {
    const lists = routesOf(yield* served).filter(isPaged)
    assert.isAbove(lists.length, 7)
    return { lists, operator: yield* operatorKey, mine: yield* makeResources("mine"), theirs: yield* makeResources("theirs") }
  })
).pipe(Layer.provideMerge(service))

const sides = ["after", "before"] as const
const ULID = "01KDV8Q400ABCDEFGHJKMNPQRS"
/** No id of any kind. The first is what a merchant's own reference may look like. */
const malformed = [
  "order-1",
  "pi_1",
  "1",
  "",
  "pi_",
  "null",
  ULID,
  `pi_${ULID.toLowerCase()}`,
  `pi_${ULID}0`,
  ` pi_${ULID}`,
  "pi_01KDV8Q400ABCDEFGHJKMNPQR!",
  "%00",
  "😀",
  "x".repeat(300)
]

const pathOf = ({ path }: Route, resources: Resources) => fillPath(path, (position) => idAt(resources, position))
/** The prefix of the ids that the list takes as cursors, by its contract. */
const kindOf = ({ parameters }: Route): string | undefined =>
  /^\^([a-z]+)_/.exec(String(parameters.find(({ name }) => name === "after")?.schema["pattern"]))?.[1]
const idOf = (route: Route, resources: Resources) =>
  route.parameters.filter(({ name }) => name === "after").map((after) => queryPosition(route, after)?.(resources))[0] ?? ""
const without = ({ "request-id": id = "" }: Readonly<Record<string, string>>, text: string) =>
  id === "" ? text : text.replaceAll(id, "<request id>")
const idsOf = (json: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> =>
  itemsOf(json).map((item) => {
    const { ID, id = ID } = Object(item)
    return id
  })

/** Whether a list is one merchant's, and not that of the operator, whose everything is. */
const isOwned = ({ key }: Route) => key === "secret_key"

/** Sends each query to each list with a key of its owner. */
const onEachList = Effect.fnUntraced(function*<R>(
  check: (
    list: Route,
    ask: (query: string) => ReturnType<typeof send>,
    cast: Cast
  ) => Effect.Effect<void, never, R>
) {
  const cast = yield* Stage
  for (const list of cast.lists) {
    const key = isOwned(list) ? cast.mine.merchant.key : cast.operator
    yield* check(list, (query) => send("GET", `${pathOf(list, cast.mine)}?${query}`, { key }), cast)
  }
})

layer(layerStage, { excludeTestServices: true, timeout: "60 seconds" })("every list", (it) => {
  it.effect("refuses page beside a cursor, and two cursors, whoever's items are asked for", () =>
    onEachList(Effect.fnUntraced(function*(list, ask, { mine, theirs }) {
      const id = idOf(list, mine)
      const owners = list.parameters.some(({ name }) => name === "merchant_id")
        ? ["", `&merchant_id=${mine.merchant.id}`, `&merchant_id=${theirs.merchant.id}`]
        : [""]
      for (const owner of owners) {
        for (
          const [query, code] of [
            ...sides.flatMap((side) =>
              [[`page=1&${side}=${id}`, "page"], [`${side}=${id}&page=2`, "page"], [`page=9999&${side}=${id}`, "page"]] as const
            ),
            [`after=${id}&before=${id}`, "before"],
            ["page=101&per_page=100", "page"]
          ] as const
        ) {
          const answer = yield* ask(`${query}${owner}`)
          const { code: named, error, message } = jsonOf(answer)
          assert.deepStrictEqual([answer.status, error, named], [400, "validation_error", code], `${list.path}?${query}${owner}`)
          assert.match(String(message), new RegExp(`^${code}: `))
        }
      }
    })))

  it.effect("answers the first page with and without its number", () =>
    onEachList(Effect.fnUntraced(function*(list, ask) {
      const [implied, named] = [yield* ask("per_page=2"), yield* ask("per_page=2&page=1")]
      assert.strictEqual(implied.status, 200, list.path)
      assert.strictEqual(implied.text, named.text)
      assert.strictEqual(jsonOf(implied)["page"], 1)
    })))

  it.effect("refuses what is no id as a cursor, and says what one is", () =>
    onEachList(Effect.fnUntraced(function*(list, ask) {
      for (const side of sides) {
        for (const text of malformed) {
          const answer = yield* ask(`${side}=${encodeURIComponent(text)}`)
          const { code, error, message } = jsonOf(answer)
          assert.deepStrictEqual([answer.status, error, code], [400, "validation_error", side], `${list.path}?${side}=${text}`)
          assert.match(String(message), new RegExp(`^${side}: Expected a cursor: the id of an item of this list, .*26 characters`))
        }
      }
    })))

  it.effect(
    "refuses an id of another kind as a cursor, and names its own kind",
    () =>
      onEachList(Effect.fnUntraced(function*(list, ask, { lists }) {
        const own = kindOf(list)
        const kinds = [...new Set(lists.flatMap((other) => kindOf(other) ?? [])), "req"]
        if (own === undefined) return assert.fail(`${list.path} does not say which ids it takes`)
        for (const side of sides) {
          for (const kind of kinds.filter((prefix) => prefix !== own)) {
            const answer = yield* ask(`${side}=${kind}_${ULID}`)
            const { code, message } = jsonOf(answer)
            assert.deepStrictEqual([answer.status, code], [400, side], `${list.path}?${side}=${kind}_`)
            assert.include(String(message), `${own}_ and 26 characters`)
          }
        }
        // As many requests as there are pairs of lists.
      })),
    600_000
  )

  it.effect("pages from any id of its kind, and answers somebody else's as one that nobody has", () =>
    onEachList(Effect.fnUntraced(function*(list, ask, { theirs }) {
      if (!isOwned(list)) return
      const ids = idsOf(jsonOf(yield* ask("per_page=100")))
      const foreign = idOf(list, theirs)
      for (const side of sides) {
        const [one, other] = [yield* ask(`${side}=${foreign}&per_page=100`), yield* ask(`${side}=${neighbourOf(foreign)}&per_page=100`)]
        assert.strictEqual(one.status, 200, `${list.path}?${side}=${foreign}`)
        assert.strictEqual(without(one.headers, one.text), without(other.headers, other.text), `${list.path}?${side}`)
      }
      const [after, before] = [yield* ask(`after=${foreign}&per_page=100`), yield* ask(`before=${foreign}&per_page=100`)]
      assert.sameMembers([...idsOf(jsonOf(after)), ...idsOf(jsonOf(before))], [...ids], `${list.path}: each item is on one side of a place`)
    })))

  it.effect("gives each item once when it is read from cursor to cursor, in both directions", () =>
    onEachList(Effect.fnUntraced(function*(list, ask) {
      const ids = idsOf(jsonOf(yield* ask("per_page=100")))
      const [first] = ids
      if (first === undefined) return
      const forwards: Array<unknown> = [first]
      for (let more = true; more;) {
        const page = jsonOf(yield* ask(`per_page=1&after=${String(forwards.at(-1))}`))
        forwards.push(...idsOf(page))
        more = page["has_more"] === true
      }
      assert.deepStrictEqual(forwards, [...ids], list.path)
      const backwards: Array<unknown> = [ids.at(-1)]
      for (let more = true; more;) {
        const page = jsonOf(yield* ask(`per_page=1&before=${String(backwards[0])}`))
        backwards.unshift(...idsOf(page))
        more = page["has_more"] === true
      }
      assert.deepStrictEqual(backwards, [...ids], list.path)
    })))

  it.effect("says which values a filter takes", () =>
    Effect.gen(function*() {
      const { mine } = yield* Stage
      const ask = (path: string) => Effect.map(send("GET", path, { key: mine.merchant.key }), jsonOf)
      const states = "\"created\", \"authorized\", \"captured\", \"refunded\", \"failed\", \"pending\", \"blocked\", \"cancelled\""
      assert.deepInclude(yield* ask("/v1/payment_intents?state=foo"), {
        error: "validation_error",
        code: "state",
        message: `state: Expected one of ${states}`
      })
      for (
        const [path, code] of [["/v1/webhook_events?status=foo", "status"], ["/v1/events?type=foo", "type"], [
          "/v1/financial_events?event_type=foo",
          "event_type"
        ]] as const
      ) {
        const refused = yield* ask(path)
        assert.strictEqual(refused["code"], code)
        assert.match(String(refused["message"]), new RegExp(`^${code}: Expected one of "[a-z_.]+", "`))
      }
    }))
})
