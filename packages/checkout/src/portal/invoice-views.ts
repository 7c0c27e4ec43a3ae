/** The customer's invoices, and the payment of an invoice with the stored method. Pure. */
import type { InvoiceStatus } from "@svc/billing/invoices/model"
import * as design from "@svc/design/components"
import { day, isolated, joined, money } from "@svc/design/format"
import { type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import { type CyclePayment, outcomeOf } from "../cycle-payments/model.ts"
import { declineText, dueText, paidText } from "../cycle-payments/texts.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { portalPage, type PortalVisit, statusView } from "./frame.ts"
import type { InvoiceDetails, MethodFacts } from "./model.ts"
import { otherCardButton, paymentPendingPage } from "./payment-views.ts"
import { isAllowed } from "./rules.ts"
import { methodName } from "./words.ts"

const tones = { draft: "plain", open: "notice", paid: "good", void: "plain", uncollectible: "bad" } as const satisfies Record<
  InvoiceStatus,
  design.Tone
>

const invoiceRow = (visit: PortalVisit, { invoice, isPayable, time_zone }: InvoiceDetails): Html => {
  const { invoices } = portalMessagesOf(visit.pageLocale)
  const { amount_due, created_at, currency, finalized_at, hosted_url, id, number, status, total } = invoice
  const name = isolated(number ?? "")
  const links = html`${
    hosted_url === null
      ? null
      : html`<a href="${hosted_url}" aria-label="${
        invoices.view(name)
      }">${invoices.viewShort}</a><a href="${visit.path}/invoices/${id}/pdf" aria-label="${invoices.pdf(name)}">${invoices.pdfShort}</a>`
  }
${
    isPayable
      ? design.button({
        label: invoices.pay(isolated(money(visit.pageLocale, amount_due, currency))),
        kind: "primary",
        href: `${visit.path}/invoices/${id}/pay`
      })
      : null
  }`
  return html`<li><div class="what"><span>${
    day(visit.pageLocale, finalized_at ?? created_at, time_zone)
  }</span><small><bdi>${number}</bdi></small></div>
<span class="num">${money(visit.pageLocale, total, currency)}</span>${
    design.badge(invoices.status[status], tones[status])
  }<span class="links">${links}</span></li>`
}

/** A page of the list of invoices. */
export interface InvoiceList {
  readonly invoices: ReadonlyArray<InvoiceDetails>
  /** The id of the last invoice on this page, if there are older invoices. */
  readonly older: string | undefined
  /** Whether there are newer invoices. */
  readonly newer: boolean
}

export const invoiceListPage = (visit: PortalVisit, { invoices, newer, older }: InvoiceList): Page => {
  const { invoices: words } = portalMessagesOf(visit.pageLocale)
  const path = `${visit.path}/invoices`
  const pager = !newer && older === undefined
    ? null
    : html`<p class="pager">${newer ? html`<a href="${path}">${words.newer}</a>` : html`<span></span>`}${
      older === undefined ? null : html`<a href="${path}?after=${older}">${words.older}</a>`
    }</p>`
  return portalPage(visit, {
    title: words.title,
    section: "invoices",
    main: html`<h1>${words.title}</h1>${
      invoices.length === 0
        ? html`<p>${words.none}</p>`
        : html`<ul class="rows">${invoices.map((details) => invoiceRow(visit, details))}</ul>`
    }${pager}`
  })
}

/** Asks the customer to confirm the payment of an invoice with the stored method. */
export const payInvoicePage = (visit: PortalVisit, { invoice, time_zone }: InvoiceDetails, method: MethodFacts | undefined): Page => {
  const { backToOverview, facts, methods, nav, pay } = portalMessagesOf(visit.pageLocale)
  const title = pay.title(isolated(invoice.number ?? ""))
  const amount = isolated(money(visit.pageLocale, invoice.amount_due, invoice.currency))
  const form = method === undefined
    ? null
    : html`<form method="post" action="${visit.path}/invoices/${invoice.id}/pay" class="actions">${
      design.button({ label: pay.confirm(amount), kind: "primary", wide: true })
    }</form>`
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  return portalPage(visit, {
    title,
    main: html`<div class="narrow stack">${design.back(nav.invoices, `${visit.path}/invoices`)}<h1>${title}</h1>
${
      design.list([[day(visit.pageLocale, invoice.due_date, time_zone), html`<span class="num">${amount}</span>`], [
        pay.with,
        method === undefined ? facts.noMethod : methodName(visit.pageLocale, method)
      ]])
    }${form}
<div class="actions">${
      mayUpdate
        ? design.button({ label: method === undefined ? methods.add : pay.other, href: `${visit.path}/payment-methods`, wide: true })
        : null
    }${design.button({ label: backToOverview, href: visit.path, wide: true })}</div></div>`
  })
}

/** The result of the payment of an invoice. */
export const invoicePaidPage = (visit: PortalVisit, payment: CyclePayment): Page => {
  const { done } = portalMessagesOf(visit.pageLocale)
  const outcome = outcomeOf(payment)
  if (outcome === "pending") return paymentPendingPage(visit, payment, `/invoices/${payment.invoice?.id ?? ""}/paid`)
  const status: design.Status = outcome === "paid"
    ? { title: done.paid.title, text: done.paid.text(paidText(visit.pageLocale, payment)), sign: "good" }
    : {
      title: done.payDeclined.title,
      text: joined(
        visit.pageLocale,
        [declineText(visit.pageLocale, payment), done.payDeclined.text(dueText(visit.pageLocale, payment))].filter((text) =>
          text !== undefined
        )
      ),
      sign: "bad"
    }
  return portalPage(visit, { title: status.title, main: statusView(visit, status, outcome === "paid" ? null : otherCardButton(visit)) })
}
