/** Captures a second of one merchant, whose every event continues one hash chain. */
import { Effect } from "effect"
import { median } from "../load/histogram.ts"
import { settleAfterLoad } from "../postgres.ts"
import { load } from "../processes.ts"
import { atLeast, type Row, spread } from "../report.ts"
import { perSecond, Stage } from "../stage.ts"

export const hotMerchant = Effect.gen(function*() {
  const { database, plan, server } = yield* Stage
  const results: Array<number> = []
  for (let n = 0; n < plan.hotRounds; n++) {
    yield* settleAfterLoad(database.name)
    const job = {
      kind: "captures",
      port: server.port,
      connections: plan.connections,
      firstMerchant: n,
      merchants: 1,
      captures: plan.hotCaptures
    } as const
    results.push(perSecond(yield* load(job)))
  }
  const value = median(results)
  return [
    atLeast("captures a second on one hot merchant, 16 connections", value, 1000, spread(results, value, "captures/s"), ">= 1,000")
  ] satisfies ReadonlyArray<Row>
})
