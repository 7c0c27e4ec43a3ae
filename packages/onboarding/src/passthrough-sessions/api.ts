/** The routes of passthrough sessions. */
import { Does, forMerchants, NeedsConfirmation, RequiredScope } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { described } from "@svc/kernel/resource/api"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { passthroughMachine } from "./machine.ts"
import { CreatePassthroughSessionRequest, passthroughFilters, PassthroughSessionJson, PrefillPassthroughSessionRequest } from "./model.ts"

const session = endpointsOf({
  scope: "passthrough_sessions",
  prefix: "pts",
  schema: PassthroughSessionJson,
  list: "PassthroughSessionList"
})

export class PassthroughSessionsGroup extends HttpApiGroup.make("passthrough_sessions").add(
  HttpApiEndpoint.post("create", "/passthrough_sessions", session.create(CreatePassthroughSessionRequest))
    // Its page makes a payout destination without asking anybody who they are: who makes the page is asked.
    .annotate(NeedsConfirmation, true)
    .annotateMerge(session.makes(
      "manage",
      "Create a passthrough session",
      "Send a person to `path` for what no assistant should hear: the page works for one hour, by the world's clock, " +
        "and acts in the name of whoever made it. " +
        "Needs besides the scope by which the result is made by hand: `transfer_instruments:write` for `payout_bank`, " +
        "`legal_entities:write` for `business_verify`."
    )),
  HttpApiEndpoint.get("list", "/passthrough_sessions", session.list(passthroughFilters))
    .annotateMerge(session.reads("List passthrough sessions", "Newest first, of one status or flow, or of all.")),
  HttpApiEndpoint.get("get", "/passthrough_sessions/:id", session.get)
    .annotateMerge(session.reads("Retrieve a passthrough session", "Where it stands, and what came of it.")),
  HttpApiEndpoint.post("prefill", "/passthrough_sessions/:id/prefill", session.act(PrefillPassthroughSessionRequest))
    .annotate(RequiredScope, "passthrough_sessions:write").annotate(Does, "manage")
    .annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Prefill a passthrough session",
      "Fills fields of the page from the account's own rows, as far as the caller may read them, and from `fields`, which go before. " +
        "`prefilled` names what is filled. Only the key or person that made the session may. " +
        "Numbers of bank accounts are refused: a person types them on the page."
    ))
).pipe(forMerchants({ title: "Passthrough sessions", description: "Pages on which a person gives what no assistant should hear." }))
  .annotate(Machine, passthroughMachine)
{}
