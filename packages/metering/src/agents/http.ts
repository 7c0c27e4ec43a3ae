/** The handlers of the routes for agents. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { AuthorizedCaller } from "../access/model.ts"
import { Openings } from "../accounts/settings.ts"
import { NetworkLimit } from "../rate-limits/network-limit.ts"
import { AgentsGroup } from "./api.ts"
import { Agents } from "./service.ts"

const api = HttpApi.make("tools").add(AgentsGroup)

export const layer = HttpApiBuilder.group(
  api,
  "agents",
  Effect.fnUntraced(function*(handlers) {
    const agents = yield* Agents
    const limit = yield* NetworkLimit
    const { perHour } = yield* Openings
    return handlers.handleAll({
      signup: ({ payload, request }) => Effect.andThen(limit.take({ what: "Opening accounts", perHour }, request), agents.signUp(payload)),
      cut_key: ({ payload }) => Effect.flatMap(AuthorizedCaller, (caller) => agents.cut(caller, payload)),
      cuts: () => Effect.flatMap(AuthorizedCaller, (caller) => Effect.map(agents.cuts(caller), (agent_keys) => ({ agent_keys }))),
      revoke_cut: ({ params }) => Effect.flatMap(AuthorizedCaller, (caller) => agents.revoke(caller, params.id))
    })
  })
)
