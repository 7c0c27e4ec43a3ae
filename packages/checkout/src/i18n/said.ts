/** What the pages say. Every language has every message, or it does not compile. A page that says more has a shape of its own, in the same manner. */
import type { DeclineCode } from "@svc/payments/rails/model"

/** A heading and the sentence below it. */
export interface Said {
  readonly title: string
  readonly text: string
}

type OfOne = (value: string) => string
type OfTwo = (one: string, other: string) => string

export interface Messages {
  readonly common: {
    readonly testMode: string
    readonly back: OfOne
    readonly total: string
    readonly orderSummary: string
    readonly wait: string
    readonly gone: Said
    readonly tooMany: Said
    readonly broken: Said
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
    readonly email: string
    readonly emailInvalid: string
    readonly method: string
    readonly card: string
    readonly cardFields: string
    readonly stablecoin: string
    readonly stablecoinDetail: string
    readonly stablecoinNext: string
    readonly needsScript: string
    readonly declined: string
    readonly notCharged: string
    readonly notConfirmed: string
    readonly unavailable: string
    readonly chooseAgain: string
    readonly processing: Said
    readonly action: Said & { readonly go: string }
    readonly transfer: Said & { readonly amount: string; readonly network: string; readonly status: string; readonly pending: string }
    readonly review: Said
    /** An amount, and who has it. */
    readonly paid: { readonly title: string; readonly text: OfTwo }
    readonly started: { readonly title: string; readonly text: OfOne }
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
    /** An amount, and who asks for it. */
    readonly question: OfTwo
    readonly confirm: string
    readonly refuse: string
    readonly done: Said
    readonly refused: Said
    readonly over: Said
  }
  /** What the payer is told. A lost or stolen card is declined without saying so: whoever holds it may not be its owner. */
  readonly declines: Readonly<Record<DeclineCode, string>>
}
