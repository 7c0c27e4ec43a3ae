/** The reads and the verbs of the customer portal, as one service. */
import { Context, Effect, Layer } from "effect"
import { makeActing, makePlanChanging } from "./changing.ts"
import { makeDetails } from "./details.ts"
import { makeInvoices } from "./invoices.ts"
import { makeMethods } from "./methods.ts"
import { makeProfile } from "./profile.ts"

const make = Effect.gen(function*() {
  const { ownSubscriptions, subscription } = yield* makeDetails
  return {
    subscriptions: ownSubscriptions,
    subscription,
    ...(yield* makeActing),
    ...(yield* makePlanChanging),
    ...(yield* makeInvoices),
    ...(yield* makeMethods),
    ...(yield* makeProfile)
  }
})

export class Portal extends Context.Service<Portal, Effect.Success<typeof make>>()("@svc/checkout/Portal") {
  static readonly layer = Layer.effect(Portal, make)
}
