/**
 * What the test provider remembers: every call by its key, and the money of each payment. One key is
 * one effect, however often it is sent, and whoever asks can count both.
 */
import type { RailAnswer, RailKnowledge, RailName, RailRequest } from "@svc/payments/rails/model"
import type { RailConfirmation, RailFollowUp } from "@svc/payments/rails/rail"
import type { FollowUpOperation, RemoteOperation } from "@svc/payments/rails/remote-protocol"
import { afterAction, knowledge, LATE_MS, referenceOf, simulatorRails, verdict } from "@svc/payments/rails/simulator"
import type { SimulatedOutcome } from "@svc/payments/rails/simulator"
import type { StatementType } from "@svc/payments/rails/statement"

/** A call was refused for its key: used for another call, or closed by a lookup that found nothing. */
export type KeyRefusal = "reused" | "closed"

/** The money of one authorization, minor units of `currency`. */
export interface ProviderPayment {
  readonly reference: string
  /** Whose it is. */
  readonly merchant: string
  readonly key: string
  readonly rail: RailName
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  authorized: number
  captured: number
  refunded: number
  voided: boolean
}

/** Money that moved, as the provider's statement has it. */
export interface ProviderMovement {
  readonly merchant: string
  readonly rail: RailName
  readonly type: Extract<StatementType, "capture" | "refund">
  readonly provider_reference: string
  readonly amount: number
  readonly currency: string
  /** Unix milliseconds. */
  readonly at: number
}

interface Authorized {
  readonly operation: "authorize"
  readonly said: string
  readonly request: RailRequest
  readonly verdict: SimulatedOutcome
  /** What the customer did about a step asked of them. */
  action: RailAnswer | undefined
}
interface FollowedUp {
  readonly operation: FollowUpOperation
  readonly said: string
  readonly confirmation: RailConfirmation
}
type Entry = (Authorized | FollowedUp | { readonly operation: "closed" }) & { calls: number; effects: number }

/** What `GET /books` shows. */
export interface Report {
  /** Calls that act, repetitions included. */
  readonly calls: number
  /** Calls that changed what somebody owes; at most one a key. */
  readonly effects: number
  /** Calls refused because their key belonged to another call. */
  readonly reused: number
  /** Calls refused because a lookup had closed their key. */
  readonly closed: number
  readonly lookups: number
  readonly keys: Readonly<Record<string, { readonly operation: string; readonly calls: number; readonly effects: number }>>
  readonly payments: ReadonlyArray<Readonly<ProviderPayment>>
}

const sameRequest = (rail: RailName, { amount, capture, currency, token }: RailRequest): string =>
  JSON.stringify(["authorize", rail, amount, currency, token, capture])
const sameFollowUp = (operation: FollowUpOperation, rail: RailName, { amount, currency, reference }: RailFollowUp): string =>
  JSON.stringify([operation, rail, reference, amount, currency])

const refused = (reason: string): RailConfirmation => ({ _tag: "Refused", reason })

/** Checks a follow-up against the payment it follows; undefined when it may be done. */
const objection = (
  operation: FollowUpOperation,
  rail: RailName,
  call: RailFollowUp,
  payment: ProviderPayment | undefined
): string | undefined => {
  if (payment === undefined || payment.rail !== rail) return "no such payment on this rail"
  if (payment.currency !== call.currency) return `the payment is in ${payment.currency}`
  if (payment.voided) return "the payment was voided"
  if (operation === "refund") return payment.refunded + call.amount > payment.captured ? "more than was captured" : undefined
  if (payment.captured > 0) return "the payment was captured already"
  return operation === "capture" && call.amount > payment.authorized ? "more than was authorized" : undefined
}

const settle = (payment: ProviderPayment, operation: FollowUpOperation, amount: number): void => {
  if (operation === "capture") payment.captured = amount
  if (operation === "refund") payment.refunded += amount
  if (operation === "void") payment.voided = true
}

/** Empty books. `actions` is where customers confirm, `now` the time in epoch milliseconds. */
export const makeBooks = (actions: () => string, now: () => number) => {
  const entries = new Map<string, Entry>()
  const payments = new Map<string, ProviderPayment>()
  const movements: Array<ProviderMovement> = []
  const counters = { calls: 0, effects: 0, reused: 0, closed: 0, lookups: 0 }

  const move = (
    { currency, merchant, rail }: ProviderPayment,
    what: Pick<ProviderMovement, "type" | "provider_reference" | "amount" | "at">
  ): void => {
    movements.push({ merchant, rail, currency, ...what })
  }
  const open = (key: string, rail: RailName, request: RailRequest, authorized: number, at = now()): void => {
    const captured = request.capture ? authorized : 0
    const { currency, merchant = "", metadata } = request
    const payment = {
      reference: referenceOf(key),
      merchant,
      key,
      rail,
      currency,
      metadata,
      authorized,
      captured,
      refunded: 0,
      voided: false
    }
    payments.set(payment.reference, payment)
    if (captured > 0) move(payment, { type: "capture", provider_reference: payment.reference, amount: captured, at })
  }
  const count = (entry: Entry): void => {
    entry.effects += 1
    counters.effects += 1
  }
  /** The entry of a repeated call, or why the key does not serve for this one. */
  const repeated = (key: string, said: string): Entry | KeyRefusal | undefined => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.operation === "closed") {
      counters.closed += 1
      return "closed"
    }
    if (entry.said !== said) {
      counters.reused += 1
      return "reused"
    }
    entry.calls += 1
    return entry
  }

  const authorize = (rail: RailName, request: RailRequest): SimulatedOutcome["at_once"] | KeyRefusal => {
    counters.calls += 1
    const said = sameRequest(rail, request)
    const known = repeated(request.key, said)
    if (typeof known === "string") return known
    if (known?.operation === "authorize") return known.action ?? known.verdict.at_once
    const decided = verdict(simulatorRails.find(({ name }) => name === rail) ?? { name: rail, currencies: [] }, request, actions())
    // A provider that was not reached knows nothing of the call, not even its key.
    if (decided.at_once._tag === "Unreachable") return decided.at_once
    const entry: Entry = { operation: "authorize", said, request, verdict: decided, action: undefined, calls: 1, effects: 0 }
    entries.set(request.key, entry)
    if (decided.in_the_end._tag === "Approved") {
      const isLate = decided.at_once._tag === "Silent" || decided.at_once._tag === "Accepted"
      open(request.key, rail, request, decided.in_the_end.amount, isLate ? request.attempted_at + LATE_MS : now())
      count(entry)
    } else if (decided.in_the_end._tag === "RequiresAction") {
      open(request.key, rail, { ...request, capture: false }, 0)
    }
    return decided.at_once
  }

  const followUp = (operation: FollowUpOperation, rail: RailName, call: RailFollowUp): RailConfirmation | KeyRefusal => {
    counters.calls += 1
    const said = sameFollowUp(operation, rail, call)
    const known = repeated(call.key, said)
    if (typeof known === "string") return known
    if (known !== undefined && "confirmation" in known) return known.confirmation
    const payment = payments.get(call.reference)
    const why = objection(operation, rail, call, payment)
    const confirmation: RailConfirmation = why === undefined ? { _tag: "Done", reference: referenceOf(call.key) } : refused(why)
    const entry: Entry = { operation, said, confirmation, calls: 1, effects: 0 }
    entries.set(call.key, entry)
    if (payment !== undefined && why === undefined) {
      settle(payment, operation, call.amount)
      // A capture goes by the name of its authorization; each refund has its own.
      if (operation !== "void") {
        move(payment, {
          type: operation,
          provider_reference: operation === "refund" ? referenceOf(call.key) : payment.reference,
          amount: call.amount,
          at: now()
        })
      }
      count(entry)
    }
    return confirmation
  }

  /** Says that a call never came; from here on it is too late for it. */
  const close = (key: string): void => {
    entries.set(key, { operation: "closed", calls: 0, effects: 0 })
  }

  const lookup = (request: RailRequest): RailKnowledge => {
    counters.lookups += 1
    const entry = entries.get(request.key)
    if (entry?.operation !== "authorize") {
      if (entry === undefined) close(request.key)
      return { _tag: "Unknown" }
    }
    if (entry.action !== undefined) return entry.action
    const known = knowledge(entry.verdict, entry.request, now())
    if (known._tag === "Unknown") close(request.key)
    return known
  }

  const lookupFollowUp = (call: RailFollowUp): RailConfirmation | undefined => {
    counters.lookups += 1
    const entry = entries.get(call.key)
    if (entry !== undefined && "confirmation" in entry) return entry.confirmation
    if (entry === undefined) close(call.key)
    return undefined
  }

  /** The customer's answer to a step asked of them. False when nothing was asked under this key, or it was answered or voided. */
  const act = (key: string, passed: boolean): boolean => {
    const entry = entries.get(key)
    const payment = payments.get(referenceOf(key))
    if (entry?.operation !== "authorize" || entry.verdict.at_once._tag !== "RequiresAction") return false
    if (entry.action !== undefined || payment === undefined || payment.voided) return false
    entry.action = afterAction(entry.request, passed)
    if (!passed) return true
    open(key, payment.rail, entry.request, entry.request.amount)
    count(entry)
    return true
  }

  const report = (): Report => ({
    ...counters,
    keys: Object.fromEntries(Array.from(entries, ([key, { calls, effects, operation }]) => [key, { operation, calls, effects }])),
    payments: Array.from(payments.values(), (payment) => ({ ...payment }))
  })

  /** What moved on a rail for a merchant, from the first moment to before the last, Unix milliseconds. */
  const statement = (
    rail: RailName,
    { from, merchant, to }: { readonly merchant: string; readonly from: number; readonly to: number }
  ): ReadonlyArray<ProviderMovement> =>
    movements.filter((movement) => movement.rail === rail && movement.merchant === merchant && movement.at >= from && movement.at < to)

  return { authorize, followUp, lookup, lookupFollowUp, act, report, statement }
}
export type Books = ReturnType<typeof makeBooks>

/** The operations that fault injection may name. */
export const operations: ReadonlyArray<RemoteOperation> = ["authorize", "capture", "refund", "void", "lookup", "lookup_follow_up"]
