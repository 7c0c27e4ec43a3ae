/**
 * What a merchant does with one subscription: it begins and renews by the timers of the servers, a card that fails is replaced, the plan
 * changes with a charge at once, the billing date moves, money goes back, it ends.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { Chance } from "../simulation/chance.ts"
import type { Actor, World } from "./journey.ts"
import { send } from "./journey.ts"
import { change, read } from "./requests.ts"

const tokens = ["tok_visa", "tok_visa", "tok_visa", "tok_mastercard", "tok_insufficient_funds", "tok_generic_decline", "tok_lost_card"]
const charged = ["tok_visa", "tok_visa", "tok_mastercard", "tok_generic_decline"]
const behaviors = ["now", "now", "now", "next_cycle"]

/** When a period ends that is to end while this runs. */
const SOON_MILLIS = [1_500, 4_000] as const
/** A period that ends later than this ends after all of this. */
const FAR_MILLIS = Duration.toMillis(Duration.hours(1))
/** Less than a second each: longer than a try that was interrupted waits to be taken up. */
const TRIES = 200

const Subscription = fromJsonText(Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  next_billing_date: Schema.String,
  latest_billing_cycle_id: Schema.NullOr(Schema.String),
  pending_change: Schema.NullOr(Schema.Unknown)
}))
const Cycle = fromJsonText(Schema.Struct({ status: Schema.String, payment_intent_id: Schema.NullOr(Schema.String) }))

const readSubscription = (text: string) => Effect.orDie(Schema.decodeEffect(Subscription)(text))
const readCycle = (text: string) => Effect.orDie(Schema.decodeEffect(Cycle)(text))

const nap = (chance: Chance) => Effect.sleep(chance.between(400, 900))

/** The text of a resource. Undefined when no server answered. */
const look = Effect.fnUntraced(
  function*({ merchant, world }: Actor, path: string): Effect.fn.Return<string | undefined, never, HttpClient.HttpClient> {
    const base = world.base()
    const answer = base === undefined ? undefined : yield* read(base, merchant, path)
    return answer?.status === 200 ? answer.text : undefined
  }
)

/** Sends what has no key until it is decided. */
const insist = Effect.fnUntraced(function*({ chance, merchant, world }: Actor, method: "PATCH" | "POST", path: string, body: object) {
  for (let tries = 0; tries < TRIES; tries++) {
    const base = world.base()
    const answer = base === undefined ? undefined : yield* change(base, merchant, method, path, body)
    if (answer !== undefined) return
    yield* nap(chance)
  }
})

interface Settled {
  readonly status: string
  /** The payment of its last cycle; null where there was nothing to pay. */
  readonly intent: string | null
}

/**
 * Waits until its period is one that does not end soon and its last cycle is decided: charged, or past due, when it waits for another day
 * or card.
 */
const settled = Effect.fnUntraced(function*(actor: Actor, id: string): Effect.fn.Return<Settled | undefined, never, HttpClient.HttpClient> {
  for (let tries = 0; tries < TRIES; tries++) {
    const text = yield* look(actor, `/v1/subscriptions/${id}`)
    const subscription = text === undefined ? undefined : yield* readSubscription(text)
    if (subscription?.latest_billing_cycle_id != null) {
      const { latest_billing_cycle_id, next_billing_date, pending_change, status } = subscription
      const cycleText = yield* look(actor, `/v1/billing_cycles/${latest_billing_cycle_id}`)
      const cycle = cycleText === undefined ? undefined : yield* readCycle(cycleText)
      const isFar = status === "past_due" || Date.parse(next_billing_date) - (yield* Clock.currentTimeMillis) > FAR_MILLIS
      const isDecided = cycle !== undefined && (cycle.status !== "pending" || status === "past_due")
      if (status === "canceled" || (isFar && isDecided && pending_change === null)) {
        return { status, intent: cycle?.payment_intent_id ?? null }
      }
    }
    yield* nap(actor.chance)
  }
  return undefined
})

const soon = (chance: Chance): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (millis) => DateTime.formatIso(DateTime.makeUnsafe(millis + chance.between(...SOON_MILLIS))))

/** Settled, and with a card that is charged: one that failed is replaced, and what is open is tried with the new one. */
const active = Effect.fnUntraced(function*(actor: Actor, id: string): Effect.fn.Return<Settled | undefined, never, HttpClient.HttpClient> {
  const now = yield* settled(actor, id)
  if (now?.status !== "past_due") return now
  yield* insist(actor, "PATCH", `/v1/subscriptions/${id}`, { payment_method_id: "tok_visa" })
  for (let tries = 0; tries < TRIES; tries++) {
    const next = yield* settled(actor, id)
    if (next?.status !== "past_due") return next
    yield* nap(actor.chance)
  }
  return undefined
})

/** One thing after the other, each when what was before is decided. */
export const subscribing = Effect.fnUntraced(
  function*(world: World, chance: Chance, name: string): Effect.fn.Return<void, never, HttpClient.HttpClient> {
    const actor: Actor = { world, chance, merchant: chance.pick(world.merchants), name }
    const plans = world.plans.get(actor.merchant.id) ?? []
    const plan_id = chance.pick(plans)
    const made = yield* send(actor, {
      path: "/v1/subscriptions",
      verb: "subscribe",
      tellsPresent: true,
      body: {
        plan_id,
        customer_id: `customer-${chance.between(1, 50)}`,
        payment_method_id: chance.pick(tokens),
        trial_period_days: 0,
        // A period that is over at once costs next to nothing, and the one after it is charged in full.
        ...(chance.happens(0.7) ? { billing_cycle_anchor: yield* soon(chance) } : {})
      }
    })
    if (made === undefined) return
    const { id } = yield* readSubscription(made.text)
    const on = (verb: string) => `/v1/subscriptions/${id}/${verb}`
    let now = yield* active(actor, id)
    // Before credit is given out of the money, which could then not be given back as well.
    if (now?.intent != null && chance.happens(0.3)) {
      yield* send(actor, { path: `/v1/payment_intents/${now.intent}/refund`, verb: "refund", body: { amount: 50 } })
    }
    if (now?.status === "active" && chance.happens(0.8)) {
      yield* send(actor, {
        path: on("change_plan"),
        verb: "change",
        body: {
          plan_id: chance.pick(plans.filter((other) => other !== plan_id)),
          proration_behavior: chance.pick(behaviors),
          payment_method_id: chance.pick(charged)
        }
      })
      now = yield* active(actor, id)
    }
    if (now?.status === "active" && chance.happens(0.3)) {
      yield* insist(actor, "POST", on("change_anchor"), { anchor: yield* soon(chance) })
      now = yield* active(actor, id)
    }
    if (chance.happens(0.2)) yield* insist(actor, "POST", on("cancel"), { reason: "customer_request", at_period_end: chance.happens(0.5) })
  }
)
