/** Whole charges a second: ours, the hand-written peer, and the ceiling of the rows alone, in turn. */
import { EmbeddedPostgres } from "@svc/platform/database/embedded"
import { Console, Effect, Option } from "effect"
import { recordBodies } from "../ceiling/bodies.ts"
import * as pgbench from "../ceiling/pgbench.ts"
import { chargeScript } from "../ceiling/script.ts"
import { median } from "../load/histogram.ts"
import type { Plan } from "../plan.ts"
import { createDatabase, dropDatabase, settle } from "../postgres.ts"
import { type BenchFailed, type Program, startPeer } from "../processes.ts"
import { atLeast, atMost, figure, type Row, spread } from "../report.ts"
import { requireSameRows } from "../same-rows.ts"
import { perSecond, round, Stage, warmUp } from "../stage.ts"
import { familySeconds, ownSeconds, reapedSeconds } from "../usage.ts"

const PEER = "bench_peer"
const CEILING = "bench_ceiling"

/** Charges a second of one round, how many there were, and the processor seconds of who asked for them. */
interface Round {
  readonly rate: number
  readonly done: number
  readonly load: number
}

export interface Contestant {
  readonly name: string
  /** The process of the service; the ceiling has none. */
  readonly pid: number | undefined
  readonly warm: Effect.Effect<unknown, BenchFailed>
  readonly play: (round: number) => Effect.Effect<Round, BenchFailed>
  readonly rates: Array<number>
  /** Processor seconds of the service for a charge, by round. */
  readonly costs: Array<number>
  readonly used: { done: number; service: number; postgres: number; load: number }
}

export const contestant = (facts: Omit<Contestant, "costs" | "rates" | "used">): Contestant => ({
  ...facts,
  rates: [],
  costs: [],
  used: { done: 0, service: 0, postgres: 0, load: 0 }
})

const service = (name: string, program: Program, plan: Plan): Contestant =>
  contestant({
    name,
    pid: program.pid,
    warm: warmUp(program, plan),
    play: () => Effect.map(round(program, plan), (result) => ({ rate: perSecond(result), done: result.done, load: result.cpu }))
  })

const ceiling = Effect.fnUntraced(function*() {
  const { plan, server } = yield* Stage
  const program = yield* pgbench.find
  if (Option.isNone(program)) return undefined
  const script = { text: chargeScript, variables: { ...yield* recordBodies(server.port) } }
  const database = yield* createDatabase(CEILING, plan.merchants)
  const run = (n: number, seconds: number) =>
    pgbench.run(program.value, database, script, { clients: plan.connections, seconds, merchants: plan.merchants, round: n })
  return contestant({
    name: "ceiling",
    pid: undefined,
    warm: run(0, plan.warmup),
    play: Effect.fnUntraced(function*(n) {
      const before = reapedSeconds(process.pid) ?? Number.NaN
      const rate = yield* run(n + 1, plan.seconds)
      return { rate, done: rate * plan.seconds, load: (reapedSeconds(process.pid) ?? Number.NaN) - before }
    })
  })
})

/** Plays a round and adds up the processor time it took. Outside Linux that is not known, and stays NaN. */
export const playCounted = Effect.fnUntraced(function*({ costs, pid, play, rates, used }: Contestant, n: number) {
  const postgres = yield* EmbeddedPostgres
  const now = () => ({
    service: pid === undefined ? 0 : ownSeconds(pid) ?? Number.NaN,
    postgres: familySeconds(postgres.pid) ?? Number.NaN
  })
  const before = now()
  const { done, load, rate } = yield* play(n)
  const after = now()
  used.done += done
  used.service += after.service - before.service
  used.postgres += after.postgres - before.postgres
  used.load += load
  rates.push(rate)
  costs.push((after.service - before.service) / done)
  return rate
})

export const cost = ({ used }: Contestant): string => {
  const each = (seconds: number) => figure(seconds * 1000 / used.done)
  return `${each(used.service)} + ${each(used.postgres)} + ${each(used.load)} ms`
}

export const charges = Effect.gen(function*() {
  const stage = yield* Stage
  const { plan } = stage
  for (const name of [PEER, CEILING]) yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(name)))
  const peer = yield* startPeer((yield* createDatabase(PEER, plan.merchants)).url)
  const ours = service("ours", stage.server, plan)
  const theirs = service("peer", peer, plan)
  const rows = yield* ceiling()
  const contestants = [ours, theirs, ...(rows === undefined ? [] : [rows])]
  const cold = yield* beforeWarmUp([ours, theirs])
  for (const { warm } of contestants) yield* warm
  for (let n = 0; n < plan.rounds; n++) {
    for (const each of contestants) {
      yield* settle
      yield* Console.log(`  round ${n + 1}, ${each.name}: ${figure(yield* playCounted(each, n))} charges/s`)
    }
  }
  yield* requireSameRows([stage.database.name, PEER, ...(rows === undefined ? [] : [CEILING])])
  for (const rate of ours.rates) stage.note(rate)
  return [
    { measure: "charges a second, 3 requests each, 16 connections, 1,000 merchants", value: shown(ours) },
    ...ceilingRows(ours, rows),
    { measure: "the same service by hand (Fastify, pg)", value: shown(theirs) },
    over("charges a second over the hand-written service", ours, theirs, 2.1),
    costOver(
      `processor time of the service for a charge over the hand-written service's, after ${
        plan.warmupCharges.toLocaleString("en")
      } charges each`,
      ours,
      theirs,
      0.8
    ),
    { measure: "the same in the first seconds after a start, while V8 still compiles", value: figure(cold) },
    ...contestants.map((each) => ({ measure: `processor time of a charge, service + Postgres + load, ${each.name}`, value: cost(each) }))
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)

/** A round of each before anything is compiled: what they cost then, ours over theirs. It counts for nothing else. */
const beforeWarmUp = Effect.fnUntraced(function*([ours, theirs]: readonly [Contestant, Contestant]) {
  const each = yield* Effect.forEach([ours, theirs], (one) => {
    const apart = { ...one, rates: [], costs: new Array<number>(), used: { ...one.used } }
    return Effect.map(playCounted(apart, 0), () => apart.costs[0] ?? Number.NaN)
  })
  return (each[0] ?? Number.NaN) / (each[1] ?? Number.NaN)
})

const costOver = (measure: string, ours: Contestant, other: Contestant, most: number): Row => {
  const ratios = ours.costs.map((cost, n) => cost / (other.costs[n] ?? Number.NaN))
  return atMost(measure, median(ratios), most, spread(ratios, median(ratios)))
}

export const shown = ({ rates }: Contestant): string => spread(rates, median(rates), "charges/s")

/** The ratio of the rounds that followed each other: the machine's speed drifts, and of two neighbours it is nearly the same. */
export const over = (measure: string, ours: Contestant, other: Contestant, needed: number): Row => {
  const ratios = ours.rates.map((rate, n) => rate / (other.rates[n] ?? Number.NaN))
  return atLeast(measure, median(ratios), needed, spread(ratios, median(ratios)))
}

const ceilingRows = (ours: Contestant, rows: Contestant | undefined): ReadonlyArray<Row> => {
  const measure = "charges a second over the ceiling of pgbench"
  if (rows === undefined) return [{ measure, value: pgbench.NOT_FOUND, must: ">= 0.8" }]
  return [
    { measure: "the same rows by pgbench, 16 clients", value: shown(rows) },
    over(measure, ours, rows, 0.8)
  ]
}
