/**
 * Who links bank accounts. A person signs in at their bank on the provider's page, which the link token opens; it gives a public token, and
 * for that the provider tells the accounts.
 *
 * Each call that acts has a key: the same call under the same key again gives the same answer, and acts once. So a call whose answer was
 * lost is made again.
 */
import { Context, type Effect } from "effect"
import type { BankLinkProviderUnavailable } from "../errors.ts"
import type { SimulatedOutcome } from "../model.ts"

export interface BegunLink {
  readonly link_token: string
  /** Seconds in which a person has to sign in. */
  readonly expires_in: number
}

/** An account as its bank tells it, number and all. */
export interface BankAccount {
  readonly id: string
  readonly name: string
  readonly holder_name: string
  readonly currency: string
  readonly country: string
  readonly number: string
  /** Null where the number is an IBAN. */
  readonly routing_number: string | null
}

export type Exchange =
  | { readonly _tag: "Linked"; readonly item_id: string; readonly accounts: ReadonlyArray<BankAccount> }
  | { readonly _tag: "Refused"; readonly reason: Exclude<SimulatedOutcome, "ok"> }

type Answer<A> = Effect.Effect<A, BankLinkProviderUnavailable>

export class BankLinkProvider extends Context.Service<BankLinkProvider, {
  /** `account` is whose link it is. */
  readonly begin: (call: { readonly key: string; readonly account: string }) => Answer<BegunLink>
  /** Which link a public token is of; null where there is none. Acts on nothing. */
  readonly linkTokenOf: (public_token: string) => Answer<string | null>
  readonly exchange: (call: { readonly key: string; readonly public_token: string }) => Answer<Exchange>
  /** A token with which the processor reaches one account. */
  readonly processorToken: (call: { readonly key: string; readonly item_id: string; readonly bank_account_id: string }) => Answer<string>
  /** Of a simulator, which links accounts of sandboxes alone: the public token that its page would give. */
  readonly simulate?: (link_token: string, outcome: SimulatedOutcome) => string
}>()("@svc/treasury/BankLinkProvider") {}
