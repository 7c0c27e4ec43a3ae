/** The route of what needs a person. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { forMerchants, RequiredScope } from "../access/api.ts"
import { AttentionList } from "./model.ts"

export class AttentionGroup extends HttpApiGroup.make("attention").add(
  HttpApiEndpoint.get("list", "/attention", { success: AttentionList })
    .annotate(RequiredScope, "attention:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List what needs a person",
      description: "A webhook endpoint that fails, payouts that failed or were returned, disputes whose evidence is due within days, " +
        "books that do not agree, approvals that wait: as it is now, what is due first. " +
        "A restricted key sees the kinds whose resources it may read."
    }))
).pipe(forMerchants({ title: "Attention", description: "What waits until a person sees to it." })) {}
