/** The routes of the terms. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { described } from "@svc/kernel/resource/api"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { AcceptTermsRequest, Terms, termsAcceptanceFilters, TermsAcceptanceJson } from "./model.ts"

const acceptance = endpointsOf({ scope: "account", prefix: "ta", schema: TermsAcceptanceJson, list: "TermsAcceptanceList" })

export class TermsGroup extends HttpApiGroup.make("terms").add(
  HttpApiEndpoint.get("current", "/terms", { success: Terms })
    .annotate(RequiredScope, "account:read")
    .annotateMerge(described("Retrieve the terms", "The terms of service in their present version.")),
  HttpApiEndpoint.post("accept", "/terms/accept", acceptance.create(AcceptTermsRequest))
    .annotateMerge(acceptance.makes(
      "manage",
      "Accept the terms",
      "Keeps who accepted the present version in the name of the account, and when: once a version. Accepting it again answers the same " +
        "acceptance. Another version than the present one is refused."
    ))
).pipe(forMerchants({ title: "Terms", description: "The terms of service, and accepting them." })) {}

export class TermsAcceptancesGroup extends HttpApiGroup.make("terms_acceptances").add(
  HttpApiEndpoint.get("list", "/terms_acceptances", acceptance.list(termsAcceptanceFilters))
    .annotateMerge(acceptance.reads("List acceptances of the terms", "Newest first, of one version or of all.")),
  HttpApiEndpoint.get("get", "/terms_acceptances/:id", acceptance.get)
    .annotateMerge(acceptance.reads("Retrieve an acceptance of the terms", "Who accepted which version, and when."))
).pipe(forMerchants({ title: "Acceptances of the terms", description: "Who accepted which version of the terms, and when." })) {}
