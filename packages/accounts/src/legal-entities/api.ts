/** The routes of legal entities: the merchant's, and the operator's review of those of live accounts. */
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Machine } from "@svc/kernel/resource/state-machine"
import { pathId } from "@svc/kernel/values/ids"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Does, forMerchants, forOperators, RequiredScope } from "../access/api.ts"
import { AccountId } from "../accounts/model.ts"
import { endpointsOf } from "../routes/api.ts"
import { legalEntityMachine } from "./machine.ts"
import {
  CreateLegalEntityRequest,
  legalEntityFilters,
  LegalEntityJson,
  ReviewLegalEntityRequest,
  UpdateLegalEntityRequest
} from "./model.ts"

const entity = endpointsOf({ scope: "legal_entities", prefix: "le", schema: LegalEntityJson, list: "LegalEntityList" })

const changeErrors = [NotFound, InvalidState, VersionConflict] as const

export class LegalEntitiesGroup extends HttpApiGroup.make("legal_entities").add(
  HttpApiEndpoint.post("create", "/legal_entities", entity.create(CreateLegalEntityRequest))
    .annotateMerge(entity.makes(
      "manage",
      "Create a legal entity",
      "It is `pending` while it is reviewed, and then `verified`, `failed`, or asked for more in `requirements`. In a sandbox the review is made at once: a name with the word FAIL fails, and one with DOCUMENT is asked for another name."
    )),
  HttpApiEndpoint.get("list", "/legal_entities", entity.list(legalEntityFilters))
    .annotateMerge(entity.reads("List legal entities", "Newest first, of one status or type, or of all.")),
  HttpApiEndpoint.get("get", "/legal_entities/:id", entity.get)
    .annotateMerge(entity.reads("Retrieve a legal entity", "Who it is, whether that was verified, and what is still asked for.")),
  HttpApiEndpoint.patch("update", "/legal_entities/:id", {
    ...byId,
    payload: UpdateLegalEntityRequest,
    success: LegalEntityJson,
    error: changeErrors
  })
    .annotate(RequiredScope, "legal_entities:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a legal entity",
      "Changes the fields that are sent; then `submit` has it reviewed again. Another name, country, number or birth date of one that is verified makes it `requires_info`. While it is reviewed nothing changes. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    )),
  HttpApiEndpoint.post("submit", "/legal_entities/:id/submit", { ...byId, success: LegalEntityJson, error: changeErrors })
    .annotate(RequiredScope, "legal_entities:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described("Submit a legal entity", "Has one that was asked for more, or that failed, reviewed again."))
).pipe(
  forMerchants({ title: "Legal entities", description: "Who is behind an account: verified before money of a live account is paid out." })
)
  .annotate(Machine, legalEntityMachine)
{}

export class OperatorLegalEntitiesGroup extends HttpApiGroup.make("operator_legal_entities").add(
  HttpApiEndpoint.post("review", "/accounts/:id/legal_entities/:legal_entity_id/review", {
    params: { id: pathId("acct", AccountId), legal_entity_id: Schema.String },
    payload: ReviewLegalEntityRequest,
    success: LegalEntityJson,
    error: changeErrors
  }).annotateMerge(
    described(
      "Review a legal entity",
      "What the review of an account's legal entity came to. Live accounts wait for this. One that is verified may be asked for more later; anything else is 409 where no review is under way."
    )
  )
).pipe(forOperators({ title: "Legal entities (operator)", description: "For the operator of the installation, with an operator key." })) {}
