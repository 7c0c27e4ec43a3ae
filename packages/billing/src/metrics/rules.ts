/** Which time is meant, and what the sums of a currency come to as figures. Pure. */
import { ValidationError } from "@svc/kernel/resource/errors"
import { iso } from "@svc/kernel/values/time"
import { DateTime, Result } from "effect"
import {
  type CurrencyMetrics,
  type CurrencySums,
  definitions,
  type MetricName,
  type MetricPeriod,
  type MetricsFilter,
  movements
} from "./model.ts"

/** Postgres knows no year 0. */
const FIRST_YEAR = DateTime.makeUnsafe("0001-01-01T00:00:00.000Z")

/**
 * The time that is asked for. Without `to` it ends with this calendar month in UTC: what is to come is in no figure yet. Without `from` it
 * begins with the month of its last moment.
 */
export const stretch = ({ from, to }: MetricsFilter, now: DateTime.Utc): Result.Result<MetricPeriod, ValidationError> => {
  const end = to ?? DateTime.add(DateTime.startOf(now, "month"), { months: 1 })
  const begin = from ?? DateTime.max(FIRST_YEAR, DateTime.startOf(DateTime.subtract(end, { milliseconds: 1 }), "month"))
  return DateTime.isLessThan(begin, end)
    ? Result.succeed({ from: begin, to: end })
    : Result.fail(
      new ValidationError({
        code: to === undefined ? "from" : "to",
        message: to === undefined
          ? `from: must be before the end of this month, which is ${iso(end)}`
          : `to: must be after from, which is ${iso(begin)}`
      })
    )
}

const shareOf = (lost: number, of: number) => ({ value: of === 0 ? null : lost / of, lost, of })

/** The figures of one currency, each with what it is and where its rows are. */
export const figures = (sums: CurrencySums, { from, to }: MetricPeriod): CurrencyMetrics => {
  const query = new URLSearchParams({ currency: sums.currency, from: iso(from), to: iso(to) })
  const told = <A extends object>(name: MetricName, value: A) => ({
    ...value,
    definition: definitions[name],
    rows: `/v1/metrics/rows?metric=${name}&${query}`
  })
  const figure = (name: MetricName, value: number) => told(name, { value })
  const closing = movements.reduce((sum, movement) => sum + sums[movement], sums.opening)
  return {
    currency: sums.currency,
    recurring_revenue: {
      opening: figure("opening", sums.opening),
      new: figure("new", sums.new),
      expansion: figure("expansion", sums.expansion),
      contraction: figure("contraction", sums.contraction),
      churn: figure("churn", sums.churn),
      reactivation: figure("reactivation", sums.reactivation),
      closing: figure("closing", closing)
    },
    customer_churn: told("customer_churn", shareOf(sums.customers_lost, sums.customers)),
    // Never a negative zero.
    revenue_churn: told("revenue_churn", shareOf(Math.abs(sums.churn + sums.contraction), sums.opening)),
    volume: figure("volume", sums.volume),
    refunds: figure("refunds", sums.refunds),
    fees: figure("fees", sums.fees),
    net_revenue: figure("net_revenue", sums.volume - sums.refunds - sums.fees)
  }
}
