/** Conditions of a commit on a balance, with what their refusal says. */
import type { Bucket, Requirement, Shortfall } from "@svc/kernel/road/decision"
import { InsufficientBalance } from "./model.ts"

/** 400 `insufficient_balance`: what a bucket held, and that it was too little. */
export const insufficientBalance = ({ bucket, currency, held }: Shortfall): InsufficientBalance =>
  new InsufficientBalance({
    code: "amount",
    message:
      `The ${bucket} balance is ${held} minor units of ${currency}, which is too little. Wait until more has come in, or send a smaller amount.`,
    details: { currency, [bucket]: held }
  })

/** The bucket holds at least this after the commit; otherwise 400 `insufficient_balance`. Zero for what may take all there is. */
export const atLeast = (currency: string, bucket: Bucket, at_least: number): Requirement<InsufficientBalance> => ({
  currency,
  bucket,
  at_least,
  refusal: insufficientBalance
})
