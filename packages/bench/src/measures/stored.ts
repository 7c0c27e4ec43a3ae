/** What the measures of stored data share: the services that the tools call, on a new database, and how long single questions take. */
import * as Database from "@svc/kernel/database/client"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { EmbeddedPostgres } from "@svc/platform/database/embedded"
import { Clock, Effect, Layer } from "effect"
import { type Latencies, latencies } from "../load/histogram.ts"
import { createDatabase } from "../postgres.ts"
import { atMost, figure, type Row } from "../report.ts"

/** Numbers from 0 up to 1, the same in every run. */
export const chance = (seed: number): () => number => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Connections as the server has them, to a new database with one merchant. */
export const connections = (name: string) =>
  Database.layer.pipe(Layer.provide(Layer.effect(
    DatabaseConfig,
    Effect.gen(function*() {
      const { config } = yield* EmbeddedPostgres
      yield* createDatabase(name, 1)
      return { ...config, database: name }
    })
  )))

const WARM_UP = 50

/** Milliseconds of one question after another. The first ones are not counted: they fill what a server that runs has full. */
export const timed = <E, R>(count: number, ask: (n: number) => Effect.Effect<unknown, E, R>): Effect.Effect<Latencies, E, R> =>
  Effect.gen(function*() {
    const times: Array<number> = []
    for (let n = -WARM_UP; n < count; n++) {
      const begun = yield* Clock.monotonicTimeNanos
      yield* ask(n)
      if (n >= 0) times.push(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
    }
    return latencies(times)
  })

/** The row of a measure that must stay below so many milliseconds in 99 of 100 questions. */
export const within = (measure: string, { count, max, p50, p99 }: Latencies, most: number): Row =>
  atMost(measure, p99, most, `p99 ${figure(p99)} ms (median ${figure(p50)}, most ${figure(max)}, ${count} questions)`, `p99 <= ${most} ms`)
