/** The routes of accounts on the tool server. */
import { RateLimited } from "@svc/kernel/resource/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forCallers, ToolAuthorization } from "../access/api.ts"
import { EmailTaken } from "./errors.ts"
import { OpenToolAccountRequest, ToolAccount, ToolAccountOpened } from "./model.ts"

export class ToolAccountsGroup extends HttpApiGroup.make("tool_accounts").add(
  HttpApiEndpoint.post("open", "/accounts", {
    payload: OpenToolAccountRequest,
    success: ToolAccountOpened.pipe(HttpApiSchema.status(201)),
    error: [EmailTaken, RateLimited]
  }).annotateMerge(OpenApi.annotations({
    summary: "Open an account",
    description:
      "Needs no key. Answers with the account's first key for the tool server, which is shown once. One account an email, and a few an hour from one network."
  })),
  HttpApiEndpoint.get("own", "/account", { success: ToolAccount })
    .middleware(ToolAuthorization)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Retrieve your account",
        description: "The account behind the key, its plan and its credits, and what the key itself may do."
      })
    )
).pipe(forCallers({ title: "Accounts", description: "An account to call tools with." })) {}
