/** Decides whether a cycle is charged now, and with which payment method. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { may } from "@svc/accounts/access/permits"
import { type DateTime, Duration } from "effect"
import type { AttemptStart } from "../billing-cycles/attempts.ts"
import { after } from "./steps.ts"

/** The account as the issuer of its invoices, with its settings of billing. */
export interface Issuer {
  readonly account: Pick<AccountFacts, "id" | "sandbox" | "status" | "capabilities" | "restrictions" | "settings">
  /** The prefix of the numbers of its invoices. */
  readonly prefix: string
  /** The public address of the service. */
  readonly url: string
}

/** Charges a cycle now, or decides again at `at`; null waits for a payment method or a recorded result. */
export type ChargeDecision =
  | ({ readonly _tag: "Now" } & AttemptStart)
  | { readonly _tag: "Later"; readonly reason: string; readonly at: DateTime.Utc | null }

/** The time until the next decision while the account may not charge. */
const SUSPENDED_MILLIS = Duration.toMillis(Duration.hours(6))

export const mayCharge = (account: Issuer["account"]): boolean => may("charge", account)

/** The payment method of a subscription's charges; null if there is none. */
export interface SubscriptionMethod {
  readonly id: string | null
  /** Why the subscription's own method is not used any more, as text; undefined if it is used or there is none. */
  readonly gone: string | undefined
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** Charges the present method. Nothing is charged if the account may not charge, or without a method. */
export const chargingWith = (
  { account }: Issuer,
  { gone, id: method }: SubscriptionMethod,
  at: DateTime.Utc,
  starting: Omit<AttemptStart, "payment_method_id">
): ChargeDecision => {
  if (!mayCharge(account)) {
    return {
      _tag: "Later",
      at: after(at, SUSPENDED_MILLIS),
      reason: `The account may not take charges (${account.status === "active" ? "charges_disabled" : account.status}): nothing was tried`
    }
  }
  if (method === null) {
    const why = gone === undefined ? "There is no payment method" : `${sentence(gone)}, and the customer has no default`
    return { _tag: "Later", at: null, reason: `${why}: the cycle waits for one, or for a recorded result` }
  }
  return { _tag: "Now", payment_method_id: method, ...starting }
}
