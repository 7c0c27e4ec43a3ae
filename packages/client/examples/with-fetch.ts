/** Charges a customer, refunds a part, and lists what was paid. */
import { makeFetchClient, SvcError } from "@svc/client/fetch"

/** Names what is done once, however often it is sent. */
const order = crypto.randomUUID()

const svc = makeFetchClient({ baseUrl: process.env["BASE_URL"] ?? "", secretKey: process.env["SECRET_KEY"] ?? "" })

const intent = await svc("POST /v1/payment_intents", {
  payload: { amount: 1999, currency: "EUR", idempotency_key: order, metadata: { order } }
})
const captured = await svc("POST /v1/payment_intents/:id/authorize", {
  params: { id: intent.id },
  payload: { payment_method_id: "tok_visa", capture: true, idempotency_key: `${order}-pay` },
  headers: { "If-Match": `"${intent.version}"` }
})

const refunded = await svc("POST /v1/payment_intents/:id/refund", {
  params: { id: captured.id },
  payload: { amount: 500, idempotency_key: `${order}-refund` }
})

/** Why the bank declined. */
const declined = await svc("POST /v1/payment_intents", {
  payload: {
    amount: 900,
    currency: "EUR",
    payment_method_id: "tok_insufficient_funds",
    capture: true,
    idempotency_key: `${order}-declined`
  }
}).then(
  ({ state }) => state,
  (error: unknown) => {
    if (error instanceof SvcError && error.status === 402) return error.refusal.decline_code
    throw error
  }
)

const { data } = await svc("GET /v1/payment_intents", { query: { per_page: 10, state: "captured" } })

console.log(
  JSON.stringify({ state: refunded.state, refunded: refunded.refunded_amount, declined, listed: data.map(({ id }) => id === intent.id) })
)
