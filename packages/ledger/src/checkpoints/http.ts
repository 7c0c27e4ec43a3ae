/** The handlers of the checkpoint routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { CheckpointsGroup } from "./api.ts"
import { Checkpoints } from "./service.ts"

const api = HttpApi.make("svc").add(CheckpointsGroup)

export const layer = HttpApiBuilder.group(
  api,
  "ledger_checkpoints",
  Effect.fnUntraced(function*(handlers) {
    const checkpoints = yield* Checkpoints
    const own = Effect.map(Caller, ({ account }) => account.id)
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(own, (account) => listOwn(account, query, checkpoints.list(account, query))),
      get: ({ params }) => Effect.flatMap(own, (account) => checkpoints.get(account, params.id)),
      proof: ({ params }) => Effect.flatMap(own, (account) => checkpoints.proof(account, params.id))
    })
  })
)
