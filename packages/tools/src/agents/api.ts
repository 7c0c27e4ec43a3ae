/** The routes for agents that look after themselves: signing up, and smaller keys for helpers. */
import { AgentKeyIssued, CutAgentKeyRequest } from "@svc/accounts/agent-keys/model"
import { Forbidden, InvalidState, RateLimited, ValidationError, VersionConflict } from "@svc/kernel/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forCallers, ToolAuthorization } from "../access/api.ts"
import { AgentSignupRequest, SandboxSignupResponse } from "./model.ts"

export class AgentsGroup extends HttpApiGroup.make("agents").add(
  HttpApiEndpoint.post("signup", "/agents/signup", {
    payload: AgentSignupRequest,
    success: SandboxSignupResponse.pipe(HttpApiSchema.status(201)),
    error: RateLimited
  }).annotateMerge(OpenApi.annotations({
    summary: "Sign an agent up",
    description: "Needs no key and no person. Answers with a sandbox account of its own and an agent key for 24 hours, which is shown once, and with where to use it. A few an hour from one network."
  })),
  HttpApiEndpoint.post("cut_key", "/agents/keys", {
    payload: CutAgentKeyRequest,
    success: AgentKeyIssued.pipe(HttpApiSchema.status(201)),
    error: [ValidationError, Forbidden, InvalidState, VersionConflict]
  }).middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({
      summary: "Cut a key from your own",
      description: "With an agent key. What the new key may do lies within what yours may, it spends from the same budgets and ends with yours at the latest; what its policy leaves out is as in yours. Three levels at most. Repeating the request makes another key."
    }))
).pipe(forCallers({ title: "Agents", description: "For software agents that come without a person." })) {}
