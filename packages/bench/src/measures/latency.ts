/** What the service adds to a payment at half of its maximum, and the memory it needs for that. */
import { Effect } from "effect"
import { settleAfterLoad } from "../postgres.ts"
import { load } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { memory, withBusyCores } from "../usage.ts"

const memoryRow = (pid: number): Row => {
  const used = memory(pid)
  return {
    measure: "memory (RSS) of the server under these loads, highest",
    value: used === undefined ? "only Linux tells" : `${figure(used.highest)} MiB (${figure(used.now)} at the end)`
  }
}

export const latency = Effect.gen(function*() {
  const stage = yield* Stage
  const { plan, server } = stage
  const rate = (yield* stage.maximum) / 2
  yield* settleAfterLoad(stage.database.name)
  const { busy, value: result } = yield* withBusyCores(load({
    kind: "charges",
    port: server.port,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    rate,
    warmup: plan.warmup,
    seconds: plan.latencySeconds
  }))
  const at = `at ${figure(rate)} charges/s`
  return [
    atMost(`latency of a request ${at} (half), p50`, result.latency.p50, 5, `${figure(result.latency.p50)} ms`, "<= 5 ms"),
    atMost(`latency of a request ${at} (half), p99`, result.latency.p99, 25, `${figure(result.latency.p99)} ms`, "<= 25 ms"),
    {
      measure: "of which the generator's own delay, p50 and p99",
      value: `${figure(result.lateness.p50)} and ${figure(result.lateness.p99)} ms`
    },
    { measure: "cores of the machine that were busy meanwhile", value: figure(busy) },
    memoryRow(server.pid)
  ] satisfies ReadonlyArray<Row>
})
