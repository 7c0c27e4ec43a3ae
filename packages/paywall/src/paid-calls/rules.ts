/** What is beside a call that is paid when it is made, step by step; and what an outcome means that came late. */
import { change } from "@svc/kernel/resource/change"
import type { TimerDraft } from "@svc/kernel/road/decision"
import type { Cents } from "@svc/tool-kit/call"
import { DateTime } from "effect"
import type { Settlement } from "../payment/model.ts"
import { FORGOTTEN, type PaidCall, type PaidCallStep } from "./model.ts"

/** Days for which what was paid for can be fetched. */
const DAYS = 1

/** The timer that forgets the result. */
export const forgetting = ({ id }: PaidCall, at: DateTime.Utc): ReadonlyArray<TimerDraft> => [
  { kind: FORGOTTEN, resource_id: id, due_at: DateTime.add(at, { days: DAYS }) }
]

/** Before anything has moved. */
export const beginPaidCall = (
  draft: Pick<PaidCall, "id" | "account_id" | "sandbox" | "payment" | "signed_for">,
  at: DateTime.Utc
): PaidCall => ({
  ...draft,
  result: null,
  taken: 0,
  receipt: null,
  created_at: at,
  updated_at: at,
  version: 1
})

/** The tool has run: from here on the result is delivered for the money. */
export const ran = (paid: PaidCall, { cents, result }: { readonly cents: Cents; readonly result: string }, at: DateTime.Utc): PaidCall =>
  change(paid, at, { result, taken: cents })

/** The whole price is about to be taken, before the tool runs. */
export const ahead = (paid: PaidCall, at: DateTime.Utc): PaidCall => change(paid, at, { taken: paid.signed_for })

/** Whether the money was asked for before the run, and the run has not delivered. */
export const isPrepaid = ({ call, paid }: PaidCallStep): boolean => paid.result === null && paid.taken > 0 && call.error === null

/** Why a call cost nothing whose money came before the run: the tool did not deliver. */
export const KEPT_AS_CREDITS = "kept_as_credits"

export const received = (paid: PaidCall, receipt: string, at: DateTime.Utc): PaidCall => change(paid, at, { receipt, payment: null })

/** Nothing was paid, so there is nothing to be had. */
export const undone = (paid: PaidCall, at: DateTime.Utc): PaidCall => change(paid, at, { result: null, taken: 0, payment: null })

/** The outcome of the payment stays unknown for ever: a caller that may have paid keeps the result. */
export const writtenOff = (paid: PaidCall, at: DateTime.Utc): PaidCall => change(paid, at, { taken: 0, payment: null })

/** Why such a call cost nothing. */
export const NEVER_KNOWN = "payment_never_known"

/**
 * Seconds after the end of a transfer's time at which a facilitator's refusal is believed, and at which one that does not answer is given
 * up.
 */
const BELIEVED = 120
const GIVEN_UP = 24 * 3600

/** The outcome of a transfer whose first answer was lost. */
export type KnownTransfer = Extract<Settlement, { readonly _tag: "Settled" | "Unknown" }> | { readonly _tag: "Lost" }

/**
 * What a facilitator says when it is asked again. A nonce that is used was used by the first time. A refusal says nothing: facilitators
 * look at the balance, which the first time may have emptied, and at the time, which has passed, before they look at the nonce.
 */
export const askedAgain = (
  answer: Settlement,
  { at, nonce, until }: { readonly at: DateTime.Utc; readonly nonce: string; readonly until: number }
): KnownTransfer => {
  const late = DateTime.toEpochMillis(at) / 1000 - until
  switch (answer._tag) {
    case "Settled":
      return answer
    case "Used":
      return { _tag: "Settled", transaction: `authorization:${nonce}`, simulated: false }
    case "Refused":
      return late > BELIEVED ? { _tag: "Lost" } : { _tag: "Unknown", reason: answer.reason }
    case "Unknown":
      return late > GIVEN_UP ? { _tag: "Lost" } : answer
  }
}
