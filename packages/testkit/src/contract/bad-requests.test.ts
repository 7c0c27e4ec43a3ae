/** Bad requests by the thousand: each is refused in one shape with a documented status, and none brings anything down. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeChance } from "../simulation/chance.ts"
import { numbersOf, partOfList } from "../turns.ts"
import type { Case, Ingredients } from "./cases.ts"
import { makeCase } from "./cases.ts"
import { routesOf, served } from "./document.ts"
import { patternsOf, problemsOf } from "./judge.ts"
import { idAt } from "./positions.ts"
import type { Resources } from "./resources.ts"
import { makeResources } from "./resources.ts"
import { layer as service, must, openMerchant, operatorKey, restrictedKey, ServerLog, Service } from "./service.ts"
import { singles } from "./singles.ts"

/** Another seed sends other requests; `seed:number` sends one of them alone. */
const [seed = "", only] = (process.env["BAD_REQUEST_SEED"] ?? "1").split(":")
const numbers = only === undefined ? numbersOf("BAD_REQUESTS", 20_000) : [Number(only)]
const PER_TEST = 2_500
/** More failures than this say nothing new. */
const SHOWN = 20

const shown = ({ request, route, wrong }: Case) =>
  `${route.operation.operationId}: ${wrong.join("; ")}\n  ${request.method} ${request.target.slice(0, 200)} ${
    request.body?.toString("utf8").slice(0, 300) ?? ""
  }`

/** Accounts that the operator's routes may close, and keys that may be revoked: not those that the requests use. */
const ingredientsOf = Effect.fnUntraced(function*(resources: Resources) {
  const document = yield* served
  const { merchant } = resources
  const operator = yield* operatorKey
  const reader = yield* restrictedKey(merchant, ["payment_intents:read"])
  const others = yield* Effect.forEach(["B", "C", "D"], openMerchant)
  const ingredients: Ingredients = {
    document,
    routes: routesOf(document),
    keyFor: ({ key }, chance) => {
      if (key === undefined) return undefined
      const usual = key === "operator_key" ? operator : merchant.key
      return chance.happens(0.96) ? usual : chance.pick([operator, merchant.key, reader])
    },
    idsFor: ({ key }, position) => {
      if (key === "operator_key") return others.map(({ id }) => id)
      const { others: more = [] } = resources.made.get(position.slice(0, position.lastIndexOf("/"))) ?? {}
      return [idAt(resources, position), ...more]
    }
  }
  return ingredients
})

/** Sends each, and fails with what was wrong with the answers and how to see it again. */
const sendAll = Effect.fnUntraced(
  function*<A>(ingredients: Ingredients, list: ReadonlyArray<A>, make: (item: A) => Case, again: (item: A) => string) {
    const wire = yield* Service
    const patterns = patternsOf(ingredients.routes)
    const failures: Array<string> = []
    yield* Effect.forEach(
      list,
      Effect.fnUntraced(function*(item) {
        const made = make(item)
        const answer = yield* Effect.result(wire.send(made.request))
        const problems = answer._tag === "Failure"
          ? [answer.failure.message]
          : problemsOf(ingredients.document, patterns, made.request, answer.success)
        if (problems.length === 0) return
        const said = answer._tag === "Success" ? `\n  ${answer.success.status} ${answer.success.text.slice(0, 400)}` : ""
        failures.push(`${problems.join(", ")}\n  ${again(item)}\n  ${shown(made)}${said}`)
      }),
      { concurrency: 8, discard: true }
    )
    assert.deepStrictEqual(failures.slice(0, SHOWN), [], `${failures.length} of ${list.length}`)
    assert.deepStrictEqual((yield* ServerLog).lines.splice(0), [], "errors in the log")
  }
)

layer(service, { excludeTestServices: true, timeout: "60 seconds" })(`bad requests, ${numbers.length} of seed ${seed}`, (it) => {
  for (let at = 0; at < numbers.length; at += PER_TEST) {
    const some = numbers.slice(at, at + PER_TEST)
    it.effect(`${some[0]} to ${some.at(-1)} are refused as documented`, () =>
      Effect.gen(function*() {
        const resources = yield* makeResources(`bad-${seed}-${at}`)
        const ingredients = yield* ingredientsOf(resources)
        const make = (n: number) => makeCase(ingredients, makeChance(`bad request ${seed}:${n}`), `${seed}-${n}`)
        yield* sendAll(ingredients, some, make, (n) =>
          `BAD_REQUEST_SEED=${seed}:${n} npm test -- packages/testkit/src/contract/bad-requests.test.ts`)
        // The service is as it was: the next good request is answered.
        yield* must("GET", "/v1/account", { key: resources.merchant.key })
      }), 600_000)
  }

  it.effect.skipIf(only !== undefined)("each fault alone, in each place where it can be", () =>
    Effect.gen(function*() {
      const ingredients = yield* ingredientsOf(yield* makeResources("singles"))
      const list = singles(ingredients, makeChance("singles"), "single")
      assert.isAbove(list.length, ingredients.routes.length)
      // As many as the API has places for them: a commit plays its part of them.
      const part = process.env["TEST_PART"] ?? "all"
      yield* sendAll(ingredients, partOfList(list), (made) =>
        made, () =>
        `TEST_PART=${part} npm test -- packages/testkit/src/contract/bad-requests.test.ts`)
    }), 300_000)
})
