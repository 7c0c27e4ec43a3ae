/** The routes of the assistant. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AssistantActRequest, AssistantActResponse, AssistantAskRequest, AssistantAskResponse } from "./model.ts"

export class AssistantGroup extends HttpApiGroup.make("assistant").add(
  HttpApiEndpoint.post("ask", "/assistant/ask", { payload: AssistantAskRequest, success: AssistantAskResponse })
    .annotate(RequiredScope, "assistant:read").annotate(Does, "read")
    .annotateMerge(OpenApi.annotations({
      summary: "Ask the assistant",
      description: "Answers from the account's own rows and from the documentation, and names what it used. " +
        "It reads with the scopes of the key that asks, and changes nothing. " +
        "What it does not know it says. Each row that it reads counts as a request of the key. The same route answers at `/assistant/ask`."
    })),
  // It does nothing itself: what the account may do, the route that it asks says.
  HttpApiEndpoint.post("act", "/assistant/act", { payload: AssistantActRequest, success: AssistantActResponse })
    .annotate(RequiredScope, "assistant:write").annotate(Does, "read").annotate(AnswersSecret, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Let the assistant act",
      description: "Does what an action proposed, by asking the routes that do it with the key that asks: their scopes, approvals, " +
        "idempotency and audit log hold. What a route refuses is answered with 200 and `failed`, and why. " +
        "Under an `Idempotency-Key` the same answer is given again, `failed` too: try again with a fresh key. " +
        "The same route answers at `/assistant/act`."
    }))
).pipe(forMerchants({
  title: "Assistant",
  description: "Questions in plain words, answered from the account's own rows, and what helps, done by the account's own routes."
})) {}
