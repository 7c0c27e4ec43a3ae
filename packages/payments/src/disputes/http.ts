/** The handlers of the dispute routes. */
import { acting, creating, expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { DisputesGroup } from "./api.ts"
import { disputeExpansion } from "./model.ts"
import { Disputes } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(DisputesGroup),
  "disputes",
  Effect.fnUntraced(function*(handlers) {
    const disputes = yield* Disputes
    const expand = yield* expanding(disputeExpansion)
    return handlers.handleAll({
      get: expand.retrieving(disputes.get),
      list: expand.listing(disputes.list),
      add_evidence: acting("dispute.add_evidence", disputes.addEvidence),
      submit: acting("dispute.submit", disputes.submit),
      accept: acting("dispute.accept", disputes.accept),
      simulate: creating("dispute.simulate", disputes.simulate)
    })
  })
)
