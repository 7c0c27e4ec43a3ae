/** What changes subscriptions without a request, and what they have against refunds. */
import { Effect } from "effect"
import { CANCEL_SUBSCRIPTIONS } from "../../plans/model.ts"
import { SubscriptionChanges } from "../service/changes.ts"

/** The timer of an archived plan ends its subscriptions. */
export const changeJobs = Effect.map(SubscriptionChanges, ({ endAllOn }) => new Map([[CANCEL_SUBSCRIPTIONS, endAllOn]]))

/** Money that became credit is not refunded too. */
export const refundGuards = Effect.map(SubscriptionChanges, ({ mayRefund }) => [mayRefund])
