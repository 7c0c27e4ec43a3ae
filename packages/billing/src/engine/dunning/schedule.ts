/** The schedule of the charge attempts of a cycle. */
import type { DeclineCode } from "@svc/payments/rails/model"
import { DateTime } from "effect"
import { DAY_MS } from "../calendar/period.ts"
import { daysBetween, type DunningTerms } from "./terms.ts"

/** The declines for which another attempt with the same card is useless. */
export const hardDeclines: ReadonlySet<string> = new Set<DeclineCode>([
  "lost_card",
  "stolen_card",
  "expired_card",
  "fraudulent",
  "card_not_supported",
  "currency_not_supported"
])

/** The time by which an attempt may be moved, earlier or later, so that attempts that are due at midnight do not all run at midnight. */
export const JITTER_MS = 30 * 60 * 1000

/** The milliseconds from the counted moment to each attempt, ascending and distinct. Without a grace period there is one attempt. */
const offsets = ({ grace_period_days, max_retries, preset }: DunningTerms): ReadonlyArray<number> => {
  const between = daysBetween(preset)
  if (between !== undefined) return between.reduce<ReadonlyArray<number>>((all, days) => [...all, (all.at(-1) ?? 0) + days * DAY_MS], [0])
  const last = max_retries - 1
  return Array.from(
    new Set(Array.from({ length: max_retries }, (_, k) => last === 0 ? 0 : Math.floor((k * grace_period_days * DAY_MS) / last)))
  )
}

/** The instants of the attempts before any jitter. The first is the moment from which the attempts are counted. */
export const schedule = (terms: DunningTerms, counted_from: DateTime.Utc): ReadonlyArray<DateTime.Utc> =>
  offsets(terms).map((offset) => DateTime.makeUnsafe(counted_from.epochMilliseconds + offset))

/** The end of the grace period of a cycle. */
export const graceEnd = ({ grace_period_days }: Pick<DunningTerms, "grace_period_days">, counted_from: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(counted_from.epochMilliseconds + grace_period_days * DAY_MS)
