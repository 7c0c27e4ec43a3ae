/** Computes the charge of a cycle from its price, the waiting lines and the carried credit. No minor unit is lost or created. */
import { Data, Result } from "effect"

/** A sum of money is too large for an exact number. Nothing is charged and nothing is written. */
export class AmountOutOfRange extends Data.TaggedError("AmountOutOfRange")<{ readonly message: string }> {}

/** The amount of a line for a part of a period, in minor units: owed if positive, given back if negative. */
export interface LineAmount {
  readonly amount: number
}

export interface SettledCredit {
  /** The sum of the lines less the carried credit that was used. */
  readonly proration_adjustment: number
  /** The charged amount: `max(0, amount + proration_adjustment)`. */
  readonly effective: number
  /** The carried credit that this cycle uses. */
  readonly credit_applied: number
  /** The credit after this cycle: the carried credit that was not used, and the amount by which the lines exceed the price. */
  readonly credit_carried: number
}

const sum = (amounts: ReadonlyArray<number>): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

const within = (value: bigint): boolean => value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)

/**
 * The amounts of a cycle with the price `amount` and these lines, on a subscription that carries `credit_balance` (both not negative). If
 * the lines give back more than the price, nothing is to be paid, and the rest is added to the credit. Otherwise carried credit is used.
 * So `effective + credit_balance = amount + sum of lines + credit_carried`.
 */
export const settle = (
  amount: number,
  lines: ReadonlyArray<LineAmount>,
  credit_balance: number
): Result.Result<SettledCredit, AmountOutOfRange> => {
  const carried = BigInt(credit_balance)
  const adjustment = sum(lines.map((line) => line.amount))
  const owed = BigInt(amount) + adjustment
  const applied = owed <= 0n ? 0n : owed < carried ? owed : carried
  const effective = owed > 0n ? owed - applied : 0n
  const left = carried - applied + (owed < 0n ? -owed : 0n)
  const results = [adjustment - applied, effective, applied, left]
  if (!results.every(within)) {
    return Result.fail(
      new AmountOutOfRange({
        message: `The cycle's amounts come to ${
          results.join(", ")
        } minor units, and one of them is beyond ±(2^53 - 1). Nothing was charged; refund or cancel what made them so large`
      })
    )
  }
  return Result.succeed({
    proration_adjustment: Number(adjustment - applied),
    effective: Number(effective),
    credit_applied: Number(applied),
    credit_carried: Number(left)
  })
}

/** The credit for the rest of a period: at most the worth of the period, so that no money is given back twice. */
export const cap = (credit: number, value: bigint): number => (BigInt(credit) > value ? Number(value) : credit)
