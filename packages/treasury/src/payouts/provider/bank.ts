/**
 * The bank of sandbox accounts. It keeps nothing: what it says of a payout follows from the number that it goes to. It answers a day after
 * the payout was submitted. A number that ends in 0003 is one of a closed account, and the payout is refused; what goes to one that ends in
 * 0004 arrives, and is sent back two days later. To every other number it arrives for good.
 */
import { DateTime } from "effect"
import type { Payout } from "../model.ts"
import type { BankAnswer } from "../rules.ts"

const ANSWER_DAYS = 1
const RETURN_DAYS = 2

export const answeredAt = (submitted: DateTime.Utc): DateTime.Utc => DateTime.add(submitted, { days: ANSWER_DAYS })

export const answerOf = (number: string, { completed_at }: Pick<Payout, "completed_at">, at: DateTime.Utc): BankAnswer =>
  number.endsWith("0003")
    ? { _tag: "Refused", reason: "The bank says that the account is closed." }
    : number.endsWith("0004")
    ? { _tag: "Took and returns", at: DateTime.add(completed_at ?? at, { days: RETURN_DAYS }) }
    : { _tag: "Took" }
