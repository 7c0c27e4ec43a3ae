/** The instants at which a cycle is tried, and the rule that decides after each failure what comes next, with its reason in words. */
import type { DeclineCode } from "@svc/payments/rails/model"
import { DateTime } from "effect"
import { DAY_MS } from "../calendar/period.ts"
import { daysBetween, type DunningTerms } from "./terms.ts"

/** Declines that no other day changes: only another card does. */
export const hardDeclines: ReadonlySet<string> = new Set<DeclineCode>([
  "lost_card",
  "stolen_card",
  "expired_card",
  "fraudulent",
  "card_not_supported",
  "currency_not_supported"
])

/** How far a try may be moved, either way, so that all that is due at midnight is not tried at midnight. */
export const JITTER_MS = 30 * 60 * 1000

/** Milliseconds after the moment from which tries are counted, ascending and without repetition: with no grace there is one try. */
const offsets = ({ grace_period_days, max_retries, preset }: DunningTerms): ReadonlyArray<number> => {
  const between = daysBetween(preset)
  if (between !== undefined) return between.reduce<ReadonlyArray<number>>((all, days) => [...all, (all.at(-1) ?? 0) + days * DAY_MS], [0])
  const last = max_retries - 1
  return Array.from(
    new Set(Array.from({ length: max_retries }, (_, k) => last === 0 ? 0 : Math.floor((k * grace_period_days * DAY_MS) / last)))
  )
}

/** The instants of the tries, the first at the moment from which they are counted, before any jitter. */
export const schedule = (terms: DunningTerms, counted_from: DateTime.Utc): ReadonlyArray<DateTime.Utc> =>
  offsets(terms).map((offset) => DateTime.makeUnsafe(counted_from.epochMilliseconds + offset))

/** When the grace of a cycle is over. */
export const graceEnd = ({ grace_period_days }: Pick<DunningTerms, "grace_period_days">, counted_from: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(counted_from.epochMilliseconds + grace_period_days * DAY_MS)
