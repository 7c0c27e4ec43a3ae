/** Calls of many agents that spend from one budget, over the captures of one hot merchant: both wait for one row. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Console, Effect, Schema } from "effect"
import { median } from "../load/histogram.ts"
import { accountId, secretKey } from "../merchants.ts"
import { createDatabase, dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, load, startServer } from "../processes.ts"
import { atLeast, figure, type Row, spread } from "../report.ts"
import { perSecond, Stage } from "../stage.ts"

const DATABASE = "bench_budget"

/** A merchant whose captures are not measured. */
const MERCHANT = 500
const PLENTY = 1_000_000_000_000

const decode = Schema.decodeUnknownEffect(fromJsonText(Schema.Struct({ token: Schema.String })))

/** The token of an agent key with a budget for each window. */
const agentKey = Effect.fnUntraced(function*(port: number) {
  const policy = { rate_limit_per_minute: 1_000_000, budgets: { hour: PLENTY, day: PLENTY, month: PLENTY, life: PLENTY } }
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secretKey(MERCHANT)}` },
    body: JSON.stringify({ name: "bench", policy })
  }
  const text = yield* Effect.tryPromise({
    try: () => fetch(`http://127.0.0.1:${port}/v1/agent_keys`, init).then((response) => response.text()),
    catch: (error) => new BenchFailed({ message: `No agent key: ${String(error)}` })
  })
  return (yield* Effect.mapError(decode(text), () => new BenchFailed({ message: `No agent key: ${text}` }))).token
})

const GRANT =
  `INSERT INTO credit_grants (account_id, id, cents, source, created_at, updated_at, version) VALUES ($1, 'grant_bench', ${PLENTY}, 'bench', now(), now(), 1)`

export const budget = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const database = yield* createDatabase(DATABASE, plan.merchants)
  const server = yield* startServer(database.url, folder, "./backends-server.ts")
  const key = yield* agentKey(server.port)
  yield* run(database.name, [GRANT], [accountId(MERCHANT)])
  const common = { connections: plan.connections, merchants: 1 } as const
  const calls = {
    ...common,
    kind: "tool_calls",
    port: server.toolsPort,
    firstMerchant: MERCHANT,
    tool: "svc_object_storage",
    arguments: "{\"operation\":\"get\",\"key\":\"a.csv\"}",
    caller: { _tag: "Key", key },
    warmup: 0
  } as const
  const rates: Array<number> = []
  const captured: Array<number> = []
  yield* load({ ...calls, seconds: plan.warmup })
  for (let n = 0; n < plan.hotRounds; n++) {
    yield* settleAfterLoad(database.name)
    captured.push(perSecond(yield* load({ ...common, kind: "captures", port: server.port, firstMerchant: n, captures: plan.hotCaptures })))
    yield* settleAfterLoad(database.name)
    rates.push(perSecond(yield* load({ ...calls, seconds: plan.seconds })))
    yield* Console.log(
      `  round ${n + 1}: ${figure(rates[n] ?? Number.NaN)} calls/s on one budget, ${
        figure(captured[n] ?? Number.NaN)
      } captures/s on one merchant`
    )
  }
  const ratios = rates.map((rate, n) => rate / (captured[n] ?? Number.NaN))
  return [
    {
      measure: `calls a second on one agent key's budgets of hour, day, month and life, ${plan.connections} connections`,
      value: spread(rates, median(rates), "calls/s")
    },
    atLeast("calls on one shared budget over captures on one hot merchant", median(ratios), 0.5, spread(ratios, median(ratios)))
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
