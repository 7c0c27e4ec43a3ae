/** The portal's pages of invoices. */
import { queryOf } from "@svc/platform/pages/forms"
import { Effect } from "effect"
import { answer, gone, redirected } from "../../routing/answers.ts"
import { invoiceListPage, invoicePaidPage, payInvoicePage } from "../invoice-views.ts"
import { Portal } from "../service/portal.ts"
import type { PortalRequest } from "./request.ts"

export const makeInvoicePages = Effect.gen(function*() {
  const portal = yield* Portal

  return {
    invoices: Effect.fnUntraced(function*({ caller, request, visit }: PortalRequest) {
      const after = queryOf(request, "after")
      return answer(
        invoiceListPage(
          visit,
          yield* portal.invoicePage(caller, after !== undefined && /^inv_[0-9A-Z]{26}$/u.test(after) ? after : undefined)
        )
      )
    }),
    pdf: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const { invoice } = yield* portal.invoice(caller, params["invoice"] ?? "")
      return invoice.hosted_url === null ? gone(visit.pageLocale) : redirected(`${invoice.hosted_url}/pdf`)
    }),
    payPage: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const { method, ...details } = yield* portal.invoice(caller, params["invoice"] ?? "")
      return details.isPayable ? answer(payInvoicePage(visit, details, method)) : redirected(`${visit.path}/invoices`)
    }),
    pay: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      yield* portal.pay(caller, params["invoice"] ?? "")
      return redirected(`${visit.path}/invoices/${params["invoice"] ?? ""}/paid`)
    }),
    paid: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const { payment } = yield* portal.invoice(caller, params["invoice"] ?? "")
      return payment === undefined || payment.cycle.attempts.length === 0
        ? redirected(`${visit.path}/invoices`)
        : answer(invoicePaidPage(visit, payment))
    })
  }
})
