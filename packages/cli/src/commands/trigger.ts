/** `svc trigger`: makes a real payment so that an event happens. */
import type { Client } from "@svc/client/client"
import { nextId } from "@svc/kernel/ids"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { apiFlags, connect, explained } from "../connection.ts"

interface Payment {
  readonly client: Client
  readonly amount: number
  readonly currency: string
}

/** Every step has a key of its own, so each trigger is a payment of its own. */
const key = Effect.map(nextId("req"), (id) => ({ idempotency_key: `trigger_${id}` }))

const create = Effect.fnUntraced(function*({ amount, client, currency }: Payment) {
  return yield* client.payment_intents.create({ payload: { amount, currency, ...(yield* key), metadata: { made_by: "svc trigger" } } })
})

const authorize = Effect.fnUntraced(function*(payment: Payment, payment_method_id: string, capture = false) {
  const { id } = yield* create(payment)
  return yield* payment.client.payment_intents.authorize({ params: { id }, payload: { payment_method_id, capture, ...(yield* key) } })
})

const refund = Effect.fnUntraced(function*(payment: Payment) {
  const { id } = yield* authorize(payment, "tok_visa", true)
  return yield* payment.client.payment_intents.refund({ params: { id }, payload: yield* key })
})

const cancel = Effect.fnUntraced(function*(payment: Payment) {
  const { id } = yield* create(payment)
  return yield* payment.client.payment_intents.void({ params: { id }, payload: yield* key })
})

/** The decline is what was asked for; the intent it leaves behind is the answer. */
const fail = Effect.fnUntraced(function*(payment: Payment) {
  const { client } = payment
  const { id } = yield* create(payment)
  return yield* client.payment_intents.authorize({ params: { id }, payload: { payment_method_id: "tok_generic_decline", ...(yield* key) } }).pipe(
    Effect.catchTag("CardDeclined", () => client.payment_intents.get({ params: { id } }))
  )
})

const triggers = {
  "payment_intent.created": create,
  "payment_intent.authorized": (payment: Payment) => authorize(payment, "tok_visa"),
  "payment_intent.captured": (payment: Payment) => authorize(payment, "tok_visa", true),
  "payment_intent.refunded": refund,
  "payment_intent.failed": fail,
  "payment_intent.cancelled": cancel
} as const

const choices = Object.entries(triggers).map(([name, cause]) => [name, { name, cause }] as const)

export const trigger = Command.make("trigger", {
  event: Argument.ChoiceWithValue("event", choices).pipe(Argument.withDescription(`The event to cause: ${Object.keys(triggers).join(", ")}`)),
  amount: Flag.Int("amount").pipe(Flag.withDescription("Minor units; 1999 unless given"), Flag.withDefault(1999)),
  currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217 code; USD unless given"), Flag.withDefault("USD")),
  ...apiFlags
}, Effect.fnUntraced(function*({ amount, currency, event, ...flags }) {
  const { baseUrl, client } = yield* connect(flags)
  const intent = yield* event.cause({ client, amount, currency }).pipe(Effect.mapError(explained(baseUrl)))
  yield* Console.log(`${event.name}  ${intent.id}  ${intent.state}`)
})).pipe(
  Command.withDescription("Make a payment in the sandbox so that an event happens"),
  Command.withExamples([{ command: "svc trigger payment_intent.captured", description: "Create, authorize and capture 19.99 USD" }])
)
