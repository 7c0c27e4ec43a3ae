/** How lines that wait and credit that is carried become what a cycle charges. No minor unit is lost on the way, and none is made. */
import { Data, Result } from "effect"

/** A sum of money that no number holds exactly. Nothing is charged and nothing is written. */
export class AmountOutOfRange extends Data.TaggedError("AmountOutOfRange")<{ readonly message: string }> {}

/** Something owed (positive) or given back (negative) for a part of a period, in minor units. */
export interface LineAmount {
  readonly amount: number
}

export interface SettledCredit {
  /** Sum of the lines less the carried credit that was used: the cycle's signed delta. */
  readonly proration_adjustment: number
  /** What is charged: `max(0, amount + proration_adjustment)`. */
  readonly effective: number
  /** Carried credit that this cycle used. */
  readonly credit_applied: number
  /** Credit after this cycle: what was carried and not used, and what the lines left below zero. */
  readonly credit_carried: number
}

const sum = (amounts: ReadonlyArray<number>): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

const within = (value: bigint): boolean => value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)

/**
 * The cycle of price `amount` that takes these lines, on a subscription that carries `credit_balance` (both not negative). Lines
 * that together are worth more than the price leave nothing to pay, and the rest is added to the credit; only otherwise is carried
 * credit used. So `effective + credit_balance = amount + sum of lines + credit_carried`.
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

/** The credit that is given for the rest of a period: never more than the period is worth, so no money is given back twice. */
export const cap = (credit: number, value: bigint): number => (BigInt(credit) > value ? Number(value) : credit)
