/** Commits for the tests of the road. Entries follow the routes that the ledger has. */
import { Effect, Result, Schema } from "effect"
import { now } from "../values/time.ts"
import type { Bucket, Commit, Entry, Requirement } from "./decision.ts"

/** A bucket holds less than a condition asks for: what it holds. */
export class TooLittle
  extends Schema.TaggedError<TooLittle>()("TooLittle", { currency: Schema.String, bucket: Schema.String, held: Schema.Int })
{}

/** The bucket holds at least this after the commit, or the commit is refused. */
export const atLeast = (currency: string, bucket: Bucket, at_least: number): Requirement<TooLittle> => ({
  currency,
  bucket,
  at_least,
  refusal: (shortfall) => new TooLittle(shortfall)
})

export const commitOf = Effect.fnUntraced(
  function*<R = never>(account_id: string, cause: string, more: Partial<Commit<R>> = {}): Effect.fn.Return<Commit<R>> {
    return { account_id, at: yield* now, cause, writes: [], entries: [], events: [], set: [], clear: [], ...more }
  }
)

export const captured = (amount: number): Entry => ({
  event_type: "payment_captured",
  direction: "credit",
  amount,
  currency: "USD",
  delta_available: 0,
  delta_pending: amount,
  delta_reserved: 0,
  counter_account: "P.rail_clearing",
  counter_delta: -amount,
  resource_type: "payment_intent",
  resource_id: "pi_1"
})

/** Out of what is pending. */
export const refunded = (amount: number): Entry => ({
  ...captured(amount),
  event_type: "payment_refunded",
  direction: "debit",
  delta_pending: -amount,
  counter_delta: amount
})

const inside = { counter_account: "", counter_delta: 0 }

export const settled = (amount: number): Entry => ({
  ...captured(amount),
  ...inside,
  event_type: "settlement_completed",
  delta_available: amount,
  delta_pending: -amount
})

export const paidOut = (amount: number): Entry => ({
  ...captured(amount),
  ...inside,
  event_type: "payout_initiated",
  direction: "debit",
  delta_available: -amount,
  delta_pending: 0,
  delta_reserved: amount
})

export const payoutCompleted = (amount: number): Entry => ({
  ...captured(amount),
  event_type: "payout_completed",
  direction: "debit",
  delta_pending: 0,
  delta_reserved: -amount,
  counter_account: "P.bank",
  counter_delta: amount
})

/** Moves nothing. */
export const memo: Entry = { ...captured(0), event_type: "payment_authorized", counter_account: "MEMO", counter_delta: 0, delta_pending: 0 }

/** Money that may be paid out. */
export const funds = (amount: number): ReadonlyArray<Entry> => [captured(amount), settled(amount)]

/** `written`, or the tag of what a commit failed with, and its reason if it has one. */
export const outcomeOf = <E extends { readonly _tag: string; readonly reason?: string }>(result: Result.Result<void, E>): string =>
  Result.isSuccess(result) ? "written" : result.failure.reason ?? result.failure._tag
