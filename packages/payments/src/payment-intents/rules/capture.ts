/** Decides captures. */
import { change } from "@svc/kernel/resource/change"
import { ValidationError } from "@svc/kernel/resource/errors"
import { fee } from "@svc/kernel/values/money"
import { post } from "@svc/ledger/financial-events/routes"
import { Result } from "effect"
import type { ExchangeTerms } from "../../quotes/model.ts"
import { captureMade, EXPIRES } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import { spendBudgets } from "./agents.ts"
import { about, decisionOf, timer } from "./decision.ts"
import type { IntentDecision, IntentFacts } from "./decision.ts"
import { exchanged, exchangeEntries, exchangeTarget, settledIn } from "./exchange.ts"
import { may } from "./refusals.ts"
import type { IntentRefusal } from "./refusals.ts"

/** The platform's fee for a capture of this amount, in minor units. */
export const feeOf = (amount: number, { account }: Pick<IntentFacts, "account">): number =>
  fee(amount, { bps: account.fee_tier_bps ?? account.settings.fee_bps, fixed: account.settings.fee_fixed })

/** The amount to capture. Without an exchange the payment settles in its own currency. */
export interface CaptureTerms {
  /** Minor units. */
  readonly amount: number
  readonly exchange?: ExchangeTerms | undefined
}

/**
 * The decision of a capture: the captured money, its fee, the coming settlement, and the release of the rest. `become` makes the intent.
 */
export const captured = (
  held: PaymentIntent,
  { amount, exchange }: CaptureTerms,
  facts: IntentFacts,
  become: (changes: Partial<PaymentIntent>) => PaymentIntent
): IntentDecision => {
  const charge = feeOf(amount, facts)
  const target = exchangeTarget(held)
  const conversion = exchange === undefined || target === undefined
    ? undefined
    : exchanged(amount - charge, exchange, held.currency, target)
  const intent = become({
    state: "captured",
    captured_amount: amount,
    fee_amount: charge + (conversion?.fee_amount ?? 0),
    unsettled_amount: conversion?.target_amount ?? amount - charge,
    conversion: conversion ?? null,
    capture_before: null,
    pending_reason: null,
    open_call: null
  })
  const on = about(intent)
  const entries = [
    post("payment_captured", { ...on, amount }),
    ...(charge > 0 ? [post("fee_charged", { ...on, amount: charge })] : []),
    ...(conversion === undefined ? [] : exchangeEntries(intent, conversion)),
    post("settlement_queued", { ...on, currency: settledIn(intent), amount: intent.unsettled_amount }),
    ...(amount < held.authorized_amount ? [post("orchestration_leg_reversed", { ...on, amount: held.authorized_amount - amount })] : [])
  ]
  return decisionOf(intent, {
    entries,
    events: [{ type: "captured", intent }],
    clear: [timer(EXPIRES, intent)],
    moments: [captureMade.of({ account: facts.account, intent })],
    counters: spendBudgets(intent)
  })
}

/** The amount of the capture that a request asks for: the whole authorized amount unless the request names one. */
export const mayCapture = (intent: PaymentIntent, amount: number | undefined): Result.Result<number, IntentRefusal> =>
  Result.flatMap(may(intent, "capture"), (): Result.Result<number, IntentRefusal> => {
    const requestedAmount = amount ?? intent.authorized_amount
    return requestedAmount <= intent.authorized_amount
      ? Result.succeed(requestedAmount)
      : Result.fail(
        new ValidationError({
          code: "amount",
          message: `amount: ${requestedAmount} is more than the ${intent.authorized_amount} that is authorized. Capture at most that.`,
          details: { authorized: intent.authorized_amount }
        })
      )
  })

export const capture = (intent: PaymentIntent, taking: CaptureTerms, facts: IntentFacts): IntentDecision =>
  captured(intent, taking, facts, (changes) => change(intent, facts.at, changes))
