/** The customer's payment methods, the form for a new card, and the payments that the new card was charged for. Pure. */
import * as design from "@svc/design/components"
import { joined } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import { outcomeOf } from "../cycle-payments/model.ts"
import { declineText, dueSumText, dueText, paidSumText, paidText } from "../cycle-payments/texts.ts"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { type CardFields, cardFrame } from "../pages/card-frame.ts"
import { PAGE_SCRIPT } from "../pages/script.ts"
import { portalPage, type PortalVisit, statusView } from "./frame.ts"
import type { MethodDetails, PlanPayment } from "./model.ts"
import { otherCardButton, paymentPendingPage } from "./payment-views.ts"
import { isAllowed } from "./rules.ts"
import { expiryOf, methodName, nameOf } from "./words.ts"

const methodRow = (visit: PortalVisit, { isDefault, isExpired, method }: MethodDetails): Html => {
  const { methods } = portalMessagesOf(visit.pageLocale)
  const expiry = expiryOf(visit.pageLocale, method)
  return html`<li><div class="what"><span>${methodName(visit.pageLocale, method)}</span>${
    expiry === undefined ? null : html`<small>${isExpired ? methods.expired(expiry) : methods.expires(expiry)}</small>`
  }</div>
${isExpired ? design.badge(methods.expired(expiry ?? ""), "bad") : null}
${isDefault ? design.badge(methods.defaultMethod, "good") : null}</li>`
}

/** The form for a new card. The form sends only the provider's token: the customer types the card number into the provider's frame. */
const cardForm = (visit: PortalVisit, { fields, overdue }: Pick<MethodList, "fields" | "overdue">, unusable: boolean): Html => {
  const { methods, noCard } = portalMessagesOf(visit.pageLocale)
  const { checkout, common } = messagesOf(visit.pageLocale)
  const amounts = overdue.map((payment) => ({ amount: dueText(visit.pageLocale, payment), name: nameOf(payment.plan) }))
  const single = amounts.length === 1 ? amounts[0] : undefined
  const text = single === undefined ? methods.addText : joined(visit.pageLocale, [methods.addText, methods.addOwing(single.amount)])
  // Lists several amounts, so that the customer understands the sum.
  const several = amounts.length < 2
    ? null
    : html`<ul class="notes">${amounts.map(({ amount, name }) => html`<li>${name}: ${methods.addOwing(amount)}</li>`)}</ul>`
  if (fields === undefined) {
    return html`<section class="card" id="card"><h2>${methods.add}</h2>${
      design.alert(checkout.card, checkout.unavailable, "notice")
    }</section>`
  }
  return html`<section class="card" id="card"><h2>${methods.add}</h2><p class="quiet">${text}</p>${several}
<form method="post" action="${visit.path}/payment-methods" class="stack card-only" data-pay novalidate>${
    unusable ? design.alert(checkout.declined, noCard) : null
  }${cardFrame(visit.pageLocale, fields)}
<div>${
    design.button({
      label: overdue.length === 0 ? methods.save : methods.savePaying(dueSumText(visit.pageLocale, overdue)),
      kind: "primary",
      wide: true
    })
  }<p class="sr" role="status" data-live="${common.wait}"></p></div></form></section>`
}

export interface MethodList {
  readonly methods: ReadonlyArray<MethodDetails>
  readonly fields: CardFields | undefined
  /** The overdue payments that a new card is charged for at once. */
  readonly overdue: ReadonlyArray<PlanPayment>
}

/** The methods, and the form for a new card. `unusable` shows that the sent card cannot be used. */
export const methodListPage = (visit: PortalVisit, { fields, methods, overdue }: MethodList, unusable = false): Page => {
  const { methods: words } = portalMessagesOf(visit.pageLocale)
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  return portalPage(visit, {
    title: words.title,
    section: "methods",
    main: html`<h1>${words.title}</h1>${
      methods.length === 0 ? html`<p>${words.none}</p>` : html`<ul class="rows">${methods.map((details) => methodRow(visit, details))}</ul>`
    }
${mayUpdate ? cardForm(visit, { fields, overdue }, unusable) : null}`,
    ...(mayUpdate && fields !== undefined ? { script: PAGE_SCRIPT, frames: [fields.source] } : {})
  })
}

/** The path of the result page of a card that was charged for these cycles. */
export const cardSavedPath = ({ path }: Pick<PortalVisit, "path">, cycles: ReadonlyArray<string>): string =>
  `${path}/payment-methods/saved${cycles.length === 0 ? "" : `/${cycles.join(".")}`}`

/** The result page of a saved card. `payments` are the payments that the card was charged for. */
export const cardSavedPage = (visit: PortalVisit, payments: ReadonlyArray<PlanPayment>): Page => {
  const { pageLocale } = visit
  const { done, invoices: { status: words } } = portalMessagesOf(pageLocale)
  const page = (status: design.Status, more?: Content) => portalPage(visit, { title: status.title, main: statusView(visit, status, more) })
  if (payments.length === 0) return page({ ...done.cardSaved, sign: "good" })
  const pending = payments.find((payment) => outcomeOf(payment) === "pending")
  if (pending !== undefined) return paymentPendingPage(visit, pending, cardSavedPath({ path: "" }, payments.map(({ cycle }) => cycle.id)))
  const failures = payments.filter((payment) => outcomeOf(payment) === "failed")
  const amounts = payments.length === 1 ? null : design.list(payments.map((payment) => [
    nameOf(payment.plan),
    outcomeOf(payment) === "paid"
      ? html`<span class="num">${paidText(pageLocale, payment)}</span> ${design.badge(words.paid, "good")}`
      : html`<span class="num">${dueText(pageLocale, payment)}</span> ${design.badge(words.open, "bad")}`
  ]))
  if (failures.length === 0) {
    return page({ title: done.cardPaid.title, text: done.cardPaid.text(paidSumText(pageLocale, payments)), sign: "good" }, amounts)
  }
  const reasons = [...new Set(failures.map((payment) => declineText(pageLocale, payment)))].filter((text) => text !== undefined)
  return page({
    title: done.cardDeclined.title,
    text: joined(pageLocale, [...reasons, done.cardDeclined.text(dueSumText(pageLocale, failures))]),
    sign: "bad"
  }, html`${amounts}${otherCardButton(visit)}`)
}
