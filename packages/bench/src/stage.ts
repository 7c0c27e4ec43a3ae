/** What the measures share: our server on a fresh database, and the most charges a second it was seen to make. */
import type { EmbeddedPostgres } from "@svc/platform/database/embedded"
import { Context, Effect, Layer } from "effect"
import { median } from "./load/histogram.ts"
import type { JobResult } from "./load/job.ts"
import type { Plan } from "./plan.ts"
import { createDatabase, type Database, settle } from "./postgres.ts"
import { type BenchFailed, load, type Program, type Server, startServer } from "./processes.ts"

export class Stage extends Context.Service<Stage, {
  readonly plan: Plan
  /** A folder that is removed in the end. */
  readonly folder: string
  readonly database: Database
  readonly server: Server
  /** Charges a second with all connections busy, the median of what was noted, measured now if nothing was. */
  readonly maximum: Effect.Effect<number, BenchFailed>
  readonly note: (chargesPerSecond: number) => void
}>()("@svc/bench/Stage") {}

/** One round of charges without a pause. */
export const round = (program: Program, plan: Plan, seconds = plan.seconds): Effect.Effect<JobResult, BenchFailed> =>
  load({
    kind: "charges",
    port: program.port,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    rate: 0,
    warmup: 0,
    seconds
  })

/** Charges without a pause until code is compiled and statements are prepared: by count, as the faster of two is not to be the warmer. */
export const warmUp = (program: Program, plan: Plan): Effect.Effect<JobResult, BenchFailed> =>
  load({
    kind: "charges",
    port: program.port,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    rate: 0,
    warmup: 0,
    seconds: 0,
    charges: plan.warmupCharges
  })

export const perSecond = ({ done, seconds }: JobResult): number => done / seconds

export const layer = (plan: Plan, folder: string) =>
  Layer.effect(
    Stage,
    Effect.gen(function*() {
      const database = yield* createDatabase("bench_ours", plan.merchants)
      const server = yield* startServer(database.url, folder)
      const noted: Array<number> = []
      const maximum = Effect.gen(function*() {
        if (noted.length === 0) {
          yield* warmUp(server, plan)
          for (let n = 0; n < plan.rounds; n++) noted.push(perSecond(yield* round(server, plan)))
        }
        return median(noted)
      })
      yield* settle
      return Stage.of({
        plan,
        folder,
        database,
        server,
        maximum,
        note: (value) => {
          noted.push(value)
        }
      })
    })
  )

/** What measures may need. */
export type Needs = Stage | EmbeddedPostgres
