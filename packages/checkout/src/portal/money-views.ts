/** Invoices, cards, and what became of paying with them. */
import type { InvoiceStatus } from "@svc/billing/invoices/model"
import type { PaymentMethod } from "@svc/payments/payment-methods/model"
import { type DeclineCode, declineCodes } from "@svc/payments/rails/model"
import * as design from "../design/components.ts"
import { attributes, type Content, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { PAGE_SCRIPT } from "../hosted-page/script.ts"
import { day, isolated, money } from "../i18n/format.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Fields } from "./card-frame.ts"
import { framed, told } from "./frame.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Billed, Kept, Owed, Visit } from "./model.ts"
import { isAllowed } from "./rules.ts"
import { expiryOf, methodName } from "./words.ts"

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
const cardForm = (visit: Visit, fields: Fields | undefined, owed: string | undefined, wrong: boolean): Html => {
  const { methods, noCard } = portalMessagesOf(visit.tongue)
  const { checkout, common } = messagesOf(visit.tongue)
  const text = owed === undefined ? methods.addText : `${methods.addText} ${methods.addOwing(owed)}`
  if (fields === undefined) return html`<section class="card" id="card"><h2>${methods.add}</h2>${design.alert(checkout.card, checkout.unavailable, "notice")}</section>`
  const frame = attributes({ class: "fields", title: checkout.cardFields, src: fields.url, sandbox: fields.sandbox, height: fields.height, "data-origin": fields.origin, allow: "payment 'none'" })
  return html`<section class="card" id="card"><h2>${methods.add}</h2><p class="quiet">${text}</p>
<form method="post" action="${visit.path}/payment-methods" class="stack" data-pay novalidate>${wrong ? design.alert(checkout.declined, noCard) : null}<input type="hidden" name="token" value="">
<noscript>${design.alert(checkout.card, checkout.needsScript, "notice")}</noscript><iframe${frame}></iframe>
<div>${design.button({ label: owed === undefined ? methods.save : methods.savePaying(owed), kind: "primary", wide: true })}<p class="sr" role="status" data-live="${common.wait}"></p></div></form></section>`
}

export interface MethodPage {
  readonly methods: ReadonlyArray<Kept>
  readonly fields: Fields | undefined
  /** What the card is charged at once. */
  readonly owed: Owed | undefined
}

const owedText = ({ tongue }: Visit, { cycle, invoice }: Owed): string =>
  isolated(money(tongue, invoice?.amount_due ?? Math.max(0, cycle.amount + cycle.proration_adjustment), cycle.currency))

export const methodList = (visit: Visit, { fields, methods, owed }: MethodPage, wrong = false): Page => {
  const { methods: words } = portalMessagesOf(visit.tongue)
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  return framed(visit, {
    title: words.title,
    section: "methods",
    main: html`<h1>${words.title}</h1>${methods.length === 0 ? html`<p>${words.none}</p>` : html`<ul class="rows">${methods.map((one) => methodRow(visit, one))}</ul>`}
${mayUpdate ? cardForm(visit, fields, owed === undefined ? undefined : owedText(visit, owed), wrong) : null}`,
    ...(mayUpdate && fields !== undefined ? { script: PAGE_SCRIPT, frames: [fields.source] } : {})
  })
}

const isDeclineCode = (text: string): text is DeclineCode => declineCodes.some((code) => code === text)

/** Why the last try came to nothing, in plain words; undefined where nobody said. */
const why = ({ tongue }: Visit, { cycle }: Owed): string | undefined => {
  const code = cycle.attempts.at(-1)?.decline_code ?? ""
  return isDeclineCode(code) ? messagesOf(tongue).declines[code] : undefined
}

type Came = "paid" | "failed" | "pending"

/** What came of the try. Its cycle tells. */
export const cameTo = ({ cycle }: Owed): Came =>
  cycle.status === "charged" || cycle.status === "refunded" ? "paid" : cycle.attempts.at(-1)?.outcome === "started" ? "pending" : "failed"

/** While nobody knows, the page looks again; where the bank asks for a step, it leads there. */
const pendingPage = (visit: Visit, { intent }: Owed): Page => {
  const { done } = portalMessagesOf(visit.tongue)
  const { action } = messagesOf(visit.tongue).checkout
  const url = intent?.next_action?.url
  const status: design.Status = url === undefined ? { ...done.pending, sign: "busy" } : { ...action, sign: "waiting" }
  const go = url === undefined ? null : design.button({ label: action.go, kind: "primary", href: url, wide: true })
  return { ...framed(visit, { title: status.title, main: told(visit, status, go) }), refresh: { seconds: 4 } }
}

const another = (visit: Visit): Content =>
  isAllowed(visit.account.settings.portal_settings, "update_payment_method")
    ? design.button({ label: portalMessagesOf(visit.tongue).pay.other, kind: "primary", href: `${visit.path}/payment-methods`, wide: true })
    : null

/** After a card was saved. `owed` is what it was charged at once, if something was. */
export const saved = (visit: Visit, owed: Owed | undefined): Page => {
  const { done } = portalMessagesOf(visit.tongue)
  const page = (status: design.Status, more?: Content) => framed(visit, { title: status.title, main: told(visit, status, more) })
  if (owed === undefined) return page({ ...done.cardSaved, sign: "good" })
  const came = cameTo(owed)
  if (came === "pending") return pendingPage(visit, owed)
  if (came === "paid") return page({ title: done.cardPaid.title, text: done.cardPaid.text(paidText(visit, owed)), sign: "good" })
  return page({ title: done.cardDeclined.title, text: [why(visit, owed), done.cardDeclined.text(owedText(visit, owed))].filter((text) => text !== undefined).join(" "), sign: "bad" }, another(visit))
}

const paidText = ({ tongue }: Visit, { cycle }: Owed): string => isolated(money(tongue, cycle.captured_amount, cycle.currency))

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
  if (came === "pending") return pendingPage(visit, owed)
  const status: design.Status = came === "paid"
    ? { title: done.paid.title, text: done.paid.text(paidText(visit, owed)), sign: "good" }
    : { title: done.payDeclined.title, text: [why(visit, owed), done.payDeclined.text(owedText(visit, owed))].filter((text) => text !== undefined).join(" "), sign: "bad" }
  return framed(visit, { title: status.title, main: told(visit, status, came === "paid" ? null : another(visit)) })
}
