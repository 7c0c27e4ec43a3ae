/** A checkout session whose page is paid, whose merchant ends it, or whose customer leaves. */
import { checkoutSessionEvents } from "@svc/checkout/checkout-sessions/model"
import type { Client } from "@svc/client/client"
import { nextId } from "@svc/kernel/values/ids"
import { DateTime, Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { advanceTo, clockOf } from "../clocks.ts"
import { CommandFailed } from "../failure.ts"
import { metadata, type Sandbox, triggersOf } from "./trigger.ts"

const create = Effect.fnUntraced(function*({ amount, client, currency }: Sandbox) {
  const key = yield* nextId("req")
  return yield* client.checkout_sessions.create({
    headers: { "idempotency-key": `trigger_${key}` },
    payload: { mode: "payment", amount, currency, customer_email: "ana@example.com", metadata }
  })
})

type Session = Effect.Success<ReturnType<typeof create>>

/** The page as a customer reaches it, at the server that the command speaks to. */
const pageOf = ({ baseUrl }: Sandbox, { url }: Session) => `${baseUrl}${new URL(url, baseUrl).pathname}`

const visit = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.flatMap(HttpClient.execute(request), ({ text }) => text).pipe(Effect.provide(FetchHttpClient.layer))

const standing = (client: Client, id: Session["id"]) =>
  Effect.map(client.checkout_sessions.get({ params: { id }, query: {} }), ({ status: state }) => ({ id, state }))

/** A session that its customer has paid, by card. */
export const complete = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const session = yield* create(sandbox)
  yield* visit(
    HttpClientRequest.post(`${pageOf(sandbox, session)}/pay`).pipe(
      HttpClientRequest.bodyUrlParams({ try: "1", pay_with: "card", token: "tok_visa" })
    )
  )
  return yield* standing(sandbox.client, session.id)
})

const expire = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* create(sandbox)
  const { status: state } = yield* sandbox.client.checkout_sessions.expire({ params: { id } })
  return { id, state }
})

const abandon = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const clock = yield* clockOf(sandbox.client)
  if (clock === undefined) {
    return yield* new CommandFailed({
      message:
        "A page counts as abandoned half an hour after its last visit. Give the account a clock with svc clock make, and this is a matter of a second."
    })
  }
  const session = yield* create(sandbox)
  yield* visit(HttpClientRequest.get(pageOf(sandbox, session)))
  yield* advanceTo(sandbox.client, clock.id, DateTime.add(clock.now, { minutes: 31 }))
  return yield* standing(sandbox.client, session.id)
})

export const checkoutSessions = triggersOf(checkoutSessionEvents, {
  "checkout.session.completed": complete,
  "checkout.session.expired": expire,
  "checkout.session.abandoned": abandon
})
