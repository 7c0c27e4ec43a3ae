/** Volume and balances by day. The sums are kept, and whoever asks adds what the ledger has gained since. */
import { now } from "@svc/kernel/values/time"
import { Context, Effect, FiberMap, Layer, Schedule } from "effect"
import type { BalanceHistory, Volume } from "./model.ts"
import { VolumeRepository } from "./repository.ts"
import * as rules from "./rules.ts"

/** Between pieces that nobody waits for, others get their turn. */
const BETWEEN_PIECES = Schedule.spaced("50 millis")

export class Volumes extends Context.Service<Volumes, {
  /** Of so many days, today among them. An answer adds up one piece of the ledger at most; the rest follows behind it. */
  readonly report: (account: string, days: number) => Effect.Effect<Volume>
  /** What the buckets held at the end of so many days, today among them. */
  readonly balances: (account: string, days: number) => Effect.Effect<BalanceHistory>
}>()("@svc/ledger/Volumes") {
  static readonly layer = Layer.effect(
    Volumes,
    Effect.gen(function*() {
      const { advance, days: daysFrom, moved } = yield* VolumeRepository
      const behind = yield* FiberMap.make<string>()

      /** Adds what is new, and says which time an answer is about. */
      const reach = Effect.fnUntraced(function*(account: string, days: number) {
        const to = yield* now
        const from = rules.firstOf(to, days)
        const is_complete = yield* advance(account)
        if (!is_complete) {
          yield* FiberMap.run(behind, account, Effect.repeat(advance(account), { until: (isAll) => isAll, schedule: BETWEEN_PIECES }), {
            onlyIfMissing: true
          })
        }
        return { from, to, is_complete }
      })

      const report = Effect.fn("Volumes.report")(function*(account: string, days: number) {
        const period = yield* reach(account, days)
        return { ...period, currencies: rules.volumeOf(yield* daysFrom(account, rules.dayOf(period.from)), period.to) }
      })

      const balances = Effect.fn("Volumes.balances")(function*(account: string, days: number) {
        const period = yield* reach(account, days)
        return { ...period, currencies: rules.balancesOf(yield* moved(account, rules.dayOf(period.from))) }
      })

      return Volumes.of({ report, balances })
    })
  )
}
