/** The exchange rates between currencies. Tests, and installations with a provider of real rates, replace its layer. */
import type { Currency } from "@svc/kernel/values/currency"
import { Context, Effect, Layer } from "effect"
import type { RatesUnavailable } from "./errors.ts"
import { across, NoRate, type Rate, type RateTable, ratioOf } from "./model.ts"
import { builtIn } from "./table.ts"

export class Rates extends Context.Service<Rates, {
  /**
   * The present rate: units of `target` for one unit of `source`. Fails with `NoRate` for the first of the two currencies without a rate,
   * and with 503 `rates_unavailable` if all rates are too old.
   */
  readonly between: (source: Currency, target: Currency) => Effect.Effect<Rate, NoRate | RatesUnavailable>
}>()("@svc/payments/Rates") {
  /** The rates of a table. Throws a RangeError, a defect, if a rate of the table is not a decimal above zero. */
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

  /** The built-in rates. They never change: they are for sandboxes, not for real money. */
  static readonly layer = Layer.sync(Rates, () => Rates.fromTable(builtIn))
}
