/** A payment method of a test card that is kept, changed or revoked. */
import { paymentMethodEvents } from "@svc/payments/payment-methods/model"
import { Effect } from "effect"
import { metadata, type Sandbox, triggersOf } from "./trigger.ts"

const create = ({ client }: Sandbox) =>
  Effect.map(
    client.payment_methods.create({ payload: { type: "card", token: "tok_visa", metadata } }),
    ({ id, status: state }) => ({ id, state })
  )

const update = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* create(sandbox)
  const { status: state } = yield* sandbox.client.payment_methods.update({
    params: { id },
    payload: { metadata: { ...metadata, updated: "true" } }
  })
  return { id, state }
})

const revoke = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* create(sandbox)
  const { status: state } = yield* sandbox.client.payment_methods.revoke({ params: { id } })
  return { id, state }
})

export const paymentMethods = triggersOf(paymentMethodEvents, {
  "payment_method.created": create,
  "payment_method.updated": update,
  "payment_method.revoked": revoke
})
