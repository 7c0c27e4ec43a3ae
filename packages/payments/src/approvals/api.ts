/** The routes of approvals. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { Context } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { CardDeclined, PaymentInFlight, ProviderUnavailable } from "../payment-intents/errors.ts"
import { PaymentIntentJson } from "../payment-intents/model.ts"
import { ReviewRequest } from "../payment-intents/model/requests.ts"
import { QuoteExpired } from "../quotes/errors.ts"
import { RatesUnavailable } from "../rates/errors.ts"
import { approvalMachine } from "./machine.ts"
import { approvalExpansion, approvalFilters, ApprovalJson } from "./model.ts"

const verb = Context.make(RequiredScope, "approvals:write").pipe(Context.add(ReadsIdempotencyKey, true))
const errors = [
  IdempotencyKeyReused,
  IdempotencyInProgress,
  VersionConflict,
  NotFound,
  InvalidState,
  PaymentInFlight,
  ProviderUnavailable
] as const

const review = (idempotency_key: string) => ReviewRequest.annotate({ examples: [{ idempotency_key }] })

export class ApprovalsGroup extends HttpApiGroup.make("approvals").add(
  HttpApiEndpoint.get("list", "/approvals", {
    query: { ...pageQueryOf("apr"), ...approvalExpansion.query, ...approvalFilters },
    success: PaginatedList(ApprovalJson, "ApprovalList")
  }).annotate(RequiredScope, "approvals:read")
    .annotateMerge(
      described("List approvals", "Newest first, of one status or payment, or of all. `status=pending` is what waits for you.")
    ),
  HttpApiEndpoint.get("get", "/approvals/:id", { ...byId, query: approvalExpansion.query, success: ApprovalJson, error: NotFound })
    .annotate(RequiredScope, "approvals:read")
    .annotateMerge(described("Retrieve an approval", "Who wants to pay how much, until when it waits, and what was decided.")),
  HttpApiEndpoint.post("approve", "/approvals/:id/approve", {
    ...byId,
    payload: review("5d7a52c1-63a8-49f7-93b9-0f2b0b7f1d52"),
    success: PaymentIntentJson,
    error: [...errors, QuoteExpired, RatesUnavailable, CardDeclined, AccountSuspended]
  }).annotateMerge(verb).annotate(Does, "charge")
    .annotateMerge(described(
      "Approve a payment",
      "Carries the payment out now, and answers with it: 402 when the money is refused. Of two who decide at once one is told 409, and " +
        "so is whoever comes after `expires_at`, " +
        "or approves what an agent key asked for that was revoked since."
    )),
  HttpApiEndpoint.post("reject", "/approvals/:id/reject", {
    ...byId,
    payload: review("b7a1cf0b-0f62-4f0c-a1b3-3f4a8f6f0c11"),
    success: PaymentIntentJson,
    error: errors
  }).annotateMerge(verb).annotate(Does, "refund")
    .annotateMerge(
      described(
        "Reject a payment",
        "Cancels the payment, and answers with it. Its agent is told so, and the budgets of its key have their room back."
      )
    )
).pipe(
  forMerchants({
    title: "Approvals",
    description:
      "Payments that wait for a person: of agents above their key's `require_approval_above`, and of anybody above the account's."
  })
)
  .annotate(Machine, approvalMachine)
{}
