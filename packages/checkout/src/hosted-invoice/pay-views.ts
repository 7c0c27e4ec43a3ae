/** Paying an invoice: the card, and what became of it. Pure. */
import * as design from "@svc/design/components"
import { isolated, joined, money } from "@svc/design/format"
import { type Content, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { type CyclePayment, nextAttempt } from "../cycle-payments/model.ts"
import { pendingView } from "../cycle-payments/pending.ts"
import { declineText, paidText } from "../cycle-payments/texts.ts"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { brandOf } from "../pages/brand.ts"
import { cardFrame } from "../pages/card-frame.ts"
import { PAGE_SCRIPT } from "../pages/script.ts"
import { invoiceFrame, type InvoiceVisit } from "./views.ts"

/** What the alert above the form is about. */
export type PayAlert = "declined" | "card" | "unavailable"

const alertOf = (pageLocale: PageLocale, payment: CyclePayment, alert: PayAlert): Content => {
  const { checkout } = messagesOf(pageLocale)
  switch (alert) {
    case "card":
      return design.alert(checkout.declined, checkout.chooseAgain)
    case "unavailable":
      return design.alert(checkout.declined, checkout.unavailable)
    case "declined":
      return design.alert(
        checkout.declined,
        joined(pageLocale, [declineText(pageLocale, payment) ?? checkout.notConfirmed, checkout.notCharged])
      )
  }
}

/** The page that takes the card. */
export const payPage = (visit: InvoiceVisit, payment: CyclePayment, alert?: PayAlert): Page => {
  const { fields, invoice, path, pageLocale, view } = visit
  const { checkout, common } = messagesOf(pageLocale)
  const { pay } = portalMessagesOf(pageLocale)
  // A number does not break at its hyphen (U+2060, word joiner).
  const title = pay.title(isolated((invoice.number ?? "").replaceAll("-", "\u2060-\u2060")))
  const amount = money(pageLocale, invoice.amount_due, invoice.currency)
  const form = fields === undefined
    ? design.alert(checkout.card, checkout.unavailable, "notice")
    : html`<form method="post" action="${path}/pay" class="stack card-only" data-pay novalidate><input type="hidden" name="try" value="${
      nextAttempt(payment)
    }">${cardFrame(pageLocale, fields)}
<div>${
      design.button({ label: checkout.pay(isolated(amount)), kind: "primary", wide: true })
    }<p class="sr" role="status" data-live="${common.wait}"></p></div></form>`
  return {
    ...invoiceFrame(
      visit,
      title,
      html`${design.back(view.title, path)}<h1>${title}</h1>${alert === undefined ? null : alertOf(pageLocale, payment, alert)}
${
        design.card(
          html`${
            design.list([[view.labels.amountDue, html`<strong class="num">${amount}</strong>`]])
          }${form}<p class="quiet">${pay.once}</p>`
        )
      }`
    ),
    script: PAGE_SCRIPT,
    frames: fields === undefined ? [] : [fields.source]
  }
}

const invoiceLink = ({ path, view }: InvoiceVisit): Content =>
  html`<div class="actions">${design.button({ label: view.title, href: path, wide: true })}</div>`

/** The invoice is paid, by whichever attempt. */
export const paidPage = (visit: InvoiceVisit, payment: CyclePayment): Page => {
  const { account, pageLocale } = visit
  const { paid } = messagesOf(pageLocale).checkout
  const text = paid.text(paidText(pageLocale, payment), isolated(brandOf(account).name))
  return invoiceFrame(visit, paid.title, html`${design.status({ title: paid.title, text, sign: "good" })}${invoiceLink(visit)}`)
}

/** The last attempt failed, and no other can be made here. */
export const failedPage = (visit: InvoiceVisit, payment: CyclePayment): Page => {
  const { checkout } = messagesOf(visit.pageLocale)
  const text = joined(visit.pageLocale, [declineText(visit.pageLocale, payment) ?? checkout.notConfirmed, checkout.notCharged])
  return invoiceFrame(
    visit,
    checkout.declined,
    html`${design.status({ title: checkout.declined, text, sign: "bad" })}${invoiceLink(visit)}`
  )
}

/** The outcome is not known yet. With `opensBank`, the customer is taken to the bank. */
export const pendingPage = (visit: InvoiceVisit, { intent }: CyclePayment, opensBank: boolean): Page => {
  const { bankLink, redirection, status, ...rest } = pendingView(visit.pageLocale, intent, `${visit.path}/paid`, opensBank)
  const main = html`${design.status(status)}<div class="actions">${bankLink}</div>${redirection}`
  return { ...invoiceFrame(visit, status.title, main), ...rest }
}
