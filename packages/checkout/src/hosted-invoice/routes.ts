/**
 * The page of an invoice, its PDF, and its payment, on the listener of the payments API: they open for anybody who has the address. Looking
 * changes nothing.
 */
import type { Invoice } from "@svc/billing/invoices/model"
import type { InvoiceView } from "@svc/billing/invoices/pdf/view"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { pageLocaleFor } from "@svc/design/locale"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { isOwn, pathOf, queryOf, readForm } from "@svc/platform/pages/forms"
import { PageLimit } from "@svc/platform/pages/limits"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { outcomeOf } from "../cycle-payments/model.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { CardFieldsUrl } from "../pages/card-fields-url.ts"
import { fieldsFor, isToken } from "../pages/card-frame.ts"
import { messagePage } from "../pages/message-page.ts"
import { answer, gone, orBroken, pageLocaleOf, redirected, tooMany } from "../routing/answers.ts"
import { failedPage, paidPage, type PayAlert, payPage, pendingPage } from "./pay-views.ts"
import { makeHostedInvoices } from "./service.ts"
import { invoicePage, type InvoiceVisit } from "./views.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The form of a `hosted_token`; other text is not looked for. */
const TOKEN = /^[0-9a-f]{32}$/u

const makePages = Effect.gen(function*() {
  const { find, pay } = yield* makeHostedInvoices
  const providerUrl = yield* CardFieldsUrl

  const visitOf = (token: string, reader: string) =>
    Effect.map(find(token, reader), (hosted): InvoiceVisit => {
      const pageLocale = pageLocaleFor(hosted.view.language, undefined)
      const path = pathOf(hosted.invoice.hosted_url ?? "")
      return { ...hosted, pageLocale, path, fields: fieldsFor(hosted.account, pageLocale, path, providerUrl) }
    })

  /** The form, or where the invoice stands when there is nothing to pay any more. */
  const form = (visit: InvoiceVisit, alert?: PayAlert, status = 200): Response => {
    const { isPayable, path, payment } = visit
    if (payment === undefined) return redirected(path)
    const outcome = outcomeOf(payment)
    if (isPayable && outcome !== "pending") return answer(payPage(visit, payment, alert), status)
    return redirected(isPayable || outcome === "paid" ? `${path}/paid` : path)
  }

  return {
    visitOf,
    show: (visit: InvoiceVisit) => Effect.succeed(answer(invoicePage(visit))),
    form: (visit: InvoiceVisit, request: Request) =>
      Effect.succeed(form(visit, queryOf(request, "declined") === undefined ? undefined : "declined")),
    pay: Effect.fnUntraced(function*(visit: InvoiceVisit, request: Request) {
      const { account, path, pageLocale } = visit
      if (!isOwn(request)) return answer(messagePage(pageLocale, portalMessagesOf(pageLocale).notAllowed), 403)
      const field = yield* readForm(request)
      const [attempt, token] = [Number(field("try")), field("token")]
      if (!isToken(account, token)) return form(visit, "card", 400)
      return yield* pay(visit, { attempt, token }).pipe(
        Effect.as(redirected(`${path}/paid?go`)),
        Effect.catch(({ _tag }) => Effect.succeed(_tag === "ValidationError" ? form(visit, "card", 400) : form(visit, "unavailable", 409)))
      )
    }),
    paid: (visit: InvoiceVisit, request: Request) => {
      const { isPayable, path, payment } = visit
      if (payment === undefined || payment.cycle.attempts.length === 0) return Effect.succeed(redirected(path))
      const outcome = outcomeOf(payment)
      if (outcome === "paid") return Effect.succeed(answer(paidPage(visit, payment)))
      if (outcome === "pending") return Effect.succeed(answer(pendingPage(visit, payment, request.url.endsWith("?go"))))
      return Effect.succeed(isPayable ? redirected(`${path}/pay?declined`) : answer(failedPage(visit, payment)))
    }
  }
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [invoices, limit] = [yield* Invoices, yield* PageLimit]
  const { inTimeOf } = yield* accountTime
  const pages = yield* makePages

  const document = Effect.fnUntraced(function*({ account_id, id }: Invoice, { language }: InvoiceView) {
    const { bytes, name } = yield* invoices.pdf(account_id, id, language)
    return HttpServerResponse.uint8Array(bytes, {
      contentType: "application/pdf",
      headers: { "content-disposition": `inline; filename="${name}"`, "cache-control": "no-store", "x-content-type-options": "nosniff" }
    })
  })

  type Handler = (visit: InvoiceVisit, request: Request) => Effect.Effect<Response, { readonly _tag: string }>

  /** Takes a try of the invoice, once it is found. That of its network is taken before, as anybody can make up a token. */
  const limited = (handler: Handler): Handler => (visit, request) =>
    Effect.flatMap(
      limit.takeOfPage(visit.invoice.id),
      (isWithin) => isWithin ? handler(visit, request) : Effect.succeed(tooMany(pageLocaleOf(request)))
    )

  /** Answers in the time of the invoice's account. `costly` requests are limited to so many an hour. */
  const at = (handler: Handler, costly = false) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { token = "" } = yield* HttpRouter.params
      const pageLocale = pageLocaleOf(request)
      if (!TOKEN.test(token)) return gone(pageLocale)
      if (costly && !(yield* limit.takeOfNetwork(request))) return tooMany(pageLocale)
      const page = Effect.flatMap(pages.visitOf(token, pageLocale.tag), (visit) =>
        inTimeOf(visit.account.id)((costly ? limited(handler) : handler)(visit, request)))
      return yield* orBroken(
        pageLocale,
        Effect.catch(page, ({ _tag }) =>
          Effect.succeed(_tag === "RateLimited" ? tooMany(pageLocale) : gone(pageLocale)))
      )
    })

  yield* router.add("GET", "/invoices/:token", at(pages.show))
  yield* router.add("GET", "/invoices/:token/pay", at(pages.form))
  yield* router.add("POST", "/invoices/:token/pay", at(pages.pay, true))
  yield* router.add("GET", "/invoices/:token/paid", at(pages.paid))
  yield* router.add("GET", "/invoices/:token/pdf", at(({ invoice, view }) => document(invoice, view), true))
}))
