/** The routes for agents that look after themselves: signing up, and smaller keys for helpers. */
import { AgentKeyId, AgentKeyIssued, AgentKeyRecord, CutAgentKeyRequest } from "@svc/accounts/agent-keys/model"
import { AnswersSecret, KeptAnswers } from "@svc/kernel/http/kept-answers"
import { Forbidden, InvalidState, NotFound, RateLimited, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { pathId } from "@svc/kernel/values/ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forCallers, ToolAuthorization } from "../access/api.ts"
import { AgentKeyCuts, AgentSignupRequest, SandboxSignupResponse } from "./model.ts"

export class AgentsGroup extends HttpApiGroup.make("agents").add(
  HttpApiEndpoint.post("signup", "/agents/signup", {
    payload: AgentSignupRequest,
    success: SandboxSignupResponse.pipe(HttpApiSchema.status(201)),
    error: RateLimited
  }).annotateMerge(OpenApi.annotations({
    summary: "Sign an agent up",
    description:
      "Needs no key and no person. Answers with a sandbox account of its own and an agent key for 24 hours, which is shown once, and with where to use it. A few an hour from one network."
  })),
  HttpApiEndpoint.post("cut_key", "/agents/keys", {
    payload: CutAgentKeyRequest,
    success: AgentKeyIssued.pipe(HttpApiSchema.status(201)),
    error: [ValidationError, Forbidden, InvalidState, VersionConflict]
  }).middleware(KeptAnswers).middleware(ToolAuthorization).annotate(AnswersSecret, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Cut a key from your own",
      description:
        "With an agent key. What the new key may do lies within what yours may, it spends from the same budgets and ends with yours at the latest; what its policy leaves out is as in yours. Three levels at most. Repeating the request makes another key, unless it has the `Idempotency-Key` of the first."
    })),
  HttpApiEndpoint.get("cuts", "/agents/keys", { success: AgentKeyCuts, error: Forbidden }).middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({
      summary: "List the keys cut from your own",
      description: "With an agent key. The active ones, at every level, oldest first, without their tokens."
    })),
  HttpApiEndpoint.delete("revoke_cut", "/agents/keys/:id", {
    params: { id: pathId("agk", AgentKeyId) },
    success: AgentKeyRecord,
    error: [Forbidden, NotFound, VersionConflict]
  })
    .middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({
      summary: "End a key cut from your own",
      description:
        "With an agent key. At once and for good, with all keys cut from it. A key that was not cut from yours, or has ended, is not found."
    }))
).pipe(forCallers({ title: "Agents", description: "For software agents that come without a person." })) {}
