/** How far a clock may be sent, and when it may be removed. Pure. */
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { iso } from "@svc/kernel/values/time"
import { DateTime, Result } from "effect"
import { LAST_MOMENT, MOST_DAYS } from "./model.ts"

const refused = (message: string) => Result.fail(new ValidationError({ code: "to", message: `to: ${message}` }))

/** Whether a clock that stands at `present` may be sent to a moment. */
export const mayAdvance = (present: DateTime.Utc, to: DateTime.Utc): Result.Result<void, ValidationError> => {
  if (to.epochMilliseconds >= Date.parse(LAST_MOMENT)) return refused(`a clock stays before ${LAST_MOMENT}. Give an earlier moment`)
  if (DateTime.isLessThan(to, present)) {
    return refused(`the clock stands at ${iso(present)} and only moves forward. Give that moment or a later one`)
  }
  const furthest = DateTime.add(present, { days: MOST_DAYS })
  return DateTime.isGreaterThan(to, furthest)
    ? refused(
      `one advance goes at most ${MOST_DAYS} days, and the clock stands at ${iso(present)}. Give ${
        iso(furthest)
      } or an earlier moment, and advance again from there`
    )
    : Result.void
}

/** What a clock that is to be removed stands in. */
export interface ClockRemoval {
  readonly present: DateTime.Utc
  /** Where the clock is on its way to; null while it stands still. */
  readonly advancing_to: DateTime.Utc | null
  /** The kinds of the timers that wait in the account, and how many of each. */
  readonly waiting: ReadonlyArray<{ readonly kind: string; readonly count: number }>
  /** Whether anything was committed in the account since it got its clock. */
  readonly used: boolean
  /** The world's time. */
  readonly world: DateTime.Utc
}

const depends = (reason: string, message: string, state: "ready" | "advancing", more: Readonly<Record<string, unknown>> = {}) =>
  Result.fail(new InvalidState({ message, details: { state, allowed: [], reason, ...more } }))

/** Whether a clock may be removed: whether nothing depends on its time. */
export const mayRemove = ({ advancing_to, present, used, waiting, world }: ClockRemoval): Result.Result<void, InvalidState> => {
  if (advancing_to !== null) {
    return depends(
      "advancing",
      `The clock is on its way to ${iso(advancing_to)}. Wait until its status is ready, or cancel the advance, then remove it.`,
      "advancing"
    )
  }
  if (waiting.length > 0) {
    const kinds = waiting.map(({ count, kind }) => `${kind} (${count})`).join(", ")
    return depends(
      "waiting",
      `The account has things that wait for a moment of the clock's time: ${kinds}. Let them happen by advancing the clock, or end them, then remove it; or make another sandbox account.`,
      "ready",
      { waiting }
    )
  }
  if (used && DateTime.isGreaterThan(present, world)) {
    return depends(
      "ahead",
      `The clock stands at ${iso(present)}, ahead of the world's ${
        iso(world)
      }, and what was made in the account meanwhile would lie in the future. Remove the clock when the world has got there, or make another sandbox account.`,
      "ready"
    )
  }
  return Result.void
}
