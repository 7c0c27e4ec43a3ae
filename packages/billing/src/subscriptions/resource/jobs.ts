/** What of subscriptions happens without a request, and what they have against refunds. */
import { Effect } from "effect"
import { CANCEL_SUBSCRIPTIONS } from "../../plans/model.ts"
import { RENEW, UPCOMING } from "../model.ts"
import { SubscriptionChanges } from "../service/changes.ts"
import { Subscriptions } from "../service/subscriptions.ts"

/** The timers of subscriptions, by kind. That of an archived plan ends its subscriptions. */
export const subscriptionJobs = Effect.gen(function*() {
  const { announce, renew } = yield* Subscriptions
  const { endAllOn } = yield* SubscriptionChanges
  return new Map([[RENEW, renew], [UPCOMING, announce], [CANCEL_SUBSCRIPTIONS, endAllOn]])
})

/** Money that became credit is not refunded too. */
export const refundGuards = Effect.map(SubscriptionChanges, ({ mayRefund }) => [mayRefund])
