/** Moving the day on which a subscription is billed. */
import { DateTime, Result } from "effect"
import { boundary, nextBoundary } from "../../calendar/boundaries.ts"
import type { Calendar } from "../../calendar/boundaries.ts"
import type { Line } from "../../lines/model.ts"
import { invalid, may, MOST_LINES, refuse, settled } from "./refusals.ts"
import type { Refusal } from "./refusals.ts"
import { isAfter, leadsTo, scheduled } from "./standing.ts"
import type { Outcome, Standing } from "./standing.ts"
import { changed } from "./steps.ts"
import { chargeLine, creditLine, givenBy, grant, withLines } from "./worth.ts"

/** A moved anchor, and the line that it makes; none when the period ends when it did. */
export interface AnchorChange extends Outcome {
  readonly line: Line | null
}

/** One period after the present end, as it would be without the change. */
const latest = ({ plan, subscription }: Standing): DateTime.Utc => {
  const calendar: Calendar = { anchor: subscription.billing_cycle_anchor, time_zone: subscription.time_zone, period: plan.billing_period }
  return boundary(calendar, nextBoundary(calendar, subscription.current_period_end).k)
}

const lineOf = (standing: Standing, anchor: DateTime.Utc): Line | null => {
  const { plan, subscription } = standing
  const { current_period_end: end } = subscription
  if (anchor.epochMilliseconds === end.epochMilliseconds) return null
  return isAfter(anchor, end)
    ? chargeLine(subscription, subscription.billed.price, plan.id, { kind: "anchor_change", description: `Time added to ${plan.name}`, from: end, to: anchor })
    : creditLine(standing, { kind: "anchor_change", description: `Time taken from ${plan.name}`, from: anchor, to: end })
}

/** The present period ends at the anchor, and each boundary from then on is counted from it. What that adds or takes waits for the next cycle. */
export const changeAnchor = (standing: Standing, anchor: DateTime.Utc): Result.Result<AnchorChange, Refusal> =>
  Result.gen(function*() {
    const { at, cycles, plan, subscription } = standing
    yield* may(subscription, "change_anchor")
    if (!isAfter(anchor, at)) return yield* Result.fail(invalid("anchor", "it is not in the future. Send the next billing date that you want."))
    const most = latest(standing)
    if (isAfter(anchor, most)) {
      return yield* Result.fail(invalid("anchor", `it is more than one period after the present one ends. Send at most ${DateTime.formatIso(most)}.`, { latest: DateTime.formatIso(most) }))
    }
    if (!plan.allow_proration) return yield* Result.fail(invalid("anchor", `${plan.name} is not prorated, so its period cannot become longer or shorter.`))
    yield* settled(standing)
    const line = lineOf(standing, anchor)
    const lines = line === null ? [] : [line]
    if (subscription.lines.length + lines.length > MOST_LINES) {
      return yield* Result.fail(refuse(subscription, "change_anchor", `${subscription.lines.length} lines wait for the next cycle already. Move it once that is charged`))
    }
    const next = changed(subscription, at, {
      current_period_end: anchor,
      next_billing_date: anchor,
      billing_cycle_anchor: anchor,
      lines: [...subscription.lines, ...lines],
      billed: withLines(subscription.billed, lines)
    })
    return { ...leadsTo(next, { event: "updated", granted: grant(cycles, givenBy(lines), at), ...scheduled(next, plan.billing_period, at) }), line }
  })
