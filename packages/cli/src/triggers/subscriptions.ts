/** A subscription and its first cycle: paid, not paid, given up, paused and resumed. */
import { billingCycleEvents } from "@svc/billing/billing-cycles/model"
import { subscriptionEvents } from "@svc/billing/subscriptions/model"
import type { Client } from "@svc/client/client"
import { nextId } from "@svc/kernel/values/ids"
import { Effect, Schedule } from "effect"
import { CommandFailed } from "../failure.ts"
import { key, metadata, type Sandbox, triggersOf } from "./trigger.ts"

/** What follows by itself waits for the next poll of a worker at most. */
const LOOK = Schedule.spaced("200 millis")
const PATIENCE = "30 seconds"

/** A subscription of a new customer on a plan of its own. */
export const subscribe = Effect.fnUntraced(
  function*({ amount, client, currency }: Sandbox, payment_method_id: string | null, trial_period_days = 0) {
    const { id: plan_id } = yield* client.plans.create({ payload: { name: "svc trigger", amount, currency, billing_period: "monthly" } })
    yield* client.plans.activate({ params: { id: plan_id } })
    const customer_id = yield* nextId("req")
    return yield* client.subscriptions.create({
      payload: { ...(yield* key), plan_id, customer_id, payment_method_id, trial_period_days, metadata }
    })
  }
)

type Subscription = Effect.Success<ReturnType<typeof subscribe>>

const standing = ({ id, status: state }: Subscription) => ({ id, state })

const cycleOf = Effect.fnUntraced(function*(client: Client, { id }: Pick<Subscription, "id">) {
  const { data: [cycle] } = yield* client.billing_cycles.list({ query: { per_page: 1, subscription_id: id } })
  return cycle ?? (yield* new CommandFailed({ message: `The subscription ${id} has no billing cycle.` }))
})

const charged = (sandbox: Sandbox) => Effect.map(subscribe(sandbox, "tok_visa"), standing)
const declined = (sandbox: Sandbox) => Effect.map(subscribe(sandbox, "tok_lost_card"), standing)

/** The cycle of a subscription that was paid, or whose merchant records four failures. */
const cycle = (ends: "paid" | "failed") =>
  Effect.fnUntraced(function*(sandbox: Sandbox) {
    const { client } = sandbox
    const found = yield* cycleOf(client, yield* subscribe(sandbox, ends === "paid" ? "tok_visa" : null))
    if (ends === "failed") {
      yield* Effect.forEach(Array.from({ length: found.max_retries }), () =>
        client.billing_cycles.record_charge_result({ params: { id: found.id }, payload: { success: false } }), { discard: true })
    }
    const { id, status: state } = yield* client.billing_cycles.get({ params: { id: found.id }, query: {} })
    return { id, state }
  })

const after = (change: (client: Client, subscription: Subscription) => Effect.Effect<Subscription, unknown>) =>
  Effect.fnUntraced(function*(sandbox: Sandbox) {
    return standing(yield* change(sandbox.client, yield* subscribe(sandbox, "tok_visa")))
  })

/** One that was not paid, and is with another card. */
const renewed = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { client } = sandbox
  const { id } = yield* subscribe(sandbox, "tok_lost_card")
  yield* client.subscriptions.update({ params: { id }, payload: { payment_method_id: "tok_visa" } })
  return standing(
    yield* client.subscriptions.get({ params: { id }, query: {} }).pipe(
      Effect.repeat({ schedule: LOOK, until: ({ status }) => status === "active" }),
      Effect.timeoutOrElse({
        duration: PATIENCE,
        orElse: () =>
          Effect.fail(
            new CommandFailed({
              message:
                `The subscription ${id} has another card and was not charged within ${PATIENCE}. See that the server runs and what it logs.`
            })
          )
      })
    )
  )
})

/** A trial of so few days is announced as soon as it has begun. */
const announced = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { client } = sandbox
  const subscription = yield* subscribe(sandbox, "tok_visa", 1)
  yield* client.events.list({ query: { type: "subscription.renewal_upcoming", per_page: 1 } }).pipe(
    Effect.repeat({ schedule: LOOK, until: ({ data: [event] }) => event !== undefined && JSON.stringify(event).includes(subscription.id) }),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.fail(
          new CommandFailed({
            message:
              `The end of the trial of ${subscription.id} was not announced within ${PATIENCE}. See that the server runs and what it logs.`
          })
        )
    })
  )
  return standing(yield* client.subscriptions.get({ params: { id: subscription.id }, query: {} }))
})

const pause = (client: Client, { id }: Subscription) => client.subscription_changes.pause({ params: { id } })

export const subscriptions = triggersOf(subscriptionEvents, {
  "subscription.created": charged,
  "subscription.updated": after((client, { id }) =>
    client.subscriptions.update({ params: { id }, payload: { metadata: { ...metadata, updated: "yes" } } })
  ),
  "subscription.canceled": after((client, { id }) =>
    client.subscription_changes.cancel({ params: { id }, payload: { reason: "merchant_action" } })
  ),
  "subscription.paused": after(pause),
  "subscription.resumed": after((client, subscription) =>
    Effect.flatMap(pause(client, subscription), ({ id }) => client.subscription_changes.resume({ params: { id }, payload: {} }))
  ),
  "subscription.renewed": renewed,
  "subscription.payment_failed": declined,
  "subscription.renewal_upcoming": announced
})

export const billingCycles = triggersOf(billingCycleEvents, {
  "billing_cycle.created": cycle("paid"),
  "billing_cycle.charged": cycle("paid"),
  "billing_cycle.failed": cycle("failed")
})
