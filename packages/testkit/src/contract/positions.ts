/**
 * Every place where a request names something that belongs to somebody. A parameter of the contract that is
 * in none of these tables fails the tenant matrix, so that no new route can be forgotten.
 */
import type { Resources } from "./resources.ts"

type FromResources = (resources: Resources) => string

/** Path parameters, by the path up to them. */
export const pathPositions: Readonly<Record<string, FromResources>> = {
  "/v1/payment_intents/{id}": (of) => of.payment_intent,
  "/v1/payment_methods/{id}": (of) => of.payment_method,
  "/v1/accounts/{id}": (of) => of.merchant.id,
  "/v1/api_keys/{id}": (of) => of.api_key,
  "/v1/test_clocks/{id}": (of) => of.test_clock,
  "/v1/financial_events/{id}": (of) => of.financial_event,
  "/v1/balance_accounts/{id}": (of) => of.balance_account,
  "/v1/events/{id}": (of) => of.event,
  "/v1/webhook_events/{id}": (of) => of.webhook_event,
  "/v1/idempotency_keys/{key}": (of) => of.idempotency_key
}

/** The ids that a list pages by, by its path. */
export const cursors: Readonly<Record<string, FromResources>> = {
  "/v1/payment_intents": (of) => of.payment_intent,
  "/v1/payment_methods": (of) => of.payment_method,
  "/v1/api_keys": (of) => of.api_key,
  "/v1/test_clocks": (of) => of.test_clock,
  "/v1/financial_events": (of) => of.financial_event,
  "/v1/balance_accounts": (of) => of.balance_account,
  "/v1/events": (of) => of.event,
  "/v1/webhook_events": (of) => of.webhook_event,
  // Nothing is delivered here, so there is no attempt: an id of one that is as old as the delivery.
  "/v1/webhook_events/{id}/attempts": (of) => of.webhook_event.replace(/^whq_/, "wha_")
}

/** Query parameters that name something. `after` and `before` are in {@link cursors}. */
export const queryPositions: Readonly<Record<string, FromResources>> = {
  merchant_id: (of) => of.merchant.id,
  customer_id: (of) => of.customer,
  resource_id: (of) => of.payment_intent,
  provider_reference: (of) => of.provider_reference,
  q: (of) => of.payment_intent
}

/** Query parameters that belong to nobody. */
export const queryValues: ReadonlySet<string> = new Set([
  "page",
  "per_page",
  "state",
  "currency",
  "amount[gte]",
  "amount[lte]",
  "created_at[gte]",
  "created_at[lt]",
  "selected_rail",
  "event_type",
  "sequence_id[gte]",
  "sequence_id[lte]",
  "from",
  "to",
  "after_seq",
  "status",
  "type"
])

/** Fields of bodies that name something. Idempotency keys have a test of their own. */
export const bodyPositions: Readonly<Record<string, FromResources>> = {
  payment_method_id: (of) => of.payment_method
}

/** Fields of bodies that belong to nobody, though their names end like those that do. */
export const bodyValues: ReadonlySet<string> = new Set(["customer_id"])

/** An id of the same kind that was never given out. */
export const unknownLike = (id: string): string => {
  const kind = /^([a-z]+_)[0-9A-Z]{26}$/.exec(id)?.[1]
  return kind === undefined ? `${id}-unknown` : `${kind}01KDV8Q400ABCDEFGHJKMNPQRS`
}

/** An id that was never given out either, with the same place among all others: where a cursor of it points to. */
export const neighbourOf = (id: string): string => `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`

/** The path with its parameters filled in by `of`, which is told the path up to each. */
export const fillPath = (path: string, of: (position: string, name: string) => string): string => {
  let before = ""
  return path.split("/").map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    before = before === "" && part === "" ? "" : `${before}/${part}`
    return name === undefined ? part : of(before, name)
  }).join("/")
}
