/** The handlers of the transfer instrument routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { TransferInstrumentsGroup } from "./api.ts"
import { instrumentExpansion } from "./model.ts"
import { TransferInstruments, type Which } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(TransferInstrumentsGroup), "transfer_instruments", Effect.fnUntraced(function*(handlers) {
  const instruments = yield* TransferInstruments
  const expand = yield* expanding(instrumentExpansion)

  const which = Effect.fnUntraced(function*({ params: { id }, request }: { readonly params: { readonly id: string }; readonly request: HttpServerRequest.HttpServerRequest }, own?: number) {
    const { account } = yield* Caller
    const version = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(own, header)))
    return { account, id, version } satisfies Which
  })

  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("transfer_instrument.create", request, payload, "number")
      const made = yield* instruments.create(account, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(made.body, { status: made.status, contentType: "application/json" })
        : respond({ ...made, key: keyed.key })
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, instruments.list(account.id, filter, page)))
    }),
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], instruments.get((yield* Caller).account.id, params.id))
    }),
    verify: Effect.fnUntraced(function*({ payload, ...asked }) {
      return yield* instruments.verify(yield* which(asked, payload.version), payload)
    }),
    resubmit: (asked) => Effect.flatMap(which(asked), instruments.resubmit),
    activate: (asked) => Effect.flatMap(which(asked), instruments.activate),
    make_default: (asked) => Effect.flatMap(which(asked), instruments.makeDefault),
    archive: (asked) => Effect.flatMap(which(asked), instruments.archive)
  })
}))
