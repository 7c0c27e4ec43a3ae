import type { DeclineCode } from "@svc/payments/rails/model"

/** Why something was refused, and what to do next. */
export interface Explained {
  readonly why: string
  readonly next: string
}

export interface PaymentTexts {
  readonly title: string
  readonly summary: string
  readonly captured: string
  readonly refunded: string
  readonly disputed: string
  readonly fee: string
  readonly held: string
  readonly customer: string
  readonly method: string
  readonly rail: string
  readonly reference: string
  readonly conversion: string
  readonly reason: string
  readonly declined: string
  readonly declines: Readonly<Record<DeclineCode, Explained>>
  /** Where a payment stands that needs somebody. */
  readonly standings: Readonly<
    Record<"blocked" | "requires_action" | "async_rail" | "unknown_outcome" | "requires_approval" | "failed", Explained>
  >
  readonly next: string
  readonly timeline: string
  readonly created: string
  readonly attempted: (rail: string, outcome: string) => string
  readonly refund: (status: string) => string
  readonly cancelled: string
  /** Above a refund that a second person has to approve: its amount comes before the text. */
  readonly waits: string
  readonly waitsText: string
  readonly disputeOpened: string
  readonly disputeClosed: (status: string) => string
  readonly settlementQueued: string
  readonly settlementDone: string
  readonly attempts: string
  readonly noAttempts: string
  readonly amount: string
  readonly outcome: string
  readonly decline: string
  readonly because: string
  readonly score: string
  readonly at: string
  readonly routing: string
  readonly routingNote: string
  readonly result: string
  readonly chosen: string
  readonly leftOut: string
  readonly eligible: string
  readonly rule: string
  readonly matched: string
  /** Why a rail is tried or left out, and why a rule applies or not. */
  readonly routingReasons: {
    readonly usual: string
    readonly allHold: string
    readonly notInstalled: string
    /** A kind of payment method, or a currency. */
    readonly doesNotTake: (what: string) => string
    readonly byRule: (name: string) => string
    readonly differs: (what: string, is: string, asked: string) => string
    readonly below: (limit: string) => string
    readonly above: (limit: string) => string
    /** Of the payment's metadata. */
    readonly isNot: (name: string, asked: string) => string
    readonly notGiven: string
    readonly currency: string
    readonly country: string
    readonly method: string
  }
  readonly entries: string
  readonly noEntries: string
  readonly event: string
  readonly available: string
  readonly pending: string
  readonly reserved: string
  readonly links: string
  readonly dispute: string
  readonly settlement: string
  readonly metadata: string
}
