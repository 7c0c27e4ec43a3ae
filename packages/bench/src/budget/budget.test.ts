/** What a charge and a call of a tool cost, counted and not timed, is what docs/evidence/charge-budget.json says of their features. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { authorize, capture, create, pay, type Send } from "../load/charge.ts"
import { Connection } from "../load/connection.ts"
import { openCaller } from "../load/tool-call.ts"
import { ARGUMENTS, TOOL } from "../measures/tools.ts"
import { accountIdSql } from "../merchants.ts"
import { createDatabase, run } from "../postgres.ts"
import { count, type Step } from "./costs.ts"
import { type CountedServer, countingPostgres, startCounted } from "./counting.ts"
import { differences, readBudget } from "./features.ts"

const ROUNDS = 100

const folder = mkdtempSync(join(tmpdir(), "svc-budget-"))
const removed = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))))

/** One merchant and one connection: each commit is a statement of its own. */
const charge = ({ port }: CountedServer): ReadonlyArray<Step> => {
  const connection = new Connection(port)
  const send: Send = (method, path, key, body) => connection.send(method, path, key, body)
  let id = ""
  return [
    { name: "create", send: async () => void (id = await create(send, 0)) },
    { name: "authorize", send: () => authorize(send, 0, id) },
    { name: "capture", send: () => capture(send, 0, id) }
  ]
}

const chargeInOneRequest = ({ port }: CountedServer): ReadonlyArray<Step> => {
  const connection = new Connection(port)
  return [{ name: "create", send: () => pay((method, path, key, body) => connection.send(method, path, key, body), 0) }]
}

/** A call without a session, by a key of the account. */
const call = (tool: string, args: string) => ({ toolsPort }: CountedServer): ReadonlyArray<Step> => {
  const caller = openCaller({
    kind: "tool_calls",
    port: toolsPort,
    connections: 1,
    firstMerchant: 0,
    merchants: 1,
    tool,
    arguments: args,
    caller: { _tag: "Merchants" },
    warmup: 0,
    seconds: 0
  }, 0)
  return [{ name: "call", send: async () => (await caller).call() }]
}

const GRANT = `INSERT INTO credit_grants (account_id, id, cents, source, created_at, updated_at, version)
  SELECT ${accountIdSql}, 'grant_bench', 1000000000, 'bench', now(), now(), 1 FROM generate_series(0, $1::int - 1) n`

interface Subject {
  readonly name: string
  readonly main: string
  readonly steps: (server: CountedServer) => ReadonlyArray<Step>
}

const subjects: ReadonlyArray<Subject> = [
  { name: "charge", main: "../../../server/src/main.ts", steps: charge },
  { name: "charge_in_one_request", main: "../../../server/src/main.ts", steps: chargeInOneRequest },
  { name: "free_tool_call", main: "../../../server/src/main.ts", steps: call(TOOL, ARGUMENTS) },
  {
    name: "tool_call_paid_from_credits",
    main: "../backends-server.ts",
    steps: call("svc_object_storage", "{\"operation\":\"get\",\"key\":\"a.csv\"}")
  }
]

layer(countingPostgres(join(folder, "postgres")).pipe(Layer.provideMerge(removed)), { excludeTestServices: true, timeout: 300_000 })(
  "the budget",
  (it) => {
    for (const { main, name, steps } of subjects) {
      it.effect(`of a ${name.replaceAll("_", " ")} adds up to what is counted`, () =>
        Effect.gen(function*() {
          const database = yield* createDatabase(name, 1)
          yield* run(name, ["CREATE EXTENSION pg_stat_statements", "CREATE EXTENSION pg_walinspect"])
          yield* run(name, [GRANT], [1])
          const costs = yield* count(name, startCounted(database.url, join(folder, name), main), steps, ROUNDS)
          const found = differences(readBudget(), name, costs)
          assert.deepStrictEqual(
            found,
            [],
            `Write into docs/evidence/charge-budget.json what each feature adds. Counted were ${JSON.stringify(costs)}`
          )
        }), { timeout: 600_000 })
    }
  }
)
