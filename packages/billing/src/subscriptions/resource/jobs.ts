/** The timers of subscriptions, and when subscriptions refuse a refund. */
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

/** A refund is refused where its money became credit of the subscription. */
export const refundGuards = Effect.map(SubscriptionChanges, ({ refuseRefundOfCredit }) => [refuseRefundOfCredit])
