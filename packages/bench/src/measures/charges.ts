/** Whole charges a second: ours, the hand-written peer, and the ceiling of the rows alone, in turn. */
import { EmbeddedPostgres } from "@svc/kernel/database/embedded"
import { Console, Effect, Option } from "effect"
import { recordBodies } from "../ceiling/bodies.ts"
import * as pgbench from "../ceiling/pgbench.ts"
import { median } from "../load/histogram.ts"
import { createDatabase, settle } from "../postgres.ts"
import { startPeer } from "../processes.ts"
import { atLeast, figure, type Row, spread } from "../report.ts"
import { requireSameRows } from "../same-rows.ts"
import { perSecond, round, Stage } from "../stage.ts"
import { cpuSeconds } from "../usage.ts"

const PEER = "bench_peer"
const CEILING = "bench_ceiling"

interface Contestant {
  readonly name: string
  readonly warm: Effect.Effect<unknown, { readonly message: string }>
  /** Charges a second of one round. */
  readonly play: (round: number) => Effect.Effect<number, { readonly message: string }>
  readonly results: Array<number>
}

const ceiling = Effect.fnUntraced(function*() {
  const { plan, server } = yield* Stage
  const program = yield* pgbench.find
  if (Option.isNone(program)) return undefined
  const bodies = yield* recordBodies(server.port)
  const database = yield* createDatabase(CEILING, plan.merchants)
  const run = (n: number, seconds: number) =>
    pgbench.run(program.value, database, bodies, { clients: plan.connections, seconds, merchants: plan.merchants, round: n })
  const contestant: Contestant = { name: "ceiling", warm: run(0, plan.warmup), play: (n) => run(n + 1, plan.seconds), results: [] }
  return contestant
})

/** Processor milliseconds of our server and of Postgres for each of so many charges. */
const costs = Effect.fnUntraced(function*() {
  const { plan, server } = yield* Stage
  const { pid } = yield* EmbeddedPostgres
  const before = [cpuSeconds(server.pid), cpuSeconds(pid, true)] as const
  const result = yield* round(server, plan, plan.seconds, 0)
  const after = [cpuSeconds(server.pid), cpuSeconds(pid, true)] as const
  const each = (n: 0 | 1) => ((after[n] ?? Number.NaN) - (before[n] ?? Number.NaN)) * 1000 / result.done
  return `${figure(each(0))} ms server, ${figure(each(1))} ms Postgres, ${figure(result.cpu * 1000 / result.done)} ms load generator`
})

export const charges = Effect.gen(function*() {
  const stage = yield* Stage
  const { plan, server } = stage
  const peer = yield* startPeer((yield* createDatabase(PEER, plan.merchants)).url)
  const ours: Contestant = { name: "ours", warm: round(server, plan, plan.warmup), play: () => Effect.map(round(server, plan), perSecond), results: [] }
  const theirs: Contestant = { name: "peer", warm: round(peer, plan, plan.warmup), play: () => Effect.map(round(peer, plan), perSecond), results: [] }
  const rows = yield* ceiling()
  const contestants = [ours, theirs, ...(rows === undefined ? [] : [rows])]
  for (const { warm } of contestants) yield* warm
  for (let n = 0; n < plan.rounds; n++) {
    for (const { name, play, results } of contestants) {
      yield* settle
      results.push(yield* play(n))
      yield* Console.log(`  round ${n + 1}, ${name}: ${figure(results.at(-1) ?? 0)} charges/s`)
    }
  }
  yield* requireSameRows([stage.database.name, PEER, ...(rows === undefined ? [] : [CEILING])])
  for (const result of ours.results) stage.note(result)
  const own = median(ours.results)
  const shown = ({ results }: Contestant) => spread(results, median(results), "charges/s")
  const overPeer = own / median(theirs.results)
  const overCeiling = rows === undefined ? undefined : own / median(rows.results)
  const needed = "charges a second over the ceiling of pgbench"
  return [
    { measure: "charges a second, 3 requests each, 16 connections, 1,000 merchants", value: shown(ours) },
    ...(rows === undefined || overCeiling === undefined
      ? [{ measure: needed, value: pgbench.NOT_FOUND, must: ">= 0.5" }]
      : [{ measure: "the same rows by pgbench, 16 clients", value: shown(rows) }, atLeast(needed, overCeiling, 0.5, figure(overCeiling))]),
    { measure: "the same service by hand (Fastify, pg)", value: shown(theirs) },
    atLeast("charges a second over the hand-written service", overPeer, 2, figure(overPeer)),
    { measure: "processor time of one charge", value: yield* costs() }
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
