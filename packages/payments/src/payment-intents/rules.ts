/**
 * What may happen to a payment intent. Pure: each verb takes the intent and what is known, and
 * returns the decision or the refusal that the caller is answered with.
 */
import { AmountTooLarge, ValidationError } from "@svc/kernel/errors"
import { fee, MAX_AMOUNT } from "@svc/kernel/money"
import { post } from "@svc/ledger/financial-events/routes"
import { Result } from "effect"
import type { DateTime } from "effect"
import { askIn, change, decision, MAX_REFUNDS, may, PENDING_SECONDS, refuse, resource, timer, timerAt } from "./decision.ts"
import type { Facts, IntentDecision, Refusal } from "./decision.ts"
import { ASK, EXPIRES, PaymentIntent } from "./model.ts"
import type { CreatePaymentIntentRequest, OpenCall, PaymentIntentId, Refund } from "./model.ts"

// ------------------------------------------------------------------------------------- create

const blockedBy = (request: CreatePaymentIntentRequest, { account }: Facts): string | null => {
  const { block_above, blocked_countries } = account.settings
  if (block_above !== null && request.amount > block_above) return "policy_amount"
  if (typeof request.country === "string" && blocked_countries.includes(request.country)) return "policy_country"
  return null
}

export const create = (
  id: PaymentIntentId,
  request: CreatePaymentIntentRequest,
  facts: Facts
): Result.Result<IntentDecision, AmountTooLarge> => {
  if (request.amount > MAX_AMOUNT) {
    return Result.fail(new AmountTooLarge({
      code: "amount",
      message: `amount: ${request.amount} is more than one payment may have, ${MAX_AMOUNT} minor units.`,
      details: { maximum: MAX_AMOUNT }
    }))
  }
  const blocked = blockedBy(request, facts)
  const intent = new PaymentIntent({
    id,
    merchant_id: facts.account.id,
    amount: request.amount,
    currency: request.currency,
    state: blocked === null ? "created" : "blocked",
    idempotency_key: request.idempotency_key,
    destination_currency: request.destination_currency ?? null,
    failure_reason: blocked,
    decline_code: null,
    metadata: request.metadata ?? {},
    customer_id: request.customer_id ?? null,
    payment_method_id: null,
    country: request.country ?? null,
    provider_reference: null,
    selected_rail: null,
    pending_reason: null,
    next_action: null,
    authorized_amount: 0,
    captured_amount: 0,
    refunded_amount: 0,
    disputed_amount: 0,
    fee_amount: 0,
    unsettled_amount: 0,
    capture_before: null,
    capture_on_authorize: false,
    risk_cleared: false,
    routing: null,
    open_call: null,
    attempts: [],
    refunds: [],
    created_at: facts.at,
    updated_at: facts.at,
    version: 1
  })
  return Result.succeed(decision(intent, {
    events: [{ type: "created", intent }],
    set: blocked === null ? [] : [timerAt(EXPIRES, intent, facts.at, PENDING_SECONDS)]
  }))
}

// ---------------------------------------------------------------------------------- authorize

export const mayAuthorize = (intent: PaymentIntent) => may(intent, "authorize")

/** Whether a reviewer must let this authorization pass first. */
export const needsApproval = (intent: PaymentIntent, { account }: Facts): boolean =>
  account.settings.require_approval_above !== null && intent.amount > account.settings.require_approval_above

export const awaitApproval = (
  intent: PaymentIntent,
  command: { readonly payment_method_id: string; readonly capture: boolean },
  { at }: Facts
): IntentDecision => {
  const next = change(intent, at, {
    state: "pending",
    pending_reason: "requires_approval",
    payment_method_id: command.payment_method_id,
    capture_on_authorize: command.capture
  })
  return decision(next, { set: [timerAt(EXPIRES, next, at, PENDING_SECONDS)] })
}

// ------------------------------------------------------------------------------------ capture

const feeOf = (amount: number, { account }: Facts): number =>
  fee(amount, { bps: account.fee_tier_bps ?? account.settings.fee_bps, fixed: account.settings.fee_fixed })

/** Money taken: the capture, its fee, the settlement to come, and the part of the hold let go. `become` makes the intent it leads to. */
export const captured = (
  held: PaymentIntent,
  amount: number,
  facts: Facts,
  become: (changes: Partial<PaymentIntent>) => PaymentIntent
): IntentDecision => {
  const charge = feeOf(amount, facts)
  const intent = become({
    state: "captured",
    captured_amount: amount,
    fee_amount: charge,
    unsettled_amount: amount - charge,
    capture_before: null,
    pending_reason: null,
    open_call: null
  })
  const on = resource(intent)
  const entries = [
    post("payment_captured", { ...on, amount }),
    ...(charge > 0 ? [post("fee_charged", { ...on, amount: charge })] : []),
    post("settlement_queued", { ...on, amount: amount - charge }),
    ...(amount < held.authorized_amount ? [post("orchestration_leg_reversed", { ...on, amount: held.authorized_amount - amount })] : [])
  ]
  return decision(intent, { entries, events: [{ type: "captured", intent }], clear: [timer(EXPIRES, intent)] })
}

export const mayCapture = (intent: PaymentIntent, amount: number | undefined): Result.Result<number, Refusal> =>
  Result.flatMap(may(intent, "capture"), (): Result.Result<number, Refusal> => {
    const wanted = amount ?? intent.authorized_amount
    return wanted <= intent.authorized_amount
      ? Result.succeed(wanted)
      : Result.fail(new ValidationError({
        code: "amount",
        message: `amount: ${wanted} is more than the ${intent.authorized_amount} that is authorized. Capture at most that.`,
        details: { authorized: intent.authorized_amount }
      }))
  })

export const capture = (intent: PaymentIntent, amount: number, facts: Facts): IntentDecision =>
  captured(intent, amount, facts, (changes) => change(intent, facts.at, changes))

// ------------------------------------------------------------------------------------- refund

const refundShare = (intent: PaymentIntent, amount: number, { account }: Facts): number => {
  if (account.settings.fee_refund_policy === "none" || intent.fee_amount === 0) return 0
  // Cumulative, so that rounding never adds up to more than the fee.
  const share = (refunded: number) => Number((BigInt(intent.fee_amount) * BigInt(refunded)) / BigInt(intent.captured_amount))
  return share(intent.refunded_amount + amount) - share(intent.refunded_amount)
}

export const mayRefund = (intent: PaymentIntent, amount: number | undefined): Result.Result<number, Refusal> =>
  Result.flatMap(may(intent, "refund"), (): Result.Result<number, Refusal> => {
    const remaining = intent.captured_amount - intent.refunded_amount
    const wanted = amount ?? remaining
    if (wanted > remaining) {
      return Result.fail(new ValidationError({
        code: "amount",
        message: `amount: ${wanted} is more than the ${remaining} that can still be refunded.`,
        details: { remaining }
      }))
    }
    if (intent.refunds.length >= MAX_REFUNDS) return Result.fail(refuse(intent, "refund", `it has ${MAX_REFUNDS} refunds already`))
    return Result.succeed(wanted)
  })

/** A refund is taken from this payment's unsettled money first, then from what is available. */
export const refund = (
  intent: PaymentIntent,
  refunded: Pick<Refund, "id" | "amount" | "provider_reference">,
  facts: Facts
): IntentDecision => {
  const { amount } = refunded
  const fromPending = Math.min(amount, intent.unsettled_amount)
  const feeBack = refundShare(intent, amount, facts)
  const feeToPending = intent.unsettled_amount > 0 ? feeBack : 0
  const total = intent.refunded_amount + amount
  const next = change(intent, facts.at, {
    state: total === intent.captured_amount ? "refunded" : "captured",
    refunded_amount: total,
    unsettled_amount: intent.unsettled_amount - fromPending + feeToPending,
    refunds: [...intent.refunds, { ...refunded, status: "succeeded" as const, created_at: facts.at }],
    open_call: null
  })
  const on = resource(next)
  return decision(next, {
    entries: [
      post("payment_refunded", { ...on, amount, through_pending: fromPending }),
      ...(feeBack > 0 ? [post("fee_refunded", { ...on, amount: feeBack, through_pending: feeToPending })] : [])
    ],
    events: [{ type: "refunded", intent: next }]
  })
}

// --------------------------------------------------------------------------- void and expiry

export const mayVoid = (intent: PaymentIntent): Result.Result<void, Refusal> =>
  intent.state === "pending" && (intent.pending_reason === "async_rail" || intent.pending_reason === "unknown_outcome")
    ? Result.fail(refuse(intent, "void", "the rail is still deciding and cannot cancel"))
    : may(intent, "void")

export const cancel = (intent: PaymentIntent, at: DateTime.Utc, reason: string | null): IntentDecision => {
  const next = change(intent, at, { state: "cancelled", pending_reason: null, next_action: null, capture_before: null, open_call: null, failure_reason: reason })
  return decision(next, {
    entries: intent.state === "authorized" ? [post("orchestration_leg_reversed", { ...resource(next), amount: intent.authorized_amount })] : [],
    events: [{ type: "cancelled", intent: next }],
    clear: [timer(EXPIRES, next), timer(ASK, next)]
  })
}

export const fail = (
  intent: PaymentIntent,
  at: DateTime.Utc,
  why: { readonly failure_reason: string; readonly decline_code: PaymentIntent["decline_code"] },
  changes: Partial<PaymentIntent> = {}
): IntentDecision => {
  const next = change(intent, at, { ...changes, ...why, state: "failed", pending_reason: null, next_action: null, open_call: null })
  return decision(next, {
    entries: [post("payment_failed", { ...resource(next), amount: next.amount })],
    events: [{ type: "failed", intent: next }],
    clear: [timer(EXPIRES, next), timer(ASK, next)]
  })
}

/** What the end of its time does to an intent; undefined when it is not waiting for anything. */
export const expire = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision | undefined => {
  switch (intent.state) {
    case "authorized":
      return cancel(intent, at, "authorization_expired")
    case "blocked":
      return cancel(intent, at, "review_expired")
    case "pending":
      return intent.pending_reason === "requires_approval"
        ? cancel(intent, at, "approval_expired")
        : fail(intent, at, { failure_reason: "expired", decline_code: null })
    default:
      return undefined
  }
}

// ------------------------------------------------------------------------------------- review

export const mayApprove = (intent: PaymentIntent): Result.Result<void, Refusal> => review(intent, "approve")
export const mayReject = (intent: PaymentIntent): Result.Result<void, Refusal> => review(intent, "reject")

const review = (intent: PaymentIntent, trigger: "approve" | "reject"): Result.Result<void, Refusal> =>
  intent.state === "pending" && intent.pending_reason !== "requires_approval"
    ? Result.fail(refuse(intent, trigger, "it is not waiting for a review"))
    : may(intent, trigger)

/** A blocked intent goes back to created, past the rule that blocked it. */
export const unblock = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision => {
  const next = change(intent, at, { state: "created", risk_cleared: true, failure_reason: null, decline_code: null })
  return decision(next, { clear: [timer(EXPIRES, next)] })
}

// ----------------------------------------------------------------------------------- provider

/** Writes down that a call is about to be made, and when to ask for it if nobody comes back. */
export const announce = (
  intent: PaymentIntent,
  call: OpenCall,
  changes: Partial<PaymentIntent>,
  leaseSeconds: number
): IntentDecision => {
  const next = change(intent, call.started_at, { ...changes, open_call: call })
  return decision(next, { set: [askIn(next, call.started_at, leaseSeconds)] })
}

/** The call came to nothing: the intent is as it was before it. */
export const withdraw = (intent: PaymentIntent, at: DateTime.Utc, attempts: PaymentIntent["attempts"]): IntentDecision => {
  const next = change(intent, at, { open_call: null, attempts })
  return decision(next, { clear: [timer(ASK, next)] })
}

