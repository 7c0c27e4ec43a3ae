/** The routes of disputes. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  Forbidden,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { PaymentInFlight } from "../payment-intents/errors.ts"
import { disputeMachine } from "./machine.ts"
import {
  AcceptDisputeRequest,
  AddEvidenceRequest,
  disputeEvents,
  disputeExpansion,
  disputeFilters,
  DisputeJson,
  SimulateDisputeRequest,
  SubmitEvidenceRequest
} from "./model.ts"

const keyed = [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState] as const

export class DisputesGroup extends HttpApiGroup.make("disputes").add(
  HttpApiEndpoint.get("list", "/disputes", {
    query: { ...pageQueryOf("dp"), ...disputeExpansion.query, ...disputeFilters },
    success: PaginatedList(DisputeJson, "DisputeList")
  }).annotate(RequiredScope, "disputes:read")
    .annotateMerge(described("List disputes", "Newest first, of one payment, status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/disputes/:id", { ...byId, query: disputeExpansion.query, success: DisputeJson, error: NotFound })
    .annotate(RequiredScope, "disputes:read")
    .annotateMerge(described("Retrieve a dispute", "What the customer's bank took back, why, and until when it can be answered.")),
  HttpApiEndpoint.post("add_evidence", "/disputes/:id/evidence", {
    ...byId,
    payload: AddEvidenceRequest,
    success: DisputeJson,
    error: keyed
  })
    .annotate(RequiredScope, "disputes:write").annotate(Does, "answer").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(
      described(
        "Add evidence",
        "Keeps what you can show. Nothing is sent to the network yet; a field that is sent again takes the place of what it was."
      )
    ),
  HttpApiEndpoint.post("submit", "/disputes/:id/submit", { ...byId, payload: SubmitEvidenceRequest, success: DisputeJson, error: keyed })
    .annotate(RequiredScope, "disputes:write").annotate(Does, "answer").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Submit the evidence",
      "Sends what was kept, and what comes with this request, to the network: once, before `evidence_due_by`. In a sandbox the network " +
        "decides for you five days later, or at once where a field says `winning_evidence` or `losing_evidence`, as that says."
    )),
  HttpApiEndpoint.post("accept", "/disputes/:id/accept", { ...byId, payload: AcceptDisputeRequest, success: DisputeJson, error: keyed })
    .annotate(RequiredScope, "disputes:write").annotate(Does, "answer").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Accept a dispute", "Lets the customer have the money. The fee of the dispute is not given back.")),
  HttpApiEndpoint.post("simulate", "/disputes/simulate", {
    payload: SimulateDisputeRequest,
    success: [DisputeJson.pipe(HttpApiSchema.status(201)), DisputeJson],
    error: [...keyed, Forbidden, PaymentInFlight]
  }).annotate(RequiredScope, "disputes:write").annotate(Does, "record").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Simulate a dispute",
      "In a sandbox, as if the network reported one for a captured payment. Payments with the token `tok_dispute`, or with " +
        "`sim.dispute` and a reason code in their metadata, are disputed by themselves a day after their settlement."
    ))
).pipe(
  forMerchants({ title: "Disputes", description: "Money of payments that customers' banks took back, and what the merchant answers." })
)
  .annotate(Machine, disputeMachine).annotate(Emits, disputeEvents)
{}
