/** Invoices, cards, and what became of paying with them. */
import type { InvoiceStatus } from "@svc/billing/invoices/model"
import type { PaymentMethod } from "@svc/payments/payment-methods/model"
import { cardFrame, type Fields } from "../card-frame.ts"
import * as design from "../design/components.ts"
import { type Content, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { PAGE_SCRIPT } from "../hosted-page/script.ts"
import { day, isolated, money } from "../i18n/format.ts"
import { messagesOf } from "../i18n/messages.ts"
import { cameTo, type Owed, owedText, paidText, sumPaidText, sumText, whyNot } from "../owed/model.ts"
import { pendingAt } from "../owed/pending.ts"
import { framed, told } from "./frame.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Billed, Kept, OwedFor, Visit } from "./model.ts"
import { isAllowed } from "./rules.ts"
import { expiryOf, methodName, nameOf } from "./words.ts"

const tones = { draft: "plain", open: "notice", paid: "good", void: "plain", uncollectible: "bad" } as const satisfies Record<InvoiceStatus, design.Tone>

const invoiceRow = (visit: Visit, { invoice, payable, time_zone }: Billed): Html => {
  const { invoices } = portalMessagesOf(visit.tongue)
  const { amount_due, created_at, currency, finalized_at, hosted_url, id, number, status, total } = invoice
  const name = isolated(number ?? "")
  const links = html`${hosted_url === null ? null : html`<a href="${hosted_url}" aria-label="${invoices.view(name)}">${invoices.viewShort}</a><a href="${visit.path}/invoices/${id}/pdf" aria-label="${invoices.pdf(name)}">${invoices.pdfShort}</a>`}
${payable ? design.button({ label: invoices.pay(isolated(money(visit.tongue, amount_due, currency))), kind: "primary", href: `${visit.path}/invoices/${id}/pay` }) : null}`
  return html`<li><div class="what"><span>${day(visit.tongue, finalized_at ?? created_at, time_zone)}</span><small><bdi>${number}</bdi></small></div>
<span class="num">${money(visit.tongue, total, currency)}</span>${design.badge(invoices.status[status], tones[status])}<span class="links">${links}</span></li>`
}

export interface InvoicePage {
  readonly invoices: ReadonlyArray<Billed>
  /** Ids to go on from. */
  readonly older: string | undefined
  readonly newer: boolean
}

export const invoiceList = (visit: Visit, { invoices, newer, older }: InvoicePage): Page => {
  const { invoices: words } = portalMessagesOf(visit.tongue)
  const here = `${visit.path}/invoices`
  const pager = !newer && older === undefined ? null : html`<p class="pager">${newer ? html`<a href="${here}">${words.newer}</a>` : html`<span></span>`}${older === undefined ? null : html`<a href="${here}?after=${older}">${words.older}</a>`}</p>`
  return framed(visit, {
    title: words.title,
    section: "invoices",
    main: html`<h1>${words.title}</h1>${invoices.length === 0 ? html`<p>${words.none}</p>` : html`<ul class="rows">${invoices.map((one) => invoiceRow(visit, one))}</ul>`}${pager}`
  })
}

const methodRow = (visit: Visit, { expired, method, usual }: Kept): Html => {
  const { methods } = portalMessagesOf(visit.tongue)
  const expiry = expiryOf(visit.tongue, method)
  return html`<li><div class="what"><span>${methodName(visit.tongue, method)}</span>${expiry === undefined ? null : html`<small>${expired ? methods.expired(expiry) : methods.expires(expiry)}</small>`}</div>
${expired ? design.badge(methods.expired(expiry ?? ""), "bad") : null}${usual ? design.badge(methods.usual, "good") : null}</li>`
}

/** The form of the card fields. What is typed there never comes here: the form sends the provider's token alone. */
const cardForm = (visit: Visit, fields: Fields | undefined, owed: ReadonlyArray<OwedFor>, wrong: boolean): Html => {
  const { methods, noCard } = portalMessagesOf(visit.tongue)
  const { checkout, common } = messagesOf(visit.tongue)
  const each = owed.map((one) => ({ amount: owedText(visit.tongue, one), name: nameOf(one.plan) }))
  const single = each.length === 1 ? each[0] : undefined
  const text = single === undefined ? methods.addText : `${methods.addText} ${methods.addOwing(single.amount)}`
  // Several are named, so that nobody has to guess what a sum is for.
  const several = each.length < 2 ? null : html`<ul class="notes">${each.map(({ amount, name }) => html`<li>${name}: ${methods.addOwing(amount)}</li>`)}</ul>`
  if (fields === undefined) return html`<section class="card" id="card"><h2>${methods.add}</h2>${design.alert(checkout.card, checkout.unavailable, "notice")}</section>`
  return html`<section class="card" id="card"><h2>${methods.add}</h2><p class="quiet">${text}</p>${several}
<form method="post" action="${visit.path}/payment-methods" class="stack" data-pay novalidate>${wrong ? design.alert(checkout.declined, noCard) : null}${cardFrame(visit.tongue, fields)}
<div>${design.button({ label: owed.length === 0 ? methods.save : methods.savePaying(sumText(visit.tongue, owed)), kind: "primary", wide: true })}<p class="sr" role="status" data-live="${common.wait}"></p></div></form></section>`
}

export interface MethodPage {
  readonly methods: ReadonlyArray<Kept>
  readonly fields: Fields | undefined
  /** What the card is charged at once. */
  readonly owed: ReadonlyArray<OwedFor>
}

export const methodList = (visit: Visit, { fields, methods, owed }: MethodPage, wrong = false): Page => {
  const { methods: words } = portalMessagesOf(visit.tongue)
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  return framed(visit, {
    title: words.title,
    section: "methods",
    main: html`<h1>${words.title}</h1>${methods.length === 0 ? html`<p>${words.none}</p>` : html`<ul class="rows">${methods.map((one) => methodRow(visit, one))}</ul>`}
${mayUpdate ? cardForm(visit, fields, owed, wrong) : null}`,
    ...(mayUpdate && fields !== undefined ? { script: PAGE_SCRIPT, frames: [fields.source] } : {})
  })
}

/** While nobody knows; `place` tells the outcome. */
const pendingPage = (visit: Visit, { intent }: Owed, place: string): Page => {
  const { go, moved, refresh, script, status } = pendingAt(visit.tongue, intent, `${visit.path}${place}`)
  return framed(visit, { title: status.title, main: html`${told(visit, status, go)}${moved}`, ...(script === undefined ? {} : { script }), ...(refresh === undefined ? {} : { refresh }) })
}

const another = (visit: Visit): Content =>
  isAllowed(visit.account.settings.portal_settings, "update_payment_method")
    ? design.button({ label: portalMessagesOf(visit.tongue).pay.other, kind: "primary", href: `${visit.path}/payment-methods`, wide: true })
    : null

/** Where it is told what came of a card that was charged with these cycles. */
export const savedAt = ({ path }: Pick<Visit, "path">, cycles: ReadonlyArray<string>): string =>
  `${path}/payment-methods/saved${cycles.length === 0 ? "" : `/${cycles.join(".")}`}`

/** After a card was saved. `owed` is what it was charged at once. */
export const saved = (visit: Visit, owed: ReadonlyArray<OwedFor>): Page => {
  const { tongue } = visit
  const { done, invoices: { status: words } } = portalMessagesOf(tongue)
  const page = (status: design.Status, more?: Content) => framed(visit, { title: status.title, main: told(visit, status, more) })
  if (owed.length === 0) return page({ ...done.cardSaved, sign: "good" })
  const waiting = owed.find((one) => cameTo(one) === "pending")
  if (waiting !== undefined) return pendingPage(visit, waiting, savedAt({ path: "" }, owed.map(({ cycle }) => cycle.id)))
  const failed = owed.filter((one) => cameTo(one) === "failed")
  const paid = owed.filter((one) => cameTo(one) === "paid")
  const each = owed.length === 1 ? null : design.list(owed.map((one) => [nameOf(one.plan), cameTo(one) === "paid"
    ? html`<span class="num">${paidText(tongue, one)}</span> ${design.badge(words.paid, "good")}`
    : html`<span class="num">${owedText(tongue, one)}</span> ${design.badge(words.open, "bad")}`]))
  if (failed.length === 0) return page({ title: done.cardPaid.title, text: done.cardPaid.text(sumPaidText(tongue, paid)), sign: "good" }, each)
  const reasons = [...new Set(failed.map((one) => whyNot(tongue, one)))].filter((text) => text !== undefined)
  return page({ title: done.cardDeclined.title, text: [...reasons, done.cardDeclined.text(sumText(tongue, failed))].join(" "), sign: "bad" }, html`${each}${another(visit)}`)
}

/** Before an invoice is paid with the card that is kept. */
export const paying = (visit: Visit, { invoice, time_zone }: Billed, method: PaymentMethod | undefined): Page => {
  const { backToOverview, facts, methods, nav, pay } = portalMessagesOf(visit.tongue)
  const title = pay.title(isolated(invoice.number ?? ""))
  const amount = isolated(money(visit.tongue, invoice.amount_due, invoice.currency))
  const form = method === undefined
    ? null
    : html`<form method="post" action="${visit.path}/invoices/${invoice.id}/pay" class="actions">${design.button({ label: pay.confirm(amount), kind: "primary", wide: true })}</form>`
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  return framed(visit, {
    title,
    main: html`<div class="narrow stack">${design.back(nav.invoices, `${visit.path}/invoices`)}<h1>${title}</h1>
${design.list([[day(visit.tongue, invoice.due_date, time_zone), html`<span class="num">${amount}</span>`], [pay.with, method === undefined ? facts.noMethod : methodName(visit.tongue, method)]])}${form}
<div class="actions">${mayUpdate ? design.button({ label: method === undefined ? methods.add : pay.other, href: `${visit.path}/payment-methods`, wide: true }) : null}${design.button({ label: backToOverview, href: visit.path, wide: true })}</div></div>`
  })
}

/** After it. */
export const paid = (visit: Visit, owed: Owed): Page => {
  const { done } = portalMessagesOf(visit.tongue)
  const came = cameTo(owed)
  if (came === "pending") return pendingPage(visit, owed, `/invoices/${owed.invoice?.id ?? ""}/paid`)
  const status: design.Status = came === "paid"
    ? { title: done.paid.title, text: done.paid.text(paidText(visit.tongue, owed)), sign: "good" }
    : { title: done.payDeclined.title, text: [whyNot(visit.tongue, owed), done.payDeclined.text(owedText(visit.tongue, owed))].filter((text) => text !== undefined).join(" "), sign: "bad" }
  return framed(visit, { title: status.title, main: told(visit, status, came === "paid" ? null : another(visit)) })
}
