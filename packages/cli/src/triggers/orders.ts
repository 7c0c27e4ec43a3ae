/** A checkout session that is paid, and its order delivered. */
import { orderEvents } from "@svc/billing/orders/model"
import { Effect } from "effect"
import { CommandFailed } from "../failure.ts"
import { complete } from "./checkout-sessions.ts"
import { key, type Sandbox, triggersOf } from "./trigger.ts"

const fulfill = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { client } = sandbox
  const { id: checkout_session_id, state: session } = yield* complete(sandbox)
  const { data: [order] } = yield* client.orders.list({ query: { per_page: 1, checkout_session_id } })
  if (order === undefined) {
    return yield* new CommandFailed({ message: `The checkout session ${checkout_session_id} is ${session} and has no order.` })
  }
  const { id, status: state } = yield* client.orders.fulfill({ params: { id: order.id }, payload: yield* key })
  return { id, state }
})

export const orders = triggersOf(orderEvents, { "order.fulfilled": fulfill })
