/** The handlers of the invoice routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { InvoicesGroup } from "./api.ts"
import { Invoices } from "./service/invoices.ts"

/** The version that the caller read, from the body or the header. */
const expected = (request: HttpServerRequest.HttpServerRequest, version?: number) =>
  Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(InvoicesGroup), "invoices", Effect.fnUntraced(function*(handlers) {
  const invoices = yield* Invoices
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    list: Effect.fnUntraced(function*({ query }) {
      const account = yield* own
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account, page, invoices.list(account, filter, page))
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* invoices.get(yield* own, params.id)
    }),
    pdf: Effect.fnUntraced(function*({ params }) {
      const { bytes, name } = yield* invoices.pdf(yield* own, params.id)
      return HttpServerResponse.uint8Array(bytes, { contentType: "application/pdf", headers: { "content-disposition": `inline; filename="${name}"`, "x-content-type-options": "nosniff" } })
    }),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      return yield* invoices.update(yield* own, params.id, patch, yield* expected(request, version))
    }),
    remove: Effect.fnUntraced(function*({ params, request }) {
      yield* invoices.remove(yield* own, params.id, yield* expected(request))
    }),
    finalize: Effect.fnUntraced(function*({ params, request }) {
      return yield* invoices.finalize(yield* own, params.id, yield* expected(request))
    }),
    send: Effect.fnUntraced(function*({ params, payload, request }) {
      return yield* invoices.send(yield* own, params.id, payload, yield* expected(request))
    }),
    pay: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("invoice.pay", request, payload)
      const version = yield* expected(request)
      if (keyed === undefined) return yield* invoices.pay(account, params.id, payload, version)
      return respond(yield* invoices.payKeyed({ account, id: params.id, keyed, payload, version }))
    }),
    void: Effect.fnUntraced(function*({ params, request }) {
      return yield* invoices.voidOne(yield* own, params.id, yield* expected(request))
    }),
    mark_uncollectible: Effect.fnUntraced(function*({ params, request }) {
      return yield* invoices.markUncollectible(yield* own, params.id, yield* expected(request))
    })
  })
}))
