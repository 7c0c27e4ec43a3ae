/** The routes of billing cycles. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { PaymentDoesNotPayCycle } from "./errors.ts"
import { billingCycleMachine } from "./machine.ts"
import {
  billingCycleEvents,
  billingCycleFilters,
  BillingCycleJson,
  CycleAttempts,
  cycleExpansion,
  RecordChargeResultRequest
} from "./model.ts"

export class BillingCyclesGroup extends HttpApiGroup.make("billing_cycles").add(
  HttpApiEndpoint.get("list", "/billing_cycles", {
    query: {
      ...pageQueryOf("billcycle"),
      ...cycleExpansion.query,
      ...billingCycleFilters
    },
    success: PaginatedList(BillingCycleJson, "BillingCycleList")
  }).annotate(RequiredScope, "billing_cycles:read")
    .annotateMerge(described("List billing cycles", "Newest first, of one subscription, plan or status, or all.")),
  HttpApiEndpoint.get("get", "/billing_cycles/:id", { ...byId, query: cycleExpansion.query, success: BillingCycleJson, error: NotFound })
    .annotate(RequiredScope, "billing_cycles:read")
    .annotateMerge(described("Retrieve a billing cycle", "What one period costs, whether it is paid, and when it is charged next.")),
  HttpApiEndpoint.get("attempts", "/billing_cycles/:id/attempts", { ...byId, success: CycleAttempts, error: NotFound })
    .annotate(RequiredScope, "billing_cycles:read")
    .annotateMerge(described(
      "List the attempts of a billing cycle",
      "Each try to charge it and each decision not to, oldest first, with the reason and what followed."
    )),
  HttpApiEndpoint.post("record_charge_result", "/billing_cycles/:id/record_charge_result", {
    ...byId,
    payload: RecordChargeResultRequest,
    success: BillingCycleJson,
    error: [NotFound, InvalidState, PaymentDoesNotPayCycle, PaymentInFlight, VersionConflict]
  }).annotate(RequiredScope, "billing_cycles:write").annotate(Does, "manage")
    .annotateMerge(described(
      "Record a charge result",
      "For merchants who take the money elsewhere. A success charges the cycle and pays its invoice; " +
        "a failure is one of its tries, and the one that reaches `max_retries` fails the cycle for good. " +
        "Money that was taken elsewhere is named by `external_reference`. " +
        "A payment of this account (`payment_intent_id`) pays what was captured of it and not refunded, once; " +
        "one that has no money for the cycle is 409 `payment_does_not_pay_cycle`. " +
        "A cycle that has failed for good is still recorded as paid, for example by a late bank transfer: " +
        "its invoice is paid after all, and a subscription that the failure paused goes on. " +
        "The same result with the same payment or reference on a cycle that is decided changes nothing; " +
        "another one is 409 `invalid_state`. A payment of the cycle that waits for a step of its customer is cancelled. " +
        "While a charge is on its way to the provider, or a rail decides on it, it is 409 `payment_in_flight`; " +
        "`details.ends_at` says until when, at the latest."
    ))
).pipe(forMerchants({ title: "Billing cycles", description: "What each period of a subscription costs, and how it was charged." }))
  .annotate(Machine, billingCycleMachine).annotate(Emits, billingCycleEvents)
{}
