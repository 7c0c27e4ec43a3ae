/** `svc trigger`: makes something real happen in the sandbox, so that an event does. */
import { Amount } from "@svc/kernel/values/money"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { apiFlags, connect } from "../connection.ts"
import { print } from "../output.ts"
import { checkoutSessions } from "../triggers/checkout-sessions.ts"
import { conversions } from "../triggers/conversions.ts"
import { disputes } from "../triggers/disputes.ts"
import { invoices } from "../triggers/invoices.ts"
import { orders } from "../triggers/orders.ts"
import { paymentIntents } from "../triggers/payment-intents.ts"
import { paymentMethods } from "../triggers/payment-methods.ts"
import { portalSessions } from "../triggers/portal-sessions.ts"
import { settlements } from "../triggers/settlements.ts"
import { billingCycles, subscriptions } from "../triggers/subscriptions.ts"

/** A cause of each event type. A test names the types that have none. */
export const triggers = {
  ...billingCycles,
  ...checkoutSessions,
  ...conversions,
  ...disputes,
  ...invoices,
  ...orders,
  ...paymentIntents,
  ...paymentMethods,
  ...portalSessions,
  ...settlements,
  ...subscriptions
}

const choices = Object.entries(triggers).map(([name, cause]) => [name, { name, cause }] as const)

export const trigger = Command.make(
  "trigger",
  {
    event: Argument.ChoiceWithValue("event", choices).pipe(
      Argument.withDescription(`The event to cause: ${Object.keys(triggers).join(", ")}`)
    ),
    amount: Flag.Int("amount").pipe(
      Flag.withDescription("Minor units of a payment; 1999 unless given"),
      Flag.withSchema(Amount),
      Flag.withDefault(1999)
    ),
    currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217 code of a payment; USD unless given"), Flag.withDefault("USD")),
    ...apiFlags
  },
  Effect.fnUntraced(function*({ amount, currency, event, ...flags }) {
    const { baseUrl, client, explain } = yield* connect(flags)
    const { id, state } = yield* event.cause({ client, baseUrl, amount, currency }).pipe(Effect.mapError(explain))
    yield* print({ event: event.name, id, state }, `${event.name}  ${id}  ${state}`)
  })
).pipe(
  Command.withDescription("Make something happen in the sandbox, such as a payment, so that an event does"),
  Command.withExamples([
    { command: "svc trigger payment_intent.captured", description: "Create, authorize and capture 19.99 USD" },
    {
      command: "svc trigger settlement.completed",
      description: "Capture 19.99 USD and settle it at once; an account with a clock is advanced to the day"
    }
  ])
)
