/** Decides the changes of a dispute and of the disputed money. Pure. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import type { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import type { CommitMoment, Entry, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { post, type RouteName } from "@svc/ledger/financial-events/routes"
import { DateTime, Result } from "effect"
import type { PaymentInFlight } from "../payment-intents/errors.ts"
import type { PaymentIntent } from "../payment-intents/model.ts"
import { reversalEntries } from "../payment-intents/rules/exchange.ts"
import { isPaidByGiftCard } from "../payment-intents/rules/gift-cards.ts"
import { refundable } from "../payment-intents/rules/refund.ts"
import { type Dispute, type DisputeEvent, type DisputeId, disputeOpened, disputeWon, DUE, type Evidence, EVIDENCE_DAYS } from "./model.ts"
import { beingRefunded, disputeUndecided, may, nothingSent, refuse, tooMuch } from "./rules/refusals.ts"

/** A change of a dispute. The commit emits `events` in this order. */
export interface DisputeDecision {
  readonly dispute: Dispute
  /** The payment, if its disputed amount changes. */
  readonly intent?: PaymentIntent
  readonly entries: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<DisputeEvent>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  readonly moments: ReadonlyArray<CommitMoment>
}

const decisionOf = (dispute: Dispute, rest: Partial<Omit<DisputeDecision, "dispute">> = {}): DisputeDecision => ({
  dispute,
  entries: [],
  events: [],
  set: [],
  clear: [],
  moments: [],
  ...rest
})

const timer = ({ id }: Dispute): TimerKey => ({ kind: DUE, resource_id: id })
const dueAt = (dispute: Dispute, due_at: DateTime.Utc): TimerDraft => ({ ...timer(dispute), due_at })

const posted = (name: RouteName, { amount, currency, id }: Dispute): Entry =>
  post(name, { amount, currency, resource_type: "dispute", resource_id: id })

/**
 * The minor units of a payment that can still be disputed: the captured amount less the disputed amount. Refunds do not reduce this amount,
 * because networks do not know of refunds: the merchant names refunds in the evidence.
 */
export const disputable = (intent: PaymentIntent): number =>
  // No network sees a payment by gift card.
  isPaidByGiftCard(intent) ? 0 : Math.max(0, intent.captured_amount - intent.disputed_amount)

/** The amount of a report without an amount: the amount that was not refunded, or the whole of a fully refunded payment. */
const reportedAmount = (intent: PaymentIntent): number => Math.min(disputable(intent), refundable(intent) || disputable(intent))

/** The part of a disputed amount that was not refunded. The customer now has the other part twice. */
const unrefundedOf = (undisputed: PaymentIntent, amount: number): number => Math.min(amount, refundable(undisputed))

/** A report of the network. */
export interface DisputeReport {
  /** Minor units; undefined for the amount that was not refunded, or for the whole of a fully refunded payment. */
  readonly amount: number | undefined
  readonly reason: string
  readonly network_reference: string
}

/** The facts that a new dispute is decided on. */
export interface DisputeOpening {
  readonly id: DisputeId
  readonly intent: PaymentIntent
  /** An earlier dispute of the same payment, which the merchant won. */
  readonly previous: Dispute | undefined
  /** Minor units. */
  readonly fee: number
  readonly at: DateTime.Utc
}

/** The undecided dispute among these disputes of a payment. A payment has at most one. */
export const openOne = (disputes: ReadonlyArray<Dispute>): Dispute | undefined =>
  disputes.find(({ status }) => status === "open" || status === "under_review")

/** The dispute that an earlier copy of this report opened. */
export const reportedBefore = (disputes: ReadonlyArray<Dispute>, { network_reference }: DisputeReport): Dispute | undefined =>
  disputes.find((dispute) => dispute.network_reference === network_reference)

/**
 * Fails unless a payment with these disputes may have another one now. Gives the dispute that the merchant won before, or undefined for a
 * first dispute.
 */
export const mayOpen = (
  intent: PaymentIntent,
  disputes: ReadonlyArray<Dispute>
): Result.Result<Dispute | undefined, InvalidState | PaymentInFlight> => {
  const current = openOne(disputes)
  if (current !== undefined) return Result.fail(disputeUndecided(current, "dispute"))
  if (intent.open_call?.operation === "refund") return Result.fail(beingRefunded(intent))
  return Result.succeed(disputes.find(({ status }) => status === "won"))
}

/** Opens a dispute: holds the disputed money, and charges the merchant the dispute fee. */
export const open = (
  { amount: asked, network_reference, reason }: DisputeReport,
  { at, fee, id, intent, previous }: DisputeOpening
): Result.Result<DisputeDecision, ValidationError> => {
  const amount = asked ?? reportedAmount(intent)
  if (amount <= 0 || amount > disputable(intent)) return Result.fail(tooMuch(amount, disputable(intent)))
  const dispute: Dispute = {
    id,
    merchant_id: AccountId.make(intent.merchant_id),
    payment_intent_id: intent.id,
    amount,
    currency: intent.currency,
    reason,
    status: "open",
    evidence_due_by: DateTime.add(at, { days: EVIDENCE_DAYS }),
    evidence: {},
    evidence_submitted_at: null,
    fee_amount: fee,
    previous_dispute_id: previous?.id ?? null,
    network_reference,
    closed_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
  const charged = fee === 0
    ? []
    : [post("fee_charged", { amount: fee, currency: intent.currency, resource_type: "dispute", resource_id: id, through_pending: 0 })]
  const disputed = change(intent, at, { disputed_amount: intent.disputed_amount + amount })
  const unrefunded = unrefundedOf(intent, amount)
  return Result.succeed(decisionOf(dispute, {
    intent: disputed,
    entries: [
      ...reversalEntries(intent, disputed, { resource_type: "dispute", resource_id: id }),
      posted("dispute_opened", dispute),
      ...charged
    ],
    events: ["created"],
    set: [dueAt(dispute, DateTime.add(at, { days: EVIDENCE_DAYS }))],
    moments: unrefunded === 0 ? [] : [disputeOpened.of({ intent: disputed, amount: unrefunded })]
  }))
}

const isEmpty = (evidence: Evidence): boolean => Object.keys(evidence).length === 0

/** Stores evidence for the submission. A field that is sent again replaces the stored field. */
export const addEvidence = (
  dispute: Dispute,
  evidence: Evidence,
  at: DateTime.Utc
): Result.Result<DisputeDecision, InvalidState | ValidationError> =>
  Result.flatMap(may(dispute, "add_evidence"), () =>
    isEmpty(evidence)
      ? Result.fail(nothingSent())
      : Result.succeed(decisionOf(change(dispute, at, { evidence: { ...dispute.evidence, ...evidence } }), { events: ["updated"] })))

/** The time of the network's decision on evidence; undefined if unknown. */
type Deciding = (evidence: Evidence) => DateTime.Utc | undefined

/** Submits the evidence to the network. The merchant can submit once. */
export const submit = (
  dispute: Dispute,
  evidence: Evidence,
  at: DateTime.Utc,
  deciding: Deciding
): Result.Result<DisputeDecision, InvalidState | ValidationError> =>
  Result.flatMap(may(dispute, "submit"), (): Result.Result<DisputeDecision, InvalidState | ValidationError> => {
    if (dispute.evidence_due_by !== null && DateTime.isGreaterThanOrEqualTo(at, dispute.evidence_due_by)) {
      return Result.fail(refuse(dispute, "submit", "the time for evidence is over"))
    }
    const whole = { ...dispute.evidence, ...evidence }
    if (isEmpty(whole)) return Result.fail(nothingSent())
    const decidedAt = deciding(whole)
    const next = change(dispute, at, { status: "under_review", evidence: whole, evidence_submitted_at: at, evidence_due_by: null })
    return Result.succeed(decisionOf(next, {
      events: ["evidence_submitted", "updated"],
      ...(decidedAt === undefined ? { clear: [timer(next)] } : { set: [dueAt(next, decidedAt)] })
    }))
  })

/** Closes a dispute that the merchant loses, accepts or lets expire: the customer keeps the money. */
const close = (dispute: Dispute, at: DateTime.Utc, status: "lost" | "accepted" | "expired"): DisputeDecision => {
  const next = change(dispute, at, { status, evidence_due_by: null, closed_at: at })
  return decisionOf(next, {
    entries: [posted(`dispute_${status}`, next)],
    events: [status === "lost" ? "lost" : "updated", "closed"],
    clear: [timer(next)]
  })
}

/** The merchant accepts the dispute: the customer keeps the money. */
export const accept = (dispute: Dispute, at: DateTime.Utc): Result.Result<DisputeDecision, InvalidState> =>
  Result.map(may(dispute, "accept"), () => close(dispute, at, "accepted"))

/** The network's decision; undefined while there is none. */
export type DisputeVerdict = "won" | "lost" | undefined

const win = (dispute: Dispute, intent: PaymentIntent, at: DateTime.Utc): DisputeDecision => {
  const next = change(dispute, at, { status: "won", closed_at: at })
  const undisputed = change(intent, at, { disputed_amount: intent.disputed_amount - dispute.amount })
  const unrefunded = unrefundedOf(undisputed, dispute.amount)
  return decisionOf(next, {
    intent: undisputed,
    entries: [posted("dispute_won", next), ...reversalEntries(intent, undisputed, { resource_type: "dispute", resource_id: dispute.id })],
    events: ["won", "closed"],
    clear: [timer(next)],
    moments: unrefunded === 0 ? [] : [disputeWon.of({ intent: undisputed, amount: unrefunded })]
  })
}

/** For the timer: expires a dispute without evidence, or closes a dispute that the network has decided. Undefined if neither applies. */
export const proceed = (
  dispute: Dispute,
  intent: PaymentIntent,
  at: DateTime.Utc,
  verdict: DisputeVerdict
): DisputeDecision | undefined => {
  if (dispute.status === "open") {
    return dispute.evidence_due_by !== null && DateTime.isLessThan(at, dispute.evidence_due_by) ? undefined : close(dispute, at, "expired")
  }
  if (dispute.status !== "under_review" || verdict === undefined) return undefined
  return verdict === "won" ? win(dispute, intent, at) : close(dispute, at, "lost")
}

/** The evidence of a request. */
export const evidenceOf = ({ idempotency_key: _key, ...evidence }: Evidence & { readonly idempotency_key?: string }): Evidence => evidence
