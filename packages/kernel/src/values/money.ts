/**
 * Money is a safe integer in the currency's minor unit. Every product or ratio of money is computed
 * in BigInt and rounded once, here, so that no intermediate result can lose a unit.
 */
import { Schema } from "effect"

/** The largest amount one payment may have, in minor units. */
export const MAX_AMOUNT = 99_999_999_999

// JSON can carry -0, which prints as 0 yet is another value to Object.is and to hashes of text.
const isNotNegativeZero = (n: number) => !Object.is(n, -0)

// Number, not Finite: only there does the message also answer for a value that is no number at all. isInt refuses the rest.
const integer = (message: string, minimum: number, maximum: number) =>
  // @effect-diagnostics-next-line schemaNumber:off
  Schema.Number.annotate({ message }).check(
    Schema.isInt({ message }).abort(),
    Schema.makeFilter(isNotNegativeZero, { message }).abort(),
    Schema.isBetween({ minimum, maximum }, { message })
  )

/** A positive amount of money in minor units, at most {@link MAX_AMOUNT}. */
export const Amount = integer(
  `Expected a whole number of minor units from 1 to ${MAX_AMOUNT}, for example 1250 for 12.50 USD`,
  1,
  MAX_AMOUNT
).annotate({ identifier: "Amount", title: "Amount", description: "Minor units of the currency" })
export type Amount = typeof Amount.Type

/** An amount of money in minor units that may be zero: sums, remainders and balances that cannot be negative. */
export const SafeAmount = integer(
  `Expected a whole number of minor units from 0 to ${Number.MAX_SAFE_INTEGER}`,
  0,
  Number.MAX_SAFE_INTEGER
).annotate({ identifier: "SafeAmount", title: "Amount or zero", description: "Minor units of the currency, zero allowed" })
export type SafeAmount = typeof SafeAmount.Type

/** A signed amount of money in minor units: deltas, adjustments and balances that may be negative. */
export const SignedAmount = integer(
  `Expected a whole number of minor units from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER
).annotate({ identifier: "SignedAmount", title: "Signed amount", description: "Minor units of the currency, may be negative" })
export type SignedAmount = typeof SignedAmount.Type

/**
 * The number for a BigInt result. Throws a RangeError, a defect, beyond ±(2^53 - 1): no amount this
 * service accepts reaches it, so reaching it means a mistake in the arithmetic before.
 */
export const toSafeInteger = (value: bigint): number => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} minor units exceed the safe integer range of ±(2^53 - 1)`)
  return number
}

/**
 * The whole number nearest to `numerator / denominator`; an exact half goes up, towards positive
 * infinity: 5/2 is 3 and -5/2 is -2. So moving every value by a whole unit moves every rounded value
 * by that unit, on both sides of zero. Throws a RangeError, a defect, unless `denominator > 0`.
 */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint => {
  if (denominator <= 0n) throw new RangeError(`The denominator of a money ratio must be positive, got ${denominator}`)
  const dividend = 2n * numerator + denominator
  const divisor = 2n * denominator
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

/** `bps` ten-thousandths of `amount`, rounded half up. Both are whole numbers; 290 bps are 2.9 %. */
export const basisPoints = (amount: number, bps: number): number => toSafeInteger(roundHalfUp(BigInt(amount) * BigInt(bps), 10_000n))

/** A price for taking a payment: `bps` of the amount plus `fixed` minor units. */
export interface FeeSchedule {
  readonly bps: number
  readonly fixed: number
}

/**
 * The fee on a captured amount: `bps` of it, rounded half up, plus the fixed part. Never more than the
 * amount itself, because the fee is taken out of the capture and the rest, which settles, cannot be
 * negative: a capture of 20 at 2.9 % + 30 costs 20.
 */
export const fee = (amount: number, { bps, fixed }: FeeSchedule): number => Math.min(amount, basisPoints(amount, bps) + fixed)
