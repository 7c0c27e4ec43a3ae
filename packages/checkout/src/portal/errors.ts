/** The refusals of requests in the portal. */
import { Forbidden } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

/** The session was revoked or has expired. */
export class SessionOver extends Schema.TaggedError<SessionOver>()("SessionOver", { message: Schema.String }) {}

/** The provider's token is no usable card. */
export class UnusableCard extends Schema.TaggedError<UnusableCard>()("UnusableCard", { message: Schema.String }) {}

export const sessionOver = () =>
  new SessionOver({
    message: "The customer portal session is over. The merchant makes another one with POST /v1/customer_portal/sessions."
  })

export const notAllowed = (what: string) =>
  new Forbidden({
    message: `The account's portal_settings do not allow customers to ${what}. The merchant changes them with PATCH /v1/account.`
  })
