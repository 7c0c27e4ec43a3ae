/** The usual conditions of a commit, with what their refusal says. */
import { Schema } from "effect"
import { InsufficientBalance } from "../errors.ts"
import type { Bucket, Limit, Reached, Requirement, Shortfall } from "./decision.ts"

/** 400 `insufficient_balance`: what a bucket held, and that it was too little. */
export const insufficientBalance = ({ bucket, currency, held }: Shortfall): InsufficientBalance =>
  new InsufficientBalance({
    code: "amount",
    message: `The ${bucket} balance is ${held} minor units of ${currency}, which is too little. Wait until more has come in, or send a smaller amount.`,
    details: { currency, [bucket]: held }
  })

/** The bucket holds at least this after the commit; otherwise 400 `insufficient_balance`. Zero for what may take all there is. */
export const atLeast = (currency: string, bucket: Bucket, at_least: number): Requirement<InsufficientBalance> => ({
  currency,
  bucket,
  at_least,
  refusal: insufficientBalance
})

/** A limit would have been passed. It is for whoever set the limit to say so on the wire. */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  name: Schema.String,
  key: Schema.String,
  /** The window that is full. */
  period: Schema.Literals(["hour", "day", "month", "life"]),
  limit: Schema.Int,
  /** How much was left of it, too little. */
  left: Schema.Int
}) {}

export const limitReached = ({ key, left, limit, name, window }: Reached): LimitReached =>
  new LimitReached({ name, key, period: window?.period ?? "life", limit, left })

/** Spent and reserved are together at most this after the commit; otherwise `LimitReached`. */
export const atMost = (at_most: number): Limit<LimitReached> => ({ at_most, refusal: limitReached })
