/** The handlers of the routes of credits that are bought. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { Forbidden } from "@svc/kernel/resource/errors"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { AuthorizedCaller } from "@svc/metering/access/model"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { CreditPurchasesGroup } from "./api.ts"
import { Buying } from "./service/buying.ts"
import { CreditPurchases } from "./service/purchases.ts"

const api = HttpApi.make("tools").add(CreditPurchasesGroup)

const forOwners = new Forbidden({
  message:
    "An agent key buys no credits. Ask the account's owner, who buys them with the account's own key svck_… or on the page that a 402 names."
})

export const layer = HttpApiBuilder.group(
  api,
  "credit_purchases",
  Effect.fnUntraced(function*(handlers) {
    const buying = yield* Buying
    const purchases = yield* CreditPurchases
    return handlers.handleAll({
      buy: Effect.fnUntraced(function*({ payload, request }) {
        const { account, credential } = yield* AuthorizedCaller
        if (credential.kind === "agent_key") return yield* forOwners
        const keyed = yield* keyedRequest("credit_purchase.buy", request, payload)
        return respond(yield* buying.buy({ account, keyed, payload }))
      }),
      list: Effect.fnUntraced(function*({ query }) {
        const { account } = yield* AuthorizedCaller
        const page = yield* Effect.fromResult(checkPage(query))
        const found = yield* listOwn(account.id, page, purchases.list(account.id, page))
        return { ...found, data: yield* Effect.forEach(found.data, purchases.shown) }
      }),
      get: Effect.fnUntraced(function*({ params }) {
        const { account } = yield* AuthorizedCaller
        return yield* purchases.shown(yield* purchases.get(account.id, params.id))
      })
    })
  })
)
