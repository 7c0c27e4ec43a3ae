/** A customer portal session that is opened, revoked, or left until its hour is over. */
import { portalSessionEvents } from "@svc/checkout/portal-sessions/model"
import { DateTime, Effect } from "effect"
import { advanceTo, clockOf } from "../clocks.ts"
import { CommandFailed } from "../failure.ts"
import { key, type Sandbox, triggersOf } from "./trigger.ts"

const CUSTOMER = "svc-trigger"

const create = Effect.fnUntraced(function*({ client }: Sandbox) {
  const { expires_at, id, status: state } = yield* client.customer_portal.create({ payload: { customer_id: CUSTOMER, ...(yield* key) } })
  return { id, state, expires_at }
})

const revoke = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* create(sandbox)
  const { status: state } = yield* sandbox.client.customer_portal.revoke({ params: { id } })
  return { id, state }
})

/** Nothing but time ends a session, so the account needs a clock that can be advanced. */
const expire = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { client } = sandbox
  const clock = yield* clockOf(client)
  if (clock === undefined) {
    return yield* new CommandFailed({ message: "A portal session expires an hour after it was made, and this account lives by the time of the world. Give it a clock with svc clock make, and try again." })
  }
  const { expires_at, id } = yield* create(sandbox)
  yield* advanceTo(client, clock.id, DateTime.max(expires_at, DateTime.add(clock.now, { seconds: 1 })))
  const { status: state } = yield* client.customer_portal.get({ params: { id } })
  return { id, state }
})

const changePlan = () => Effect.fail(new CommandFailed({ message: "A plan is changed in the portal by its customer: open the url of a session in a browser." }))

export const portalSessions = triggersOf(portalSessionEvents, {
  "customer_portal.session.created": create,
  "customer_portal.session.expired": expire,
  "customer_portal.session.revoked": revoke,
  "customer_portal.plan_changed": changePlan
})
