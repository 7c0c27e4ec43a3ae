/** Why a request in the portal is refused. */
import { Forbidden } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

/** The session was revoked, or its hour is over. */
export class SessionOver extends Schema.TaggedError<SessionOver>()("SessionOver", { message: Schema.String }) {}

/** The card that was sent cannot be used. */
export class UnusableCard extends Schema.TaggedError<UnusableCard>()("UnusableCard", { message: Schema.String }) {}

export const sessionOver = () =>
  new SessionOver({
    message: "The customer portal session is over. The merchant makes another one with POST /v1/customer_portal/sessions."
  })

export const notAllowed = (what: string) =>
  new Forbidden({
    message: `The account's portal_settings do not allow customers to ${what}. The merchant changes them with PATCH /v1/account.`
  })
