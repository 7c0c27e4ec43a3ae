/** The plan: what is sold again and again, at which price and how often. */
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOrElse } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { type ById, kind } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount } from "@svc/kernel/values/money"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Context, Schema } from "effect"
import { Model } from "effect/schema"
import { readVersion } from "../common/versions.ts"
import { BillingPeriod } from "../engine/calendar/period.ts"

export const PlanId = idSchema("plan", "PlanId")
export type PlanId = typeof PlanId.Type

export const planStatuses = ["draft", "active", "archived"] as const
export const PlanStatus = Schema.Literals(planStatuses).annotate({ identifier: "PlanStatus" })
export type PlanStatus = typeof PlanStatus.Type

export { BillingPeriod }

/** What becomes of the subscriptions of a plan that is archived. */
export const ArchiveOption = Schema.Literals(["none", "at_period_end", "now"]).annotate({
  identifier: "ArchiveOption",
  description: "What becomes of the plan's subscriptions: they go on, end with their period, or end now"
})
export type ArchiveOption = typeof ArchiveOption.Type

/** The timer of a plan that was archived with its subscriptions: due at once. What it does is the business of subscriptions. */
export const CANCEL_SUBSCRIPTIONS = "plan.cancel_subscriptions"

/** Days after its due date on which a cycle that could not be charged is given up, where the plan does not say. */
export const GRACE_PERIOD_DAYS = 3

const days = (most: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most })).annotate({ description })

const PlanName = oneLine(200)
const Description = Schema.NullOr(oneLine(1000))
export const ExternalId = oneLine(255).annotate({ description: "The merchant's own identifier of the plan" })
const GracePeriodDays = days(366, "Days after the due date on which a cycle that could not be charged is given up")
const TrialPeriodDays = days(1_100, "Days before the first charge; 0 means no trial")

/** Row and wire in one declaration. */
export const Plan = resource({
  id: PlanId,
  account_id: AccountId,
  name: PlanName,
  /** Minor units, for one period. */
  amount: Amount,
  currency: Currency,
  billing_period: BillingPeriod,
  status: PlanStatus,
  /** Whether changes within a period are prorated. */
  allow_proration: Schema.Boolean,
  description: Description,
  external_id: Schema.NullOr(ExternalId),
  grace_period_days: GracePeriodDays,
  trial_period_days: TrialPeriodDays,
  /** How it was archived; null for one that is not. */
  archive_option: Model.Sensitive(Schema.NullOr(ArchiveOption)),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Plan = typeof Plan.Type

export const PlanJson = Plan.json.annotate({
  identifier: "Plan",
  description: "What is sold again and again. `amount` is minor units of `currency` for one `billing_period`; " +
    "the three never change once the plan is active."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("plan"),
    account_id: exampleId("acct"),
    name: "Professional",
    amount: 2_000,
    currency: "USD",
    billing_period: "monthly",
    status: "active",
    allow_proration: true,
    description: "All features, for up to ten people",
    external_id: "professional-monthly",
    grace_period_days: GRACE_PERIOD_DAYS,
    trial_period_days: 0,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2
  }]
}))

/** Finds the plans that other resources refer to. */
export class PlansById extends Context.Service<PlansById, ById<typeof PlanJson.Type>>()("@svc/billing/PlansById") {}

/** A plan, for what refers to one. */
export const planKind = kind({ schema: PlanJson, scope: "plans:read", byId: PlansById })

export const plans = tableOf(Plan, {
  name: "plans",
  account: "account_id",
  audited: true
})

// ---------------------------------------------------------------------------------- requests

export const CreatePlanRequest = Schema.Struct({
  name: PlanName,
  amount: Amount,
  currency: Currency,
  billing_period: BillingPeriod,
  description: Schema.optionalKey(Description),
  external_id: Schema.optionalKey(Schema.NullOr(ExternalId)),
  grace_period_days: Schema.optionalKey(GracePeriodDays),
  trial_period_days: Schema.optionalKey(TrialPeriodDays),
  allow_proration: Schema.optionalKey(Schema.Boolean),
  ...keyOrElse("each request makes another plan")
}).annotate({
  identifier: "CreatePlanRequest",
  examples: [{
    name: "Professional",
    amount: 2_000,
    currency: "USD",
    billing_period: "monthly",
    idempotency_key: "6f1f6c0e-7a0b-4b0f-9d65-0d5b8a0c3e21"
  }]
})
export type CreatePlanRequest = typeof CreatePlanRequest.Type

export const UpdatePlanRequest = Schema.Struct({
  name: Schema.optionalKey(PlanName),
  description: Schema.optionalKey(Description),
  external_id: Schema.optionalKey(Schema.NullOr(ExternalId)),
  grace_period_days: Schema.optionalKey(GracePeriodDays),
  trial_period_days: Schema.optionalKey(TrialPeriodDays),
  allow_proration: Schema.optionalKey(Schema.Boolean),
  /** The price, its currency and its period: of a draft only. */
  amount: Schema.optionalKey(Amount),
  currency: Schema.optionalKey(Currency),
  billing_period: Schema.optionalKey(BillingPeriod),
  ...readVersion
}).annotate({ identifier: "UpdatePlanRequest", examples: [{ name: "Professional 2026", trial_period_days: 14 }] })
export type UpdatePlanRequest = typeof UpdatePlanRequest.Type

/** What an update may change. */
export type PlanPatch = Omit<UpdatePlanRequest, "version">

export const ArchivePlanRequest = Schema.Struct({
  cancel_subscriptions: Schema.optionalKey(ArchiveOption),
  ...readVersion
}).annotate({ identifier: "ArchivePlanRequest", examples: [{ cancel_subscriptions: "at_period_end" }] })
export type ArchivePlanRequest = typeof ArchivePlanRequest.Type

/** What a list may be narrowed to. */
export const planFilters = {
  status: Schema.optionalKey(PlanStatus),
  currency: Schema.optionalKey(Currency),
  billing_period: Schema.optionalKey(BillingPeriod),
  external_id: Schema.optionalKey(ExternalId)
}
export type PlanFilter = Schema.Struct.Type<typeof planFilters>
