/** The portal session: for one hour, one customer may look after subscriptions, invoices and cards on pages of their own. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ProrationBehavior } from "@svc/billing/subscriptions/model"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { eventsOf } from "@svc/kernel/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { IdempotencyKey } from "@svc/kernel/idempotency"
import { idSchema } from "@svc/kernel/ids"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { SealedSecret } from "../addresses.ts"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const PortalSessionId = idSchema("cps", "PortalSessionId")
export type PortalSessionId = typeof PortalSessionId.Type

export const portalSessionStatuses = ["active", "expired", "revoked"] as const
export const PortalSessionStatus = Schema.Literals(portalSessionStatuses).annotate({ identifier: "PortalSessionStatus" })
export type PortalSessionStatus = typeof PortalSessionStatus.Type

/** How long a session lasts. */
export const SESSION_MINUTES = 60

/** The timer of a session: its end. */
export const EXPIRES = "portal_session.expires"

/** What changes of plan that a customer makes in the portal name as their origin. */
export const PORTAL_ORIGIN = "portal_session"

/** What a customer did to a subscription in the portal. */
export const PortalPlanChange = Schema.Struct({
  subscription_id: Schema.String,
  from_plan_id: Schema.String,
  to_plan_id: Schema.String,
  proration_behavior: ProrationBehavior,
  /** When it was asked for. With `at_period_end` the plan itself changes later. */
  requested_at: Timestamp
}).annotate({ identifier: "PortalPlanChange" })
export type PortalPlanChange = typeof PortalPlanChange.Type

const isWebAddress = (text: string): boolean => URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol)

const ReturnUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,2040}$/u, { message: "must be an address that begins with https:// or http://" }),
  Schema.makeFilter(isWebAddress, { message: "must be an address that begins with https:// or http://", toJsonSchema: () => ({}) })
).annotate({ examples: ["https://example.com/account"] })

const LocaleTag = Schema.String.check(
  Schema.isPattern(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/u, { message: "must be a language such as de or pt-BR" })
).annotate({ examples: ["de"] })

/** A row. The wire of the API shows the address besides; that of events does not, since they are kept and read for longer than an hour. */
export class PortalSession extends Model.Class<PortalSession>("PortalSession")({
  id: PortalSessionId,
  account_id: AccountId,
  customer_id: CustomerReference,
  status: PortalSessionStatus,
  /** It ends in a secret: who knows it acts for the customer. The row holds it up to there. */
  url: Model.Sensitive(Schema.String),
  /** The secret itself, sealed. */
  secret: Model.Sensitive(SealedSecret),
  /** Where the customer goes from the portal; null for nowhere. */
  return_url: Schema.NullOr(Schema.String),
  /** The language of the pages; null for that of the customer's browser. */
  locale: Schema.NullOr(Schema.String),
  /** The latest that was made here. */
  last_plan_change: Schema.NullOr(PortalPlanChange),
  expires_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

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

/** What webhooks show: the session without its address. */
export const PortalSessionFacts = PortalSession.json.annotate({
  identifier: "PortalSessionFacts",
  description: "A customer portal session without its address, which only the API shows. `last_plan_change` is what `customer_portal.plan_changed` tells of."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** What the API shows. */
export const PortalSessionJson = Schema.Struct({
  ...PortalSession.json.fields,
  url: Schema.String.annotate({ description: "Send the customer there. Whoever has it acts for the customer until the session ends" })
}).annotate({
  identifier: "PortalSession",
  description: "For one hour, the customer may look after subscriptions, invoices and cards at `url`, as far as the account's `portal_settings` allow."
}).pipe(Schema.annotateEncoded({ examples: [{ ...example, url: `https://pay.example.com/portal/${exampleId("cps")}/Zm9yIHRoaXMgc2Vzc2lvbiBhbG9uZQ` }] }))

/** What webhooks tell of a session. */
export const portalSessionEvents = eventsOf("customer_portal", ["session.created", "session.expired", "session.revoked", "plan_changed"], PortalSessionFacts)
export type PortalSessionEvent = "session.created" | "session.expired" | "session.revoked" | "plan_changed"

export const portalSessions: Table = {
  name: "portal_sessions",
  account: "account_id",
  columns: columnsOf(PortalSession),
  changes: ["status", "last_plan_change", "revoked_at", "updated_at", "version"]
}

export const decodeRow = Schema.decodeUnknownSync(PortalSession)
/** The row, and the text of events. */
export const encode = encoderOf(PortalSession)

export const shownOf = (session: PortalSession): typeof PortalSessionJson.Type => session

const encodeJson = Schema.encodeSync(PortalSessionJson)
/** The text of the API. */
export const wireOf = (session: PortalSession): string => JSON.stringify(encodeJson(shownOf(session)))

// ---------------------------------------------------------------------------------- requests

export const CreatePortalSessionRequest = Schema.Struct({
  customer_id: CustomerReference,
  return_url: Schema.optionalKey(Schema.NullOr(ReturnUrl)).annotate({ description: "Where the customer goes from the portal" }),
  locale: Schema.optionalKey(Schema.NullOr(LocaleTag)).annotate({ description: "The language of the pages; null for that of the customer's browser" }),
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({
    description: "A fresh random value for this operation, re-sent only to retry this very operation. It may stand in the `Idempotency-Key` header; without one each request makes another session."
  }))
}).annotate({
  identifier: "CreatePortalSessionRequest",
  examples: [{ customer_id: "customer-1", return_url: "https://example.com/account", idempotency_key: "0d6a4f9e-8f0e-4f39-93a7-64d5b3c7f1aa" }]
})
export type CreatePortalSessionRequest = typeof CreatePortalSessionRequest.Type

/** What a list may be narrowed to; the names are those of the query. */
export interface PortalSessionFilter {
  readonly status?: PortalSessionStatus
  readonly customer_id?: string
}
