/** What currencies are worth in one another. Tests, and installations that ask somebody who trades, give it another layer. */
import type { Currency } from "@svc/kernel/values/currency"
import { Context, Effect, Layer } from "effect"
import type { RatesUnavailable } from "./errors.ts"
import { across, NoRate, type Rate, type RateTable, ratioOf } from "./model.ts"
import { builtIn } from "./table.ts"

export class Rates extends Context.Service<Rates, {
  /**
   * Units of `target` for one unit of `source`, as they stand now. Fails for the first of the two that nobody gives a rate for, and where
   * all there are are too old.
   */
  readonly between: (source: Currency, target: Currency) => Effect.Effect<Rate, NoRate | RatesUnavailable>
}>()("@svc/payments/Rates") {
  /** The rates of a table. Throws a RangeError, a defect, for a table with a rate that is none. */
  static readonly fromTable = ({ date, units, source: who }: RateTable): Rates["Service"] => {
    const ratios = new Map(Object.entries(units).map(([currency, decimal]) => [currency, ratioOf(decimal)]))
    return {
      between: Effect.fnUntraced(function*(source: Currency, target: Currency) {
        const from = ratios.get(source)
        const to = ratios.get(target)
        if (from === undefined) return yield* new NoRate({ currency: source })
        if (to === undefined) return yield* new NoRate({ currency: target })
        return { ratio: across(from, to), date, source: who }
      })
    }
  }

  /** The built-in rates. They are of one day for ever: for a sandbox, not for anybody's money. */
  static readonly layer = Layer.sync(Rates, () => Rates.fromTable(builtIn))
}
