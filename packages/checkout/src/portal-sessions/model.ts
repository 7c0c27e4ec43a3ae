/** The portal session: for one hour, one customer may look after subscriptions, invoices and cards on pages of their own. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ProrationBehavior } from "@svc/billing/subscriptions/model"
import { keyOrElse } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { ReturnUrl } from "../addresses/return-url.ts"
import { SealedSecret, storedWithoutSecret, withBareAddress } from "../addresses/sealed-url.ts"

export const PortalSessionId = idSchema("cps", "PortalSessionId")
export type PortalSessionId = typeof PortalSessionId.Type

export const portalSessionStatuses = ["active", "expired", "revoked"] as const
export const PortalSessionStatus = Schema.Literals(portalSessionStatuses).annotate({ identifier: "PortalSessionStatus" })
export type PortalSessionStatus = typeof PortalSessionStatus.Type

/** How long a session lasts. */
export const SESSION_MINUTES = 60

/** The timer of a session: its end. */
export const EXPIRES = "portal_session.expires"

/** The origin of changes of plan that a customer makes in the portal. */
export const PORTAL_ORIGIN = "portal_session"

/** A change of plan that a customer made in the portal. */
export const PortalPlanChange = Schema.Struct({
  subscription_id: Schema.String,
  from_plan_id: Schema.String,
  to_plan_id: Schema.String,
  proration_behavior: ProrationBehavior,
  /** When the customer confirmed the change. With `at_period_end` the plan itself changes later. */
  requested_at: Timestamp
}).annotate({ identifier: "PortalPlanChange" })
export type PortalPlanChange = typeof PortalPlanChange.Type

const PortalReturnUrl = ReturnUrl.annotate({ examples: ["https://example.com/account"] })

const LocaleTag = Schema.String.check(
  Schema.isPattern(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/u, { message: "must be a language such as de or pt-BR" })
).annotate({ examples: ["de"] })

/** The row. The API shows the address besides. Events do not, because they are stored and read for longer than an hour. */
export const PortalSession = resource({
  id: PortalSessionId,
  account_id: AccountId,
  customer_id: CustomerReference,
  status: PortalSessionStatus,
  /** The address of the pages. It ends in a secret, which permits to act for the customer; the row holds the address up to there. */
  url: Model.Sensitive(Schema.String),
  /** The secret itself, sealed. */
  secret: Model.Sensitive(SealedSecret),
  /** Where the customer goes from the portal; null for nowhere. */
  return_url: Schema.NullOr(Schema.String),
  /** The language of the pages; null for that of the customer's browser. */
  locale: Schema.NullOr(Schema.String),
  /** The latest change of plan that was made in this session. */
  last_plan_change: Schema.NullOr(PortalPlanChange),
  expires_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type PortalSession = typeof PortalSession.Type

const example = {
  id: exampleId("cps"),
  account_id: exampleId("acct"),
  customer_id: "customer-1",
  status: "active",
  return_url: "https://example.com/account",
  locale: "de",
  last_plan_change: null,
  expires_at: "2026-01-01T13:00:00.000Z",
  revoked_at: null,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 1
} as const

/** The session as webhooks show it: without its address. */
export const PortalSessionFacts = PortalSession.json.annotate({
  identifier: "PortalSessionFacts",
  description: "A customer portal session without its address, which only the API shows. " +
    "`last_plan_change` is what `customer_portal.plan_changed` tells of."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** The session as the API shows it. */
export const PortalSessionJson = Schema.Struct({
  ...PortalSession.json.fields,
  url: Schema.String.annotate({ description: "Send the customer there. Whoever has it acts for the customer until the session ends" })
}).annotate({
  identifier: "PortalSession",
  description:
    "For one hour, the customer may look after subscriptions, invoices and cards at `url`, as far as the account's `portal_settings` allow."
}).pipe(
  Schema.annotateEncoded({
    examples: [{ ...example, url: `https://pay.example.com/portal/${exampleId("cps")}/Zm9yIHRoaXMgc2Vzc2lvbiBhbG9uZQ` }]
  })
)

/** The events of a session. */
export const portalSessionEvents = eventsOf(
  "customer_portal",
  ["session.created", "session.expired", "session.revoked", "plan_changed"],
  PortalSessionFacts
)
export type PortalSessionEvent = "session.created" | "session.expired" | "session.revoked" | "plan_changed"

const table = tableOf(PortalSession, {
  name: "portal_sessions",
  account: "account_id",
  fixed: ["customer_id", "url", "secret", "return_url", "locale", "expires_at"]
})

/** Rows, events and stored answers hold the address without its secret. */
export const portalSessions = storedWithoutSecret(table)

/** The session with its address as nobody can open it. */
export const withoutSecret = <R extends Pick<PortalSession, "url">>(session: R): R => withBareAddress(session)

const encodeJson = Schema.encodeSync(PortalSessionJson)
/** The text of the API with the address as it is stored. */
export const wireOf = (session: PortalSession): string => JSON.stringify(encodeJson(withBareAddress(session)))

// ---------------------------------------------------------------------------------- requests

export const CreatePortalSessionRequest = Schema.Struct({
  customer_id: CustomerReference,
  return_url: Schema.optionalKey(Schema.NullOr(PortalReturnUrl)).annotate({ description: "Where the customer goes from the portal" }),
  locale: Schema.optionalKey(Schema.NullOr(LocaleTag)).annotate({
    description: "The language of the pages; null for that of the customer's browser"
  }),
  ...keyOrElse("each request makes another session")
}).annotate({
  identifier: "CreatePortalSessionRequest",
  examples: [{
    customer_id: "customer-1",
    return_url: "https://example.com/account",
    idempotency_key: "0d6a4f9e-8f0e-4f39-93a7-64d5b3c7f1aa"
  }]
})
export type CreatePortalSessionRequest = typeof CreatePortalSessionRequest.Type

export const portalSessionFilters = {
  status: Schema.optionalKey(PortalSessionStatus),
  customer_id: Schema.optionalKey(CustomerReference)
}
export type PortalSessionFilter = Schema.Struct.Type<typeof portalSessionFilters>
