/** Why something asked for in the portal is not done. */
import { Forbidden } from "@svc/kernel/errors"
import { Schema } from "effect"

/** The session was revoked, or its hour is over. */
export class SessionOver extends Schema.TaggedError<SessionOver>()("SessionOver", { message: Schema.String }) {}

/** What was posted is not what can be used, such as no card. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", { message: Schema.String }) {}

export const sessionOver = () => new SessionOver({ message: "The customer portal session is over. The merchant makes another one with POST /v1/customer_portal/sessions." })

export const notAllowed = (what: string) =>
  new Forbidden({ message: `The account's portal_settings do not allow customers to ${what}. The merchant changes them with PATCH /v1/account.` })
