/** What becomes of a dispute, and of the money it is about. Pure: the service loads, asks here, and commits. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import type { CommitMoment, Entry, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { post, type RouteName } from "@svc/ledger/financial-events/routes"
import { DateTime, Result } from "effect"
import { PaymentInFlight } from "../payment-intents/errors.ts"
import type { PaymentIntent } from "../payment-intents/model.ts"
import { undoing } from "../payment-intents/rules/exchange.ts"
import { isPaidByGiftCard } from "../payment-intents/rules/gift-cards.ts"
import { refundable } from "../payment-intents/rules/refund.ts"
import { disputeMachine, type DisputeTrigger } from "./machine.ts"
import { type Dispute, type DisputeEvent, type DisputeId, disputeOpened, disputeWon, DUE, type Evidence, EVIDENCE_DAYS } from "./model.ts"

/** What a step of a dispute comes to. `events` are told in this order. */
export interface DisputeDecision {
  readonly dispute: Dispute
  /** The payment, where its disputed money changes. */
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

const refuse = ({ status }: Dispute, trigger: DisputeTrigger, why?: string): InvalidState => {
  const allowed = triggersFrom(disputeMachine, status)
  return new InvalidState({
    message:
      `Cannot ${trigger === "add_evidence" ? "add evidence to" : trigger} a dispute that is ${status.replace("_", " ")}${
        why === undefined ? "" : `: ${why}`
      }. ` +
      (status === "under_review"
        ? "Its network decides now."
        : allowed.length === 0
        ? "This state is final."
        : `From here: ${allowed.join(", ")}.`),
    details: { state: status, allowed }
  })
}

const may = (dispute: Dispute, trigger: DisputeTrigger): Result.Result<Dispute, InvalidState> =>
  allows(disputeMachine, dispute.status, trigger) ? Result.succeed(dispute) : Result.fail(refuse(dispute, trigger))

/**
 * Minor units of a payment that a dispute may still be about: what was captured and is not disputed. A network asks nobody what was
 * refunded: that is for the merchant's evidence to say.
 */
export const disputable = (intent: PaymentIntent): number =>
  // No network knows of what a gift card paid.
  isPaidByGiftCard(intent) ? 0 : Math.max(0, intent.captured_amount - intent.disputed_amount)

/** How much a report without an amount is about: what the customer does not have back yet, and of a payment refunded whole all of it. */
const reportedAmount = (intent: PaymentIntent): number => Math.min(disputable(intent), refundable(intent) || disputable(intent))

/** So much of a disputed amount had not been refunded. The rest the customer has twice now. */
const unrefundedOf = (undisputed: PaymentIntent, amount: number): number => Math.min(amount, refundable(undisputed))

/** What the network reports. */
export interface DisputeReport {
  /** Minor units; undefined for what was not refunded, or for all of a payment that was refunded whole. */
  readonly amount: number | undefined
  readonly reason: string
  readonly network_reference: string
}

/** What is known when it is opened. */
export interface DisputeOpening {
  readonly id: DisputeId
  readonly intent: PaymentIntent
  /** The dispute of the same payment that was won before. */
  readonly previous: Dispute | undefined
  /** Minor units. */
  readonly fee: number
  readonly at: DateTime.Utc
}

/** The dispute of a payment that is not decided yet. A payment has at most one. */
export const openOne = (disputes: ReadonlyArray<Dispute>): Dispute | undefined =>
  disputes.find(({ status }) => status === "open" || status === "under_review")

/** The dispute that an earlier copy of this report opened. */
export const reportedBefore = (disputes: ReadonlyArray<Dispute>, { network_reference }: DisputeReport): Dispute | undefined =>
  disputes.find((dispute) => dispute.network_reference === network_reference)

/** The refusal of a verb on a payment whose money a dispute holds. */
export const stillOpen = ({ id, status }: Dispute, verb: "dispute" | "refund"): InvalidState =>
  new InvalidState({
    message: `Cannot ${verb} a payment whose dispute ${id} is ${status.replace("_", " ")}: its money is held until that is decided. ` +
      "Accept the dispute to let the customer have it.",
    details: { state: status, allowed: [], dispute_id: id }
  })

const beingRefunded = ({ state }: PaymentIntent): PaymentInFlight =>
  new PaymentInFlight({
    message: "A refund of this payment is on its way to the provider. Wait until it is answered, then report the dispute again.",
    details: { state, operation: "refund", retry_after: 2 }
  })

/**
 * Whether a payment with these disputes may have another one now. Gives the dispute that was won before, which the new one names; undefined
 * for a first dispute.
 */
export const mayOpen = (
  intent: PaymentIntent,
  disputes: ReadonlyArray<Dispute>
): Result.Result<Dispute | undefined, InvalidState | PaymentInFlight> => {
  const current = openOne(disputes)
  if (current !== undefined) return Result.fail(stillOpen(current, "dispute"))
  if (intent.open_call?.operation === "refund") return Result.fail(beingRefunded(intent))
  return Result.succeed(disputes.find(({ status }) => status === "won"))
}

const tooMuch = (intent: PaymentIntent, amount: number): ValidationError => {
  const remaining = disputable(intent)
  const message = remaining === 0
    ? "amount: nothing of this payment is left to dispute: it was not captured, or all of it is disputed already."
    : `amount: ${amount} is more than the ${remaining} of this payment that was captured and is not disputed.`
  return new ValidationError({ code: "amount", message, details: { remaining } })
}

/** The money is held from now on, and the merchant pays for the dispute. */
export const open = (
  { amount: asked, network_reference, reason }: DisputeReport,
  { at, fee, id, intent, previous }: DisputeOpening
): Result.Result<DisputeDecision, ValidationError> => {
  const amount = asked ?? reportedAmount(intent)
  if (amount <= 0 || amount > disputable(intent)) return Result.fail(tooMuch(intent, amount))
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
    entries: [...undoing(intent, disputed, { resource_type: "dispute", resource_id: id }), posted("dispute_opened", dispute), ...charged],
    events: ["created"],
    set: [dueAt(dispute, DateTime.add(at, { days: EVIDENCE_DAYS }))],
    moments: unrefunded === 0 ? [] : [disputeOpened.of({ intent: disputed, amount: unrefunded })]
  }))
}

const isEmpty = (evidence: Evidence): boolean => Object.keys(evidence).length === 0

const nothingSent = (): ValidationError =>
  new ValidationError({
    code: "evidence",
    message: "evidence: there is none. Send at least one field of evidence, for example shipping_documentation."
  })

/** Keeps evidence for later. A field that is sent again takes the place of what it was. */
export const addEvidence = (
  dispute: Dispute,
  evidence: Evidence,
  at: DateTime.Utc
): Result.Result<DisputeDecision, InvalidState | ValidationError> =>
  Result.flatMap(may(dispute, "add_evidence"), () =>
    isEmpty(evidence)
      ? Result.fail(nothingSent())
      : Result.succeed(decisionOf(change(dispute, at, { evidence: { ...dispute.evidence, ...evidence } }), { events: ["updated"] })))

/** When the network will have decided on evidence, where that is known. */
type Deciding = (evidence: Evidence) => DateTime.Utc | undefined

/** Sends it to the network, once and for good. */
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

/** The money is gone. */
const close = (dispute: Dispute, at: DateTime.Utc, status: "lost" | "accepted" | "expired"): DisputeDecision => {
  const next = change(dispute, at, { status, evidence_due_by: null, closed_at: at })
  return decisionOf(next, {
    entries: [posted(`dispute_${status}`, next)],
    events: [status === "lost" ? "lost" : "updated", "closed"],
    clear: [timer(next)]
  })
}

/** The merchant lets the customer have the money. */
export const accept = (dispute: Dispute, at: DateTime.Utc): Result.Result<DisputeDecision, InvalidState> =>
  Result.map(may(dispute, "accept"), () => close(dispute, at, "accepted"))

/** What the network decided; undefined while it has not. */
export type DisputeVerdict = "won" | "lost" | undefined

const win = (dispute: Dispute, intent: PaymentIntent, at: DateTime.Utc): DisputeDecision => {
  const next = change(dispute, at, { status: "won", closed_at: at })
  const undisputed = change(intent, at, { disputed_amount: intent.disputed_amount - dispute.amount })
  const unrefunded = unrefundedOf(undisputed, dispute.amount)
  return decisionOf(next, {
    intent: undisputed,
    entries: [posted("dispute_won", next), ...undoing(intent, undisputed, { resource_type: "dispute", resource_id: dispute.id })],
    events: ["won", "closed"],
    clear: [timer(next)],
    moments: unrefunded === 0 ? [] : [disputeWon.of({ intent: undisputed, amount: unrefunded })]
  })
}

/** Its time has come: nobody answered, or the network decided. Undefined when there is nothing to do. */
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

/** What of a request is evidence. */
export const evidenceOf = ({ idempotency_key: _key, ...evidence }: Evidence & { readonly idempotency_key?: string }): Evidence => evidence
