/** The routes of an account's token for GitHub. */
import { Forbidden } from "@svc/kernel/resource/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forCallers, ToolAuthorization } from "../access/api.ts"
import { StoreGithubTokenRequest } from "./model.ts"

const PATH = "/account/github-token"

export class GithubTokensGroup extends HttpApiGroup.make("github_tokens").add(
  HttpApiEndpoint.post("store", PATH, { payload: StoreGithubTokenRequest, success: HttpApiSchema.NoContent, error: Forbidden })
    .middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({
      summary: "Store a token for GitHub",
      description: "analyze_repo reads private repositories with it. It is kept sealed, replaces the one before it, and is never shown."
    })),
  HttpApiEndpoint.delete("remove", PATH, { success: HttpApiSchema.NoContent, error: Forbidden })
    .middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({ summary: "Remove the token for GitHub", description: "Also where there is none." }))
).pipe(forCallers({ title: "GitHub", description: "How private repositories are read." })) {}
