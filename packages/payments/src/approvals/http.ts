/** The handlers of the approval routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { ApprovalsGroup } from "./api.ts"
import { approvalExpansion } from "./model.ts"
import { Approvals } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(ApprovalsGroup),
  "approvals",
  Effect.fnUntraced(function*(handlers) {
    const approvals = yield* Approvals
    const expand = yield* expanding(approvalExpansion)
    return handlers.handleAll({
      get: expand.retrieving(approvals.get),
      list: expand.listing(approvals.list),
      approve: Effect.fnUntraced(function*({ params, payload, request }) {
        const { account } = yield* Caller
        return respond(
          yield* approvals.approve({ account, id: params.id, payload, keyed: yield* keyedRequest("approval.approve", request, payload) })
        )
      }),
      reject: Effect.fnUntraced(function*({ params, payload, request }) {
        const { account } = yield* Caller
        return respond(
          yield* approvals.reject({ account, id: params.id, payload, keyed: yield* keyedRequest("approval.reject", request, payload) })
        )
      })
    })
  })
)
