/** A customer portal session that is opened, revoked, or left until its hour is over. */
import { portalSessionEvents } from "@svc/checkout/portal-sessions/model"
import { DateTime, Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { advanceTo, clockOf } from "../clocks.ts"
import { CommandFailed } from "../failure.ts"
import { subscribe } from "./subscriptions.ts"
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
    return yield* new CommandFailed({
      message:
        "A portal session expires an hour after it was made, and this account lives by the time of the world. Give it a clock with svc clock make, and try again."
    })
  }
  const { expires_at, id } = yield* create(sandbox)
  yield* advanceTo(client, clock.id, DateTime.max(expires_at, DateTime.add(clock.now, { seconds: 1 })))
  const { status: state } = yield* client.customer_portal.get({ params: { id } })
  return { id, state }
})

const visit = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.flatMap(HttpClient.execute(request), ({ text }) => text).pipe(Effect.provide(FetchHttpClient.layer))

/** What a form of the page sends along. */
const hidden = (page: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`, "u").exec(page)?.[1] ?? ""

/** As a customer does it: the page with the preview is opened, and its form is sent. */
const changePlan = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { baseUrl, client } = sandbox
  const { customer_id, id: sub } = yield* subscribe(sandbox, "tok_visa")
  const { id: plan } = yield* client.plans.create({
    payload: { name: "svc trigger, more", amount: sandbox.amount * 2, currency: sandbox.currency, billing_period: "monthly" }
  })
  yield* client.plans.activate({ params: { id: plan } })
  const { id, url } = yield* client.customer_portal.create({ payload: { customer_id, ...(yield* key) } })
  const page = `${baseUrl}${new URL(url, baseUrl).pathname}/subscriptions/${sub}/plan/${plan}`
  const preview = yield* visit(HttpClientRequest.get(page))
  yield* visit(
    HttpClientRequest.post(page).pipe(
      HttpClientRequest.bodyUrlParams({ proration_at: hidden(preview, "proration_at"), version: hidden(preview, "version") })
    )
  )
  const { status: state } = yield* client.customer_portal.get({ params: { id } })
  return { id, state }
})

export const portalSessions = triggersOf(portalSessionEvents, {
  "customer_portal.session.created": create,
  "customer_portal.session.expired": expire,
  "customer_portal.session.revoked": revoke,
  "customer_portal.plan_changed": changePlan
})
