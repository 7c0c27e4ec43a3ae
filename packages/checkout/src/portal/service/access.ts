/** The access checks of the portal. Every verb runs these checks, whether or not a page offers the verb. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { PortalAction } from "@svc/accounts/accounts/settings"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { notFound } from "@svc/kernel/resource/errors"
import { now } from "@svc/kernel/values/time"
import { Effect } from "effect"
import type { PortalSession } from "../../portal-sessions/model.ts"
import { isOpen } from "../../portal-sessions/rules.ts"
import { notAllowed, sessionOver } from "../errors.ts"
import * as rules from "../rules.ts"

/** The customer's session, and the account whose settings allow verbs. */
export interface PortalCaller {
  readonly session: PortalSession
  readonly account: AccountFacts
}

/** Fails unless the session is open. */
export const checkOpen = Effect.fnUntraced(function*({ session }: PortalCaller) {
  if (!isOpen(session, yield* now)) return yield* sessionOver()
})

/** Fails unless the session is open and the account allows the action. */
export const checkAllowed = Effect.fnUntraced(function*(caller: PortalCaller, action: PortalAction) {
  yield* checkOpen(caller)
  if (!rules.isAllowed(caller.account.settings.portal_settings, action)) return yield* notAllowed(action.replaceAll("_", " "))
})

export const makeOwn = Effect.map(
  Subscriptions,
  (subscriptions) =>
    /** The customer's own subscription. The answer for another customer's subscription is that no such subscription exists. */
    Effect.fnUntraced(function*({ account, session }: PortalCaller, id: string) {
      const subscription = yield* subscriptions.get(account.id, id)
      return subscription.customer_id === session.customer_id ? subscription : yield* notFound("subscription")
    })
)
