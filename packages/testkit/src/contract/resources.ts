/** One of everything that belongs to a merchant, made through the API, so that there are real ids to ask for. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Merchant } from "./service.ts"
import { jsonOf, must, openMerchant, send } from "./service.ts"

export interface Resources {
  readonly merchant: Merchant
  readonly customer: string
  readonly payment_method: string
  /** Captured, with a refund, and with everything a filter can look for. */
  readonly payment_intent: string
  readonly created_intent: string
  readonly authorized_intent: string
  readonly provider_reference: string
  readonly idempotency_key: string
  readonly financial_event: string
  readonly balance_account: string
  readonly event: string
  readonly webhook_event: string
  readonly api_key: string
  readonly test_clock: string
}

const text = (json: Readonly<Record<string, unknown>>, field: string): string => {
  const value = json[field]
  return typeof value === "string" ? value : ""
}

const firstId = Effect.fnUntraced(function*(merchant: Merchant, list: string) {
  const { data } = yield* must("GET", list, { key: merchant.key })
  const [first] = Array.isArray(data) ? data : []
  const id: unknown = first?.id
  return typeof id === "string" ? id : yield* Effect.die(new Error(`${list} of ${merchant.id} is empty`))
})

/** Opens a merchant and gives it one of everything. `tag` is in every text of its own. */
export const makeResources = Effect.fnUntraced(function*(tag: string): Effect.fn.Return<Resources, never, Effect.Services<ReturnType<typeof openMerchant>> | Effect.Services<ReturnType<typeof send>>> {
  const merchant = yield* openMerchant(tag)
  const { key } = merchant
  const customer = `customer-${tag}`
  const create = (path: string, body: unknown) => must("POST", path, { key, body })
  yield* must("PUT", "/v1/webhook_endpoint", { key, body: { url: "http://127.0.0.1:8443/webhooks" } })
  const method = yield* create("/v1/payment_methods", { type: "card", token: "tok_visa", customer_id: customer })
  const intent = Effect.fnUntraced(function*(idempotency_key: string) {
    return text(yield* create("/v1/payment_intents", { amount: 1999, currency: "USD", idempotency_key, customer_id: customer, metadata: { tag } }), "id")
  })
  const authorize = (id: string, capture: boolean) =>
    create(`/v1/payment_intents/${id}/authorize`, { idempotency_key: randomUUID(), payment_method_id: text(method, "id"), capture })
  const idempotency_key = randomUUID()
  const payment_intent = yield* intent(idempotency_key)
  const captured = yield* authorize(payment_intent, true)
  yield* create(`/v1/payment_intents/${payment_intent}/refund`, { idempotency_key: randomUUID(), amount: 10 })
  const created_intent = yield* intent(randomUUID())
  const authorized_intent = yield* intent(randomUUID())
  yield* authorize(authorized_intent, false)
  const clock = yield* create("/v1/test_clocks", undefined)
  const made = yield* create("/v1/api_keys", { name: tag, kind: "restricted", scopes: ["ledger:read"] })
  return {
    merchant,
    customer,
    payment_method: text(method, "id"),
    payment_intent,
    created_intent,
    authorized_intent,
    provider_reference: text(captured, "provider_reference"),
    idempotency_key,
    financial_event: yield* firstId(merchant, "/v1/financial_events"),
    balance_account: yield* firstId(merchant, "/v1/balance_accounts"),
    event: yield* firstId(merchant, "/v1/events"),
    webhook_event: yield* firstId(merchant, "/v1/webhook_events"),
    api_key: text(made, "id"),
    test_clock: text(clock, "id")
  }
})

/** What a merchant sees of itself: every list and resource, as text. */
export const snapshot = Effect.fnUntraced(function*({ merchant: { key, id }, payment_intent, ...rest }: Resources) {
  const paths = [
    "/v1/account",
    `/v1/accounts/${id}`,
    ...["payment_intents", "payment_methods", "api_keys", "test_clocks", "financial_events", "balance_accounts", "events", "webhook_events"].map((list) => `/v1/${list}?per_page=100`),
    "/v1/webhook_endpoint",
    `/v1/payment_intents/${payment_intent}/routing`,
    `/v1/idempotency_keys/${rest.idempotency_key}`
  ]
  return yield* Effect.forEach(paths, (path) => Effect.map(send("GET", path, { key }), (answer) => ({ path, status: answer.status, json: jsonOf(answer) })))
})
