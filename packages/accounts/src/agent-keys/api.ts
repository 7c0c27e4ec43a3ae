/** The routes of an account's agent keys. */
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { described } from "@svc/kernel/resource/api"
import { Forbidden, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { pathId } from "@svc/kernel/values/ids"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Does, forMerchants, NeedsConfirmation, RequiredScope } from "../access/api.ts"
import { agentKeyMachine } from "./machine.ts"
import {
  AgentKeyId,
  AgentKeyIssued,
  AgentKeyRecord,
  IssueAgentKeyRequest,
  MAX_CUTS,
  MAX_DEPTH,
  SANDBOX_HOURS,
  UpdateAgentKeyRequest
} from "./model.ts"

const params = { id: pathId("agk", AgentKeyId) }

const { data, ...page } = PaginatedList(AgentKeyRecord, "AgentKeyPage").fields
const [example] = Schema.resolveAnnotations(AgentKeyRecord)?.examples ?? []

/** A page of keys under the contract's name for them. */
export const AgentKeyList = Schema.Struct({ agent_keys: data, ...page }).annotate({
  identifier: "AgentKeyList",
  ...(example === undefined ? {} : { examples: [{ agent_keys: [example], total: 1, page: 1, per_page: 20, has_more: false }] })
})

export class AgentKeysGroup extends HttpApiGroup.make("agent_keys").add(
  HttpApiEndpoint.post("issue", "/agent_keys", {
    payload: IssueAgentKeyRequest,
    success: AgentKeyIssued.pipe(HttpApiSchema.status(201)),
    error: [Forbidden, InvalidState, VersionConflict]
  }).annotate(RequiredScope, "agent_keys:write").annotate(Does, "manage").annotate(NeedsConfirmation, true).annotate(AnswersSecret, true)
    .annotateMerge(described(
      "Issue an agent key",
      `A bearer token for a software agent, which opens the tool server within its policy and budgets. The token is shown once and cannot be read again. A sandbox key ends after ${SANDBOX_HOURS} hours. ` +
        `With \`parent_id\` it is cut from another key, as an agent may do itself: within what that key may do, spending from the same budgets, and ending with it; at most ${MAX_CUTS} active ones a key, ${MAX_DEPTH} levels. ` +
        "A restricted key names the tools in `allowed_tools`, and has the scopes of what they do: `execute_payment` wants `payment_intents:write`. " +
        "Without an `Idempotency-Key`, repeating the request makes another key."
    )),
  HttpApiEndpoint.get("list", "/agent_keys", { query: pageQueryOf("agk"), success: AgentKeyList })
    .annotate(RequiredScope, "agent_keys:read")
    .annotateMerge(
      described(
        "List agent keys",
        "Newest first, those that have ended and those that agents cut from theirs included, without their tokens."
      )
    ),
  HttpApiEndpoint.get("get", "/agent_keys/:id", { params, success: AgentKeyRecord, error: NotFound })
    .annotate(RequiredScope, "agent_keys:read")
    .annotateMerge(described("Retrieve an agent key", "Without its token.")),
  HttpApiEndpoint.patch("update", "/agent_keys/:id", {
    params,
    payload: UpdateAgentKeyRequest,
    success: AgentKeyRecord,
    error: [NotFound, Forbidden, InvalidState, VersionConflict]
  }).annotate(RequiredScope, "agent_keys:write").annotate(Does, "manage").annotate(NeedsConfirmation, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update an agent key",
      "Changes the name, or puts another policy in the place of the one it has, for calls from now on. Keys cut from it may no more than it may, whatever their own policies say. A restricted key gives no policy that it could not issue. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since; a key that is cut from it makes a new version, too."
    )),
  HttpApiEndpoint.post("revoke", "/agent_keys/:id/revoke", {
    params,
    success: AgentKeyRecord,
    error: [NotFound, VersionConflict]
  }).annotate(RequiredScope, "agent_keys:write").annotate(Does, "protect").annotate(NeedsConfirmation, true)
    .annotateMerge(
      described("Revoke an agent key", "At once and for good, with all keys cut from it. Revoking one that has ended changes nothing.")
    )
).pipe(
  forMerchants({
    title: "Agent keys",
    description: "Keys with which software agents call the tool server for your account, each within a policy and budgets."
  })
)
  .annotate(Machine, agentKeyMachine)
{}
