/** The page of an invoice and its PDF, for whoever has the address: on the listener of the payments API. Looking changes nothing. */
import { Accounts } from "@svc/accounts/accounts/service"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer, gone, orBroken, tongueOf, tooMany } from "../answers.ts"
import { PageLimit } from "../limits.ts"
import { invoicePage } from "./views.ts"

/** What `hosted_token` looks like; what does not is not asked for. */
const TOKEN = /^[0-9a-f]{32}$/u

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const accounts = yield* Accounts
  const invoices = yield* Invoices
  const limit = yield* PageLimit

  const page = Effect.fnUntraced(function*(token: string) {
    const { invoice, view } = yield* invoices.hosted(token)
    const account = yield* Effect.orDie(accounts.get(invoice.account_id))
    return answer(invoicePage({ account, status: invoice.status, view, pdf: `${token}/pdf` }))
  })

  const document = Effect.fnUntraced(function*(token: string) {
    const { bytes, name } = yield* invoices.hostedPdf(token)
    return HttpServerResponse.uint8Array(bytes, {
      contentType: "application/pdf",
      headers: { "content-disposition": `inline; filename="${name}"`, "cache-control": "no-store", "x-content-type-options": "nosniff" }
    })
  })

  type Shown = (token: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

  /** `costly`: so many an hour and no more. */
  const at = (shown: Shown, costly: boolean) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { token = "" } = yield* HttpRouter.params
      const tongue = tongueOf(request)
      if (!TOKEN.test(token)) return gone(tongue)
      if (costly && !(yield* limit.take(token, request))) return tooMany(tongue)
      return yield* orBroken(tongue, Effect.catch(shown(token), () => Effect.succeed(gone(tongue))))
    })

  yield* router.add("GET", "/invoices/:token", at(page, false))
  yield* router.add("GET", "/invoices/:token/pdf", at(document, true))
}))
