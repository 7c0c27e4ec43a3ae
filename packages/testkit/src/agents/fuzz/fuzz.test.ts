/**
 * Calls by the thousand, of every tool through every door, good and bad: each has its one answer in time, in the shape of its door, with a
 * documented code, and names the field that is wrong; nothing fails inside, and nothing is left behind.
 */
import { assert, layer } from "@effect/vitest"
import { isRecord } from "@svc/kernel/values/record"
import { Effect } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { ServerLog, Service } from "../../contract/service.ts"
import { makeChance } from "../../simulation/chance.ts"
import { numbersOf } from "../../turns.ts"
import { grantCredits, issueAgent, layer as tools, openCaller } from "../service.ts"
import { targets } from "./arguments.ts"
import { type Case, doors, type Ingredients, makeCase } from "./cases.ts"
import { makeClient } from "./clients.ts"
import { type Documented, parse } from "./judge.ts"
import { makeRouteCase, routeProblems, routesOf } from "./routes.ts"

/** Another seed sends other requests; `seed:number` sends one of them alone. */
const [seed = "", only] = (process.env["AGENT_FUZZ_SEED"] ?? "1").split(":")
const numbers = only === undefined ? numbersOf("AGENT_FUZZ", 10_000) : [Number(only)]
const CLIENTS = 8
const SHOWN = 20
/** Mebibytes that the process may hold more at the end than when it had warmed up. */
const GROWTH = 48

setFlagsFromString("--expose-gc")
const collect: unknown = runInNewContext("gc")

const held = (): number => {
  if (typeof collect === "function") collect()
  const { external, heapUsed } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const shown = ({ body, door, headers, method, target, wrong }: Case) =>
  `${door}: ${wrong.join("; ") || "nothing wrong"}\n  ${method} ${target} ${
    headers.map((header) => header.join(": ").slice(0, 80)).join(" | ")
  }\n  ${body.toString("utf8").slice(0, 500)}`

const documentedCodes = Effect.gen(function*() {
  const answer = yield* (yield* Service).send({ method: "GET", target: "/v1/error-codes", headers: [] })
  const body = parse(answer.text)
  const rows = isRecord(body) && Array.isArray(body["data"]) ? body["data"] : []
  const codes: Documented = new Map(
    rows.flatMap((row: unknown) => isRecord(row) ? [[String(row["code"]), Number(row["number"])] as const] : [])
  )
  assert.isAbove(codes.size, 10)
  return codes
})

const ingredientsOf = Effect.gen(function*() {
  const [rich, poor, other] = [yield* openCaller("rich"), yield* openCaller("poor"), yield* openCaller("agents")]
  yield* grantCredits(rich, 1_000_000_000)
  const free = yield* issueAgent(rich, {})
  const bound = yield* issueAgent(other, {
    allowed_tools: ["list_programs", "svc_web_search"],
    max_amount_minor_cents: 10,
    budgets: { life: 3 }
  })
  const ingredients: Ingredients = {
    targets: yield* targets,
    keys: [rich.key, rich.key, rich.key, poor.key, free.token, bound.token, "svck_test_nobody"]
  }
  return { ingredients, key: rich.key }
})

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })(`calls of tools, ${numbers.length} of seed ${seed}`, (it) => {
  it.effect("are answered as documented, whatever they hold", () =>
    Effect.scoped(Effect.gen(function*() {
      const documented = yield* documentedCodes
      const { ingredients, key } = yield* ingredientsOf
      const clients = yield* Effect.forEach(Array.from({ length: CLIENTS }), () => makeClient(key, documented))
      const failures: Array<string> = []
      const met = new Map<string, number>()
      const ask = Effect.fnUntraced(function*(n: number, { judge }: typeof clients[number]) {
        const asked = makeCase(makeChance(`agent fuzz ${seed}:${n}`), ingredients)
        met.set(asked.door, (met.get(asked.door) ?? 0) + 1)
        const problems = yield* Effect.catch(judge(asked), ({ message }) => Effect.succeed([message]))
        if (problems.length > 0) {
          failures.push(
            `${problems.join(", ")}\n  AGENT_FUZZ_SEED=${seed}:${n} npm test -- packages/testkit/src/agents/fuzz\n  ${shown(asked)}`
          )
        }
      })
      const run = (some: ReadonlyArray<number>) =>
        Effect.forEach(clients, (client, at) =>
          Effect.forEach(some.filter((_, place) => place % CLIENTS === at), (n) => ask(n, client), { discard: true }), {
          concurrency: "unbounded",
          discard: true
        })
      const warm = Math.ceil(numbers.length / 3)
      yield* run(numbers.slice(0, warm))
      const before = held()
      yield* run(numbers.slice(warm))
      const growth = held() - before
      if (process.env["AGENT_FUZZ_TELL"] !== undefined) {
        console.log(`${growth.toFixed(1)} MiB more than ${before.toFixed(0)}`, Object.fromEntries(met))
      }
      assert.deepStrictEqual(failures.slice(0, SHOWN), [], `${failures.length} of ${numbers.length}`)
      assert.deepStrictEqual((yield* ServerLog).lines.splice(0), [], "errors in the log")
      assert.isBelow(growth, GROWTH)
      if (only === undefined) {
        assert.sameMembers([...met.keys()], [...doors])
      }
    })), 600_000)

  it.effect.skipIf(only !== undefined)("and so are the routes beside them", () =>
    Effect.gen(function*() {
      const { ingredients: { keys } } = yield* ingredientsOf
      const wire = yield* Service
      const routes = routesOf(parse((yield* wire.send({ method: "GET", target: "/openapi.json", headers: [] })).text))
      assert.isAbove(routes.length, 30)
      const failures: Array<string> = []
      yield* Effect.forEach(
        numbers.slice(0, Math.ceil(numbers.length / 5)),
        Effect.fnUntraced(function*(n) {
          const asked = makeRouteCase(makeChance(`agent routes ${seed}:${n}`), routes, keys)
          const answer = yield* Effect.result(wire.send(asked.request))
          const problems = answer._tag === "Failure" ? [answer.failure.message] : routeProblems(asked, answer.success)
          if (problems.length === 0) return
          const said = answer._tag === "Success" ? `${answer.success.status} ${answer.success.text.slice(0, 300)}` : ""
          failures.push(
            `${problems.join(", ")}\n  ${n}: ${asked.wrong.join("; ")}\n  ${asked.request.method} ${asked.request.target.slice(0, 200)} ${
              asked.request.body?.toString("utf8").slice(0, 200) ?? ""
            }\n  ${said}`
          )
        }),
        { concurrency: CLIENTS, discard: true }
      )
      assert.deepStrictEqual(failures.slice(0, SHOWN), [], `${failures.length}`)
      assert.deepStrictEqual((yield* ServerLog).lines.splice(0), [], "errors in the log")
    }), 300_000)
})
