/** Computes the worth of the rest of a period. Every ratio is computed in BigInt and rounded half up, once. */
import { roundHalfUp, toSafeInteger } from "@svc/kernel/values/money"
import { DateTime } from "effect"

/** A period and an instant in it. */
export interface PeriodShare {
  readonly period_start: DateTime.Utc
  /** The end, later than the start. */
  readonly period_end: DateTime.Utc
  readonly at: DateTime.Utc
  /**
   * The whole seconds that the price pays for, if the length of the period changed since: a pause moved its end, or a moved anchor made
   * the period longer or shorter. The price of a second stays the same until the next period begins.
   */
  readonly period_seconds?: number
}

/** The rest of a period, as a fraction. */
export interface Fraction {
  /** The whole seconds from the instant to the end of the period; 0 after it. Above the denominator only if the period was made longer. */
  readonly numerator: number
  /** The whole seconds that the price pays for. */
  readonly denominator: number
}

/** The whole seconds between two instants, rounded down. */
export const wholeSeconds = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 1000)

/**
 * The fraction of a period that is left at an instant: the whole period before it, nothing after it. Throws a RangeError, a defect, for a
 * period shorter than a second.
 */
export const remaining = ({ at, period_end, period_seconds, period_start }: PeriodShare): Fraction => {
  const denominator = period_seconds ?? wholeSeconds(period_start, period_end)
  if (denominator <= 0) throw new RangeError(`A billing period must be at least a second long, got ${denominator} seconds`)
  return { numerator: Math.max(0, wholeSeconds(DateTime.max(at, period_start), period_end)), denominator }
}

/** A fraction of an amount in minor units, rounded half up. */
export const part = (amount: number, { denominator, numerator }: Fraction): number =>
  toSafeInteger(roundHalfUp(BigInt(amount) * BigInt(numerator), BigInt(denominator)))

/** A change of price at an instant of a period. */
export interface PriceChange extends PeriodShare {
  /** Minor units for the whole period, not negative. */
  readonly old_amount: number
  readonly new_amount: number
}

/** The proration of a change of price: the two amounts are this fraction of the two prices. */
export interface Proration extends Fraction {
  /** The worth of the rest of the period at the old price. */
  readonly credit: number
  /** The cost of the rest of the period at the new price. */
  readonly charge: number
  /** `charge - credit`. */
  readonly adjustment: number
}

export const prorate = ({ new_amount, old_amount, ...share }: PriceChange): Proration => {
  const fraction = remaining(share)
  const credit = part(old_amount, fraction)
  const charge = part(new_amount, fraction)
  return { credit, charge, adjustment: charge - credit, ...fraction }
}
