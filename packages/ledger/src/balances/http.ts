/** The handlers of the balance account routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { BalancesGroup } from "./api.ts"
import { Balances } from "./service.ts"

const api = HttpApi.make("svc").add(BalancesGroup)

export const layer = HttpApiBuilder.group(
  api,
  "balance_accounts",
  Effect.fnUntraced(function*(handlers) {
    const balances = yield* Balances
    const own = Effect.map(Caller, ({ account }) => account.id)
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(own, (account) => listOwn(account, query, balances.list(account, query))),
      get: ({ params }) => Effect.flatMap(own, (account) => balances.get(account, params.id))
    })
  })
)
