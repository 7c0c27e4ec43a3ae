/** The handlers of the quote routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { QuotesGroup } from "./api.ts"
import { shownOf } from "./model.ts"
import { Quotes } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(QuotesGroup), "quotes", Effect.fnUntraced(function*(handlers) {
  const quotes = yield* Quotes
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("quote.create", request, payload)
      const made = yield* quotes.create(account, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(made.body, { status: made.status, contentType: "application/json" })
        : respond({ ...made, key: keyed.key })
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return shownOf(yield* quotes.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const { status, ...page } = yield* Effect.fromResult(checkPage(query))
      const found = yield* listOwn(account.id, page, quotes.list(account.id, status === undefined ? {} : { status }, page))
      return { ...found, data: found.data.map(shownOf) }
    })
  })
}))
