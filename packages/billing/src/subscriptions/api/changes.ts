/** The routes that change a subscription which runs. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { AmountTooLarge, CardDeclined, PaymentInFlight, ProviderUnavailable } from "@svc/payments/payment-intents/errors"
import { Context } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { PlanNotActive } from "../../plans/errors.ts"
import { SubscriptionJson } from "../model.ts"
import {
  AnchorChange,
  CancelSubscriptionRequest,
  ChangeAnchorRequest,
  ChangePlanRequest,
  PlanChangePreview,
  PreviewChangeRequest,
  ResumeSubscriptionRequest
} from "../model/changes.ts"

const changeErrors = [NotFound, InvalidState, VersionConflict] as const
const moneyed = [...changeErrors, PaymentInFlight] as const

const verb = Context.make(RequiredScope, "subscriptions:write").pipe(Context.add(ReadsIfMatch, true), Context.add(Does, "record"))

export class SubscriptionChangesGroup extends HttpApiGroup.make("subscription_changes").add(
  HttpApiEndpoint.post("cancel", "/subscriptions/:id/cancel", {
    ...byId,
    payload: CancelSubscriptionRequest,
    success: SubscriptionJson,
    error: moneyed
  })
    .annotateMerge(verb)
    .annotateMerge(described(
      "Cancel a subscription",
      "Now, or at the end of its period. Now: cycles that are not paid are voided with their invoices, " +
        "what waits to be charged is waived and named in `waived_lines`, and credit stays. " +
        "At the end: `cancel_at_end` is set, and what is owed then is charged in a last cycle. " +
        "While it is past due, charges stop unless `keep_collecting` is sent. Nothing is refunded."
    )),
  HttpApiEndpoint.post("uncancel", "/subscriptions/:id/uncancel", { ...byId, success: SubscriptionJson, error: moneyed })
    .annotateMerge(verb)
    .annotateMerge(
      described("Undo a cancellation", "The subscription goes on after its period. One that is canceled already cannot be brought back.")
    ),
  HttpApiEndpoint.post("pause", "/subscriptions/:id/pause", { ...byId, success: SubscriptionJson, error: moneyed })
    .annotateMerge(verb)
    .annotateMerge(described(
      "Pause a subscription",
      "Nothing is charged while it is paused, and what is left of the paid time, or of the trial, is kept. " +
        "A cycle that is not paid is voided, and its time is not given."
    )),
  HttpApiEndpoint.post("resume", "/subscriptions/:id/resume", {
    ...byId,
    payload: ResumeSubscriptionRequest,
    success: SubscriptionJson,
    error: moneyed
  })
    .annotateMerge(verb)
    .annotateMerge(described(
      "Resume a subscription",
      "The time that was left runs from now on: the next billing date, and each later one, is put off by as long as it was paused. " +
        "With `new_period` a period begins now and is charged. " +
        "One that is to end with its period resumes while time of it is left, and ends then; " +
        "otherwise, and with `new_period`, it is 409 `invalid_state`: uncancel it first."
    )),
  HttpApiEndpoint.post("preview_change", "/subscriptions/:id/preview_change", {
    ...byId,
    payload: PreviewChangeRequest,
    success: PlanChangePreview,
    error: [NotFound, InvalidState, PlanNotActive, PaymentInFlight]
  })
    .annotate(RequiredScope, "subscriptions:read").annotate(Does, "record")
    .annotateMerge(described(
      "Preview a change of plan",
      "The lines that it makes and what is charged now. Nothing is changed. Its `proration_at` fixes these amounts for an hour."
    )),
  HttpApiEndpoint.post("change_plan", "/subscriptions/:id/change_plan", {
    ...byId,
    payload: ChangePlanRequest,
    success: SubscriptionJson,
    error: [
      ...moneyed,
      IdempotencyKeyReused,
      IdempotencyInProgress,
      PlanNotActive,
      CardDeclined,
      AmountTooLarge,
      AccountSuspended,
      ProviderUnavailable
    ]
  }).annotateMerge(verb).annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Change the plan",
      "`next_cycle`: the difference waits for the next cycle. `now`: it is charged at once; " +
        "a declined charge answers 402 and changes nothing, one that takes longer leaves a `pending_change`. " +
        "`at_period_end`: the plan changes then. `none`: nothing is prorated. " +
        "A plan with another billing period is always charged now and begins a period. " +
        "A change to the present plan drops a pending change."
    )),
  HttpApiEndpoint.post("change_anchor", "/subscriptions/:id/change_anchor", {
    ...byId,
    payload: ChangeAnchorRequest,
    success: AnchorChange,
    error: moneyed
  })
    .annotateMerge(verb)
    .annotateMerge(described(
      "Move the billing date",
      "The present period ends at the anchor, and every later one is counted from it; sent the date that the period ends at already, " +
        "nothing changes. " +
        "The time that this adds or takes is charged or given back with the next cycle. With `preview` nothing is changed."
    ))
).pipe(
  forMerchants({
    title: "Changes of subscriptions",
    description: "What changes a subscription that runs: its end, its plan, its billing date."
  })
) {}
