/** The handlers of the invoice routes. */
import { Caller } from "@svc/accounts/access/model"
import { listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { atVersionRead, versionRead } from "../../common/handlers.ts"
import { InvoicesGroup } from "../api.ts"
import { Invoices } from "../service/invoices.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(InvoicesGroup),
  "invoices",
  Effect.fnUntraced(function*(handlers) {
    const invoices = yield* Invoices
    const { listedBy } = yield* makeCustomerKeys
    const own = Effect.map(Caller, ({ account }) => account.id)
    return handlers.handleAll({
      list: listing(listedBy(invoices.list)),
      get: retrieving(invoices.get),
      pdf: Effect.fnUntraced(function*({ params }) {
        const { bytes, name } = yield* invoices.pdf(yield* own, params.id)
        return HttpServerResponse.uint8Array(bytes, {
          contentType: "application/pdf",
          headers: { "content-disposition": `inline; filename="${name}"`, "x-content-type-options": "nosniff" }
        })
      }),
      update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
        return yield* invoices.update(yield* own, params.id, patch, yield* versionRead(request, version))
      }),
      remove: atVersionRead(invoices.remove),
      finalize: atVersionRead(invoices.finalize),
      send: Effect.fnUntraced(function*({ params, payload, request }) {
        return yield* invoices.send(yield* own, params.id, payload, yield* versionRead(request))
      }),
      pay: Effect.fnUntraced(function*({ params, payload, request }) {
        const { account } = yield* Caller
        const keyed = yield* mayBeKeyed("invoice.pay", request, payload)
        const version = yield* versionRead(request)
        if (keyed === undefined) return yield* invoices.pay(account, params.id, payload, version)
        return respond(yield* invoices.payKeyed({ account, id: params.id, keyed, payload, version }))
      }),
      void: atVersionRead(invoices.voidOne),
      mark_uncollectible: atVersionRead(invoices.markUncollectible)
    })
  })
)
