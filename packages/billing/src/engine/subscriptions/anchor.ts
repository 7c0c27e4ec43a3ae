/** Decides on moving the day on which a subscription is billed. */
import { change } from "@svc/kernel/resource/change"
import { DateTime, Result } from "effect"
import { periodEnd } from "../calendar/boundaries.ts"
import type { Line } from "../lines.ts"
import { invalid, may, MOST_LINES, refuse, requireDecidedCharges, type SubscriptionRefusal } from "./refusals.ts"
import { calendarOf, isAfter, outcomeWith, scheduled, type SubscriptionOutcome, type SubscriptionSnapshot } from "./snapshot.ts"
import { billedPlan, chargeLine, creditLine, creditOfLines, grant, withLines } from "./worth.ts"

/** A moved anchor, and the line for the difference; no line if the end of the period stays the same. */
export interface AnchorDecision extends SubscriptionOutcome {
  readonly line: Line | null
}

/** The latest allowed anchor: one period after the present end, without the change. */
const latest = ({ plan, subscription }: SubscriptionSnapshot): DateTime.Utc =>
  periodEnd(calendarOf(subscription, plan.billing_period), subscription.current_period_end)

const lineOf = (snapshot: SubscriptionSnapshot, anchor: DateTime.Utc): Line | null => {
  const { subscription } = snapshot
  const { current_period_end: end } = subscription
  const plan = billedPlan(snapshot)
  if (anchor.epochMilliseconds === end.epochMilliseconds) return null
  return isAfter(anchor, end)
    ? chargeLine(subscription, subscription.billed.price, plan.id, {
      kind: "anchor_change",
      description: `Time added to ${plan.name}`,
      from: end,
      to: anchor
    })
    : creditLine(snapshot, { kind: "anchor_change", description: `Time taken from ${plan.name}`, from: anchor, to: end })
}

/**
 * Ends the present period at the new anchor, from which all later boundaries are counted. A line for the added or removed time waits for
 * the next cycle. If the period ends at that instant anyway, the anchor stays: a date that was computed from the anchor does not replace
 * it.
 */
export const changeAnchor = (snapshot: SubscriptionSnapshot, anchor: DateTime.Utc): Result.Result<AnchorDecision, SubscriptionRefusal> =>
  Result.gen(function*() {
    const { at, cycles, plan, subscription } = snapshot
    yield* may(subscription, "change_anchor")
    if (!isAfter(anchor, at)) {
      return yield* Result.fail(invalid("anchor", "it is not in the future. Send the next billing date that you want."))
    }
    const most = latest(snapshot)
    if (isAfter(anchor, most)) {
      return yield* Result.fail(
        invalid("anchor", `it is more than one period after the present one ends. Send at most ${DateTime.formatIso(most)}.`, {
          latest: DateTime.formatIso(most)
        })
      )
    }
    if (!plan.allow_proration) {
      return yield* Result.fail(invalid("anchor", `${plan.name} is not prorated, so its period cannot become longer or shorter.`))
    }
    yield* requireDecidedCharges(snapshot, "change_anchor")
    const line = lineOf(snapshot, anchor)
    const lines = line === null ? [] : [line]
    if (subscription.lines.length + lines.length > MOST_LINES) {
      return yield* Result.fail(
        refuse(
          subscription,
          "change_anchor",
          `${subscription.lines.length} lines wait for the next cycle already. Move it once that is charged`
        )
      )
    }
    const next = change(subscription, at, {
      current_period_end: anchor,
      next_billing_date: anchor,
      billing_cycle_anchor: line === null ? subscription.billing_cycle_anchor : anchor,
      lines: [...subscription.lines, ...lines],
      billed: withLines(subscription.billed, lines)
    })
    return {
      ...outcomeWith(next, {
        event: "updated",
        granted: grant(cycles, creditOfLines(lines), at),
        ...scheduled(next, plan.billing_period, at)
      }),
      line
    }
  })
