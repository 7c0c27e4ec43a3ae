/** What the portal says besides what all pages say. Every language has every message, or it does not compile. */
import type { InvoiceStatus } from "@svc/billing/invoices/model"
import type { SubscriptionStatus } from "@svc/billing/subscriptions/model"
import type { Message } from "../messages/shape.ts"

type OfOne = (value: string) => string
type OfTwo = (one: string, other: string) => string

/** A heading, and a sentence with something in it. */
interface SaidOfOne {
  readonly title: string
  readonly text: OfOne
}

interface SaidOfTwo {
  readonly title: string
  readonly text: OfTwo
}

export interface PortalMessages {
  /** The merchant. */
  readonly title: OfOne
  readonly nav: { readonly label: string; readonly overview: string; readonly invoices: string; readonly methods: string }
  readonly backToOverview: string
  readonly noSubscriptions: Message
  readonly details: {
    readonly title: string
    readonly name: string
    readonly nameInvalid: string
    /** For a field that holds a card number. */
    readonly cardNumber: string
    readonly save: string
  }
  readonly status: Readonly<Record<SubscriptionStatus, string>>
  readonly facts: {
    /** What it costs, and how it stands. */
    readonly next: string
    /** An amount, and the day on which it is due. */
    readonly nextOn: OfTwo
    readonly method: string
    /** Days. */
    readonly trialUntil: OfOne
    readonly endsOn: OfOne
    readonly endedOn: OfOne
    readonly paused: string
    /** A plan, and a day. */
    readonly changesTo: OfTwo
    /** A plan whose charge is under way. */
    readonly changing: OfOne
    /** An amount that the next payment is less by. */
    readonly credit: OfOne
    readonly noMethod: string
  }
  readonly pastDue: {
    readonly title: string
    /** An amount. */
    readonly text: OfOne
    readonly retry: OfOne
    readonly stopped: string
    readonly update: string
    /** The merchant. */
    readonly ask: OfOne
  }
  readonly actions: Readonly<Record<"changePlan" | "cancel" | "uncancel" | "pause" | "resume" | "updateCard" | "changeDetails", string>>
  readonly invoices: {
    readonly title: string
    readonly none: string
    readonly status: Readonly<Record<InvoiceStatus, string>>
    /** The number of an invoice. */
    readonly pdf: OfOne
    readonly pdfShort: string
    readonly view: OfOne
    readonly viewShort: string
    readonly pay: OfOne
    readonly older: string
    readonly newer: string
  }
  readonly methods: {
    readonly title: string
    readonly none: string
    /** A brand, and the last four digits. */
    readonly ending: OfTwo
    readonly otherKind: Readonly<Record<"card" | "bank_account" | "usdc_wallet", string>>
    readonly expires: OfOne
    readonly expired: OfOne
    readonly defaultMethod: string
    readonly add: string
    readonly addText: string
    readonly addOwing: OfOne
    readonly save: string
    readonly savePaying: OfOne
  }
  readonly plan: {
    readonly title: string
    readonly choose: string
    readonly current: string
    readonly none: string
    readonly next: string
    readonly unchosen: string
    /** The name of a plan. */
    readonly previewTitle: OfOne
    readonly from: string
    readonly to: string
    readonly starts: string
    readonly atOnce: string
    readonly unused: OfOne
    readonly rest: OfOne
    readonly period: OfOne
    readonly earlier: string
    readonly credit: string
    readonly carried: string
    /** Two days. */
    readonly span: OfTwo
    readonly lines: string
    readonly dueNow: string
    readonly nothingNow: string
    /** A day. */
    readonly onNext: OfOne
    readonly lessNext: OfOne
    /** A price, and a day. */
    readonly thenFrom: OfTwo
    readonly confirm: string
    readonly confirmPaying: OfOne
    readonly undo: string
    readonly undoText: OfOne
    /** Minutes in which the amounts hold. */
    readonly holds: string
  }
  readonly cancel: {
    readonly title: OfOne
    readonly text: OfOne
    readonly owed: OfOne
    readonly pastDue: string
    readonly confirm: string
    readonly keep: string
  }
  readonly pause: { readonly title: OfOne; readonly text: string; readonly left: OfOne; readonly unpaid: string; readonly confirm: string }
  readonly resume: { readonly title: OfOne; readonly text: OfOne; readonly confirm: string }
  /** `once`: of a card on the page of an invoice. */
  readonly pay: { readonly title: OfOne; readonly with: string; readonly confirm: OfOne; readonly other: string; readonly once: string }
  readonly done: {
    readonly planChanged: SaidOfOne
    readonly planScheduled: SaidOfTwo
    readonly planKept: SaidOfOne
    readonly planPending: Message
    readonly planDeclined: Message
    readonly cancelled: SaidOfOne
    readonly uncancelled: SaidOfOne
    readonly paused: Message
    readonly resumed: SaidOfOne
    readonly cardSaved: Message
    readonly cardPaid: SaidOfOne
    readonly cardDeclined: SaidOfOne
    readonly paid: SaidOfOne
    readonly payDeclined: SaidOfOne
    readonly pending: Message
  }
  /** Why something was not done. */
  readonly changedMeanwhile: Message
  readonly notAllowed: Message
  readonly notPossible: Message
  readonly noCard: string
  readonly expired: SaidOfOne
  readonly revoked: SaidOfOne
}
