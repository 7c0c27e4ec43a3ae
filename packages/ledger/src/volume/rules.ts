/** What days add up to. Pure. */
import { DateTime } from "effect"
import type { Buckets, CurrencyBalances, CurrencyVolume, DayRow, MovedRow } from "./model.ts"

export const dayOf = (at: DateTime.Utc): string => DateTime.formatIsoDateUtc(at)

/** The first moment of the first of so many days, the last of which is that of `at`. */
export const firstOf = (at: DateTime.Utc, days: number): DateTime.Utc => DateTime.subtract(DateTime.startOf(at, "day"), { days: days - 1 })

const total = (days: ReadonlyArray<DayRow>, of: "captured" | "payments" | "refunded"): number => days.reduce((sum, day) => sum + day[of], 0)

/** `rows` are those of the time, by currency and day. */
export const volumeOf = (rows: ReadonlyArray<DayRow>, at: DateTime.Utc): ReadonlyArray<CurrencyVolume> => {
  const today = dayOf(at)
  return Array.from(Map.groupBy(rows, ({ currency }) => currency), ([currency, of]) => {
    const days = of.map(({ currency: _, ...day }) => day)
    return {
      currency,
      today: days.find(({ day }) => day === today) ?? { day: today, captured: 0, payments: 0, refunded: 0 },
      captured: total(of, "captured"),
      payments: total(of, "payments"),
      refunded: total(of, "refunded"),
      days
    }
  })
}

const NOTHING: Buckets = { available: 0, pending: 0, reserved: 0 }

const plus = (held: Buckets, moved: Buckets): Buckets => ({
  available: held.available + moved.available,
  pending: held.pending + moved.pending,
  reserved: held.reserved + moved.reserved
})

/** What the buckets held at the end of each day. `rows` are by currency and day, what was before the first day before all others. */
export const balancesOf = (rows: ReadonlyArray<MovedRow>): ReadonlyArray<CurrencyBalances> =>
  Array.from(Map.groupBy(rows, ({ currency }) => currency), ([currency, of]) => {
    const opening = of.filter(({ day }) => day === null).reduce(plus, NOTHING)
    let held = opening
    const days = of.flatMap(({ day, ...moved }) => {
      if (day === null) return []
      held = plus(held, moved)
      return [{ day, ...held }]
    })
    return { currency, opening, days }
  })
