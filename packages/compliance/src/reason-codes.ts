/** What the reason code of a dispute means: its network, the kind of claim, and the family of evidence that answers it. */
import type { Family } from "./readiness-table.ts"

/** Kinds of claim, in the words that Stripe's documentation groups network codes by. */
export const categories = [
  "fraudulent",
  "general",
  "duplicate",
  "product_not_received",
  "product_unacceptable",
  "subscription_canceled",
  "credit_not_processed",
  "unknown"
] as const
export type Category = typeof categories[number]

export interface ReasonCode {
  readonly network: "visa" | "mastercard" | "unknown"
  readonly category: Category
  readonly family: Family
}

const visa = (category: Category, family: Family): ReasonCode => ({ network: "visa", category, family })
const mastercard = (category: Category, family: Family): ReasonCode => ({ network: "mastercard", category, family })

const codes: ReadonlyMap<string, ReasonCode> = new Map([
  ["10.1", visa("fraudulent", "10.1")],
  ["10.2", visa("fraudulent", "10.2")],
  ["10.3", visa("fraudulent", "10.3")],
  ["10.4", visa("fraudulent", "10.4")],
  // Visa's fraud monitoring program: no evidence of the cardholder answers it.
  ["10.5", visa("fraudulent", "default")],
  ["11.1", visa("general", "default")],
  ["11.2", visa("general", "default")],
  ["11.3", visa("general", "default")],
  ["12.1", visa("general", "12.x")],
  ["12.2", visa("general", "12.x")],
  ["12.3", visa("general", "12.x")],
  ["12.4", visa("general", "12.x")],
  ["12.5", visa("general", "12.x")],
  ["12.6", visa("duplicate", "12.x")],
  ["12.6.1", visa("duplicate", "12.x")],
  ["12.6.2", visa("duplicate", "12.x")],
  ["12.7", visa("general", "12.x")],
  ["13.1", visa("product_not_received", "13.x")],
  ["13.2", visa("subscription_canceled", "13.x")],
  ["13.3", visa("product_unacceptable", "13.x")],
  ["13.4", visa("product_unacceptable", "13.x")],
  ["13.5", visa("product_unacceptable", "13.x")],
  ["13.6", visa("credit_not_processed", "13.x")],
  ["13.7", visa("credit_not_processed", "13.x")],
  ["13.8", visa("general", "13.x")],
  ["13.9", visa("product_not_received", "13.x")],
  ["4808", mastercard("general", "default")],
  ["4834", mastercard("duplicate", "12.x")],
  ["4837", mastercard("fraudulent", "10.4")],
  ["4849", mastercard("fraudulent", "default")],
  ["4853", mastercard("product_unacceptable", "13.x")],
  // The cardholder does not recognise it.
  ["4863", mastercard("fraudulent", "10.4")],
  // Liability for the chip.
  ["4870", mastercard("fraudulent", "10.1")],
  ["4871", mastercard("fraudulent", "10.2")]
])

/** A code that is not known, or of another network, is judged by the default family. */
export const reasonOf = (code: string): ReasonCode =>
  codes.get(code.trim()) ?? { network: "unknown", category: "unknown", family: "default" }

/** Every code that is known. */
export const knownCodes: ReadonlyArray<string> = [...codes.keys()]

/** What answers each kind of claim best. */
export const advice: Readonly<Record<Category, string>> = {
  fraudulent:
    "Show that the cardholder took part: 3-D Secure, earlier purchases with the same device or IP address, checks of address and security code, use after the purchase.",
  general: "Show the authorization and the amount as the cardholder agreed to it.",
  duplicate: "Show two orders, each with what was delivered and agreed, or the refund of the second.",
  product_not_received: "Show delivery to the address given, or a log of access or download, before the dispute.",
  product_unacceptable: "Show the description at the time of purchase, what was delivered, and that no return was offered or made.",
  subscription_canceled:
    "Show the terms of cancellation that were accepted, that none was received, use after it, and the notice before the renewal.",
  credit_not_processed: "Show the refund, or the refund policy that was accepted at checkout.",
  unknown: "The code is not known here: read the network's reason, and answer what it claims."
}
