/** A real payment that comes as far as the event. */
import { paymentIntentEvents } from "@svc/payments/payment-intents/model"
import { Effect } from "effect"
import { key, metadata, type Sandbox, triggersOf } from "./trigger.ts"

const create = Effect.fnUntraced(function*({ amount, client, currency }: Sandbox, more: Readonly<Record<string, string>> = {}) {
  return yield* client.payment_intents.create({ payload: { amount, currency, ...(yield* key), metadata: { ...metadata, ...more } } })
})

/** A payment that holds the money; `more` is metadata of it, which may tell the simulator what to do. */
export const authorize = Effect.fnUntraced(function*(sandbox: Sandbox, more: Readonly<Record<string, string>> = {}) {
  const { id } = yield* create(sandbox, more)
  return yield* sandbox.client.payment_intents.authorize({ params: { id }, payload: { payment_method_id: "tok_visa", ...(yield* key) } })
})

/** A payment whose money was taken. */
export const capture = Effect.fnUntraced(function*({ amount, client, currency }: Sandbox) {
  return yield* client.payment_intents.create({
    payload: { amount, currency, payment_method_id: "tok_visa", capture: true, metadata, ...(yield* key) }
  })
})

const refund = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* capture(sandbox)
  return yield* sandbox.client.payment_intents.refund({ params: { id }, payload: yield* key })
})

const cancel = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* create(sandbox)
  return yield* sandbox.client.payment_intents.void({ params: { id }, payload: yield* key })
})

/** The decline is what was asked for; the intent it leaves behind is the answer. */
const fail = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { client } = sandbox
  const { id } = yield* create(sandbox)
  return yield* client.payment_intents.authorize({ params: { id }, payload: { payment_method_id: "tok_generic_decline", ...(yield* key) } })
    .pipe(
      Effect.catchTag("CardDeclined", () => client.payment_intents.get({ params: { id } }))
    )
})

export const paymentIntents = triggersOf(paymentIntentEvents, {
  "payment_intent.created": (sandbox) => create(sandbox),
  "payment_intent.authorized": (sandbox) => authorize(sandbox),
  "payment_intent.captured": capture,
  "payment_intent.refunded": refund,
  "payment_intent.failed": fail,
  "payment_intent.cancelled": cancel
})
