/** Whether a cycle is charged now, and with what. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { may } from "@svc/accounts/access/permits"
import { type DateTime, Duration } from "effect"
import type { AttemptStart } from "../billing-cycles/attempts.ts"
import { after } from "./steps.ts"

/** The account as the issuer of its invoices, with its settings of billing. */
export interface Issuer {
  readonly account: Pick<AccountFacts, "id" | "sandbox" | "status" | "capabilities" | "restrictions" | "settings">
  /** What the numbers of its invoices begin with. */
  readonly prefix: string
  /** Where the service is reached from outside. */
  readonly url: string
}

/** A cycle is charged now, or later: `at` says when it is looked at again, and null waits for a method or a recorded result. */
export type ChargeDecision =
  | ({ readonly _tag: "Now" } & AttemptStart)
  | { readonly _tag: "Later"; readonly reason: string; readonly at: DateTime.Utc | null }

/** How long a try waits for an account that may not charge. */
const SUSPENDED_MILLIS = Duration.toMillis(Duration.hours(6))

export const mayCharge = (account: Issuer["account"]): boolean => may("charge", account)

/** The method that a subscription is charged with; null where there is none. */
export interface SubscriptionMethod {
  readonly id: string | null
  /** In words: the subscription's own method, which pays for its customer no longer. Undefined where none is gone. */
  readonly gone: string | undefined
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** With the method that is there; nothing is charged for an account that may not, or without a method. */
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
