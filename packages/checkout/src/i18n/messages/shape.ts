/**
 * What the pages say. Every language has every message, or it does not compile. A page that says more has a shape of its own, in the same
 * manner.
 */
import type { DeclineCode } from "@svc/payments/rails/model"

/** A heading and the sentence below it. */
export interface Message {
  readonly title: string
  readonly text: string
}

type OfOne = (value: string) => string
type OfTwo = (one: string, other: string) => string
type OfThree = (one: string, two: string, three: string) => string

export interface Messages {
  readonly common: {
    readonly testMode: string
    readonly back: OfOne
    readonly total: string
    readonly orderSummary: string
    /** What unfolds a number of items. */
    readonly showItems: OfOne
    readonly legal: { readonly label: string; readonly terms: string; readonly privacy: string; readonly imprint: string }
    readonly wait: string
    readonly gone: Message
    readonly tooMany: Message
    readonly broken: Message
  }
  readonly checkout: {
    readonly title: OfOne
    readonly subscribeTo: OfOne
    readonly pay: OfOne
    readonly subscribe: string
    readonly startTrial: string
    readonly every: Readonly<Record<"weekly" | "monthly" | "quarterly" | "annual", string>>
    readonly trial: OfOne
    /** An amount, and one of `every`. */
    readonly thenEvery: OfTwo
    readonly dueToday: string
    /** What is agreed to by subscribing: an amount, the day of the first charge, and one of `every`. */
    readonly renews: OfThree
    readonly renewsAfterTrial: OfThree
    readonly email: string
    readonly emailInvalid: string
    readonly method: string
    readonly card: string
    readonly cardFields: string
    readonly stablecoin: string
    readonly stablecoinDetail: string
    readonly stablecoinNext: string
    readonly bankTransfer: string
    readonly bankTransferDetail: string
    readonly bankTransferNext: string
    readonly needsScript: string
    readonly declined: string
    readonly notCharged: string
    readonly notConfirmed: string
    readonly unavailable: string
    readonly chooseAgain: string
    readonly processing: Message
    readonly action: Message & { readonly go: string }
    readonly transfer: Message & { readonly amount: string; readonly network: string; readonly status: string; readonly pending: string }
    readonly review: Message
    /** An amount, and the merchant who has received it. */
    readonly paid: { readonly title: string; readonly text: OfTwo }
    readonly started: { readonly title: string; readonly text: OfOne }
    /** The merchant, an amount, and the day of the first charge. */
    readonly startedTrial: { readonly title: string; readonly text: OfThree }
    readonly returnTo: OfOne
    readonly returning: OfOne
    readonly expired: { readonly title: string; readonly text: OfOne }
  }
  readonly fields: {
    readonly number: string
    readonly expiry: string
    readonly expiryHint: string
    readonly cvc: string
    readonly numberMissing: string
    readonly numberUnknown: string
    readonly expiryInvalid: string
    readonly cvcInvalid: string
    readonly testCards: string
    readonly testCardsHint: string
    readonly outcomes: Readonly<Record<"approve" | "declined" | "require_action" | "block" | "elsewhere" | "dispute", string>>
  }
  readonly action: {
    readonly title: string
    readonly bank: string
    /** An amount, and the merchant who asks for it. */
    readonly question: OfTwo
    readonly confirm: string
    readonly refuse: string
    readonly done: Message
    readonly refused: Message
    readonly over: Message
  }
  /** The words for the payer. They do not say that a card is lost or stolen: its holder may not be its owner. */
  readonly declines: Readonly<Record<DeclineCode, string>>
}
