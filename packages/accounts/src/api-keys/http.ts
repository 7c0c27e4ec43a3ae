/** The handlers of the API key routes. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller } from "../access/model.ts"
import { AccountId } from "../accounts/model.ts"
import { ApiKeysGroup } from "./api.ts"
import { ApiKeys } from "./service.ts"

const api = HttpApi.make("svc").add(ApiKeysGroup)

export const layer = HttpApiBuilder.group(
  api,
  "api_keys",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* ApiKeys
    const account = Effect.map(Caller, (caller) => AccountId.make(caller.account.id))
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ payload }) {
        const { record, secret } = yield* service.create(yield* Caller, payload)
        return { ...record, secret }
      }),
      list: ({ query }) => Effect.flatMap(account, (id) => listOwn(id, query, service.list(id, query))),
      get: ({ params }) => Effect.flatMap(account, (id) => service.get(id, params.id)),
      revoke: ({ params }) => Effect.flatMap(Caller, (caller) => service.revoke(AccountId.make(caller.account.id), params.id, caller))
    })
  })
)
