/** Charges a customer, refunds a part, and checks the books. */
import { ifMatch, makeClient } from "@svc/client/client"
import { verifyLedger } from "@svc/client/ledger"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"

/** Names what is done once, however often it is sent. */
const order = crypto.randomUUID()

const program = Effect.gen(function*() {
  const client = yield* makeClient({ baseUrl: process.env["BASE_URL"] ?? "", secretKey: process.env["SECRET_KEY"] ?? "" })

  const intent = yield* client.payment_intents.create({
    payload: { amount: 1999, currency: "EUR", idempotency_key: order, metadata: { order } }
  })
  const captured = yield* client.payment_intents.authorize({
    params: { id: intent.id },
    payload: { payment_method_id: "tok_visa", capture: true, idempotency_key: `${order}-pay` }
  }).pipe(ifMatch(intent.version))

  const refunded = yield* client.payment_intents.refund({
    params: { id: captured.id },
    payload: { amount: 500, idempotency_key: `${order}-refund` }
  })

  // Every refusal is a typed error: this one says why the bank declined.
  const declined = yield* client.payment_intents.create({
    payload: {
      amount: 900,
      currency: "EUR",
      payment_method_id: "tok_insufficient_funds",
      capture: true,
      idempotency_key: `${order}-declined`
    }
  }).pipe(
    Effect.map(({ state }) => state as string),
    Effect.catchTag("CardDeclined", ({ decline_code }) => Effect.succeed(decline_code))
  )

  const { checked, ok } = yield* verifyLedger(client)
  return { state: refunded.state, refunded: refunded.refunded_amount, declined, ok, checked }
})

console.log(JSON.stringify(await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer)))))
