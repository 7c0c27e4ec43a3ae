/** What of subscriptions happens without a request. */
import { Effect } from "effect"
import { RENEW, UPCOMING } from "./model.ts"
import { Subscriptions } from "./service/subscriptions.ts"

/** The timers of subscriptions, by kind. */
export const subscriptionJobs = Effect.map(Subscriptions, ({ announce, renew }) => new Map([[RENEW, renew], [UPCOMING, announce]]))
