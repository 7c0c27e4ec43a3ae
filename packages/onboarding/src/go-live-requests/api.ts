/** The routes of requests to go live: the merchant asks and sees its own, the operator sees all and decides. */
import { forMerchants, forOperators, NeedsConfirmation } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound } from "@svc/kernel/resource/errors"
import { pageFieldsOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { OnboardingIncomplete } from "./errors.ts"
import { goLiveMachine } from "./machine.ts"
import {
  CreateGoLiveRequest,
  GoLiveApproved,
  goLiveFilters,
  GoLiveRequestJson,
  OperatorGoLiveRequestJson,
  RejectGoLiveRequest
} from "./model.ts"

const request = endpointsOf({ scope: "account", prefix: "glr", schema: GoLiveRequestJson, list: "GoLiveRequestList" })
const create = request.create(CreateGoLiveRequest)

export class GoLiveRequestsGroup extends HttpApiGroup.make("go_live_requests").add(
  HttpApiEndpoint.post("create", "/go_live_requests", { ...create, error: [...create.error, InvalidState, OnboardingIncomplete] })
    .annotateMerge(request.makes(
      "manage",
      "Ask to go live",
      "Asks the operator for the live account of a sandbox whose other steps are done. While a request waits, and after it was approved, " +
        "asking again answers it. After a rejection the account may ask again."
    )),
  HttpApiEndpoint.get("list", "/go_live_requests", request.list(goLiveFilters))
    .annotateMerge(request.reads("List requests to go live", "Newest first, of one status or of all.")),
  HttpApiEndpoint.get("get", "/go_live_requests/:id", request.get)
    .annotateMerge(request.reads("Retrieve a request to go live", "What became of it, and the live account that it opened."))
).pipe(
  forMerchants({
    title: "Requests to go live",
    description: "An account is sandbox or live for its whole life. The approval of a request opens a live account beside the sandbox, " +
      "with its name, settings and fees, owned by the person who asked. Businesses and bank accounts are given there anew, " +
      "as the sandbox verified none."
  })
)
  .annotate(Machine, goLiveMachine)
{}

export class OperatorGoLiveRequestsGroup extends HttpApiGroup.make("operator_go_live_requests").add(
  HttpApiEndpoint.get("list", "/operator/go_live_requests", {
    query: { ...pageFieldsOf("glr"), ...goLiveFilters },
    success: PaginatedList(OperatorGoLiveRequestJson, "OperatorGoLiveRequestList")
  }).annotateMerge(described("List requests to go live of all accounts", "Newest first. `status=pending` is what waits for a decision.")),
  HttpApiEndpoint.get("get", "/operator/go_live_requests/:id", { ...byId, success: OperatorGoLiveRequestJson, error: NotFound })
    .annotateMerge(described("Retrieve a request to go live of any account", "Which account asks, and what became of it.")),
  HttpApiEndpoint.post("approve", "/go_live_requests/:id/approve", {
    ...byId,
    success: GoLiveApproved,
    error: [NotFound, InvalidState, OnboardingIncomplete]
  })
    .annotate(AnswersSecret, true).annotate(NeedsConfirmation, true)
    .annotateMerge(described(
      "Approve a request to go live",
      "Opens the live account, once: with the name, the settings, the fees, the version of the API and the acceptances of the terms " +
        "of the sandbox. The owner who asked (`requested_by`) owns it, finds it where they change accounts, and invites the others. " +
        "Where a key asked, or somebody who owns the sandbox no more, the answer has the account's first secret key, shown this once."
    )),
  HttpApiEndpoint.post("reject", "/go_live_requests/:id/reject", {
    ...byId,
    payload: RejectGoLiveRequest,
    success: GoLiveRequestJson,
    error: [NotFound, InvalidState]
  }).annotateMerge(described("Reject a request to go live", "The merchant reads the reason, and may ask again."))
).pipe(
  forOperators({ title: "Requests to go live (operator)", description: "For the operator of the installation, with an operator key." })
) {}
