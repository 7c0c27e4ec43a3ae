/** The page of an invoice: the words and numbers of its PDF. Pure. */
import type { Account } from "@svc/accounts/accounts/model"
import type { Invoice, InvoiceStatus } from "@svc/billing/invoices/model"
import type { InvoiceView } from "@svc/billing/invoices/pdf/view"
import { brandOf } from "../brand.ts"
import type { Fields } from "../card-frame.ts"
import * as design from "../design/components.ts"
import { type Content, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { isolated, money } from "../i18n/format.ts"
import type { Tongue } from "../i18n/locale.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Owed } from "../owed/model.ts"

const tones: Readonly<Record<InvoiceStatus, design.Tone>> = { draft: "plain", open: "notice", paid: "good", void: "plain", uncollectible: "bad" }

/** What is known when a page of it is shown. */
export interface Opened {
  readonly account: Account
  readonly invoice: Invoice
  readonly view: InvoiceView
  /** The language of its customer, as the invoice is written in. */
  readonly tongue: Tongue
  /** Of its page, without a slash at the end. */
  readonly path: string
  /** Its billing cycle, where it has one. */
  readonly owed: Owed | undefined
  /** Whether it can be paid here. */
  readonly payable: boolean
  /** The provider's card fields; undefined where cards are not taken. */
  readonly fields: Fields | undefined
}

const STYLE = ".sum{display:flex;justify-content:space-between;gap:1rem;margin:0}.each bdi{display:block}"

/** The page around each of its views. */
export const framed = ({ account, invoice, view }: Opened, title: string, main: Content): Page => {
  const brand = brandOf(account)
  return {
    title: `${title} – ${brand.name}`,
    language: { tag: view.language, direction: view.rightToLeft ? "rtl" : "ltr" },
    brand,
    header: design.masthead(brand, design.badge(view.labels.status[invoice.status], tones[invoice.status])),
    main: html`<div class="stack">${main}</div>`,
    style: STYLE
  }
}

const detailOf = (why: ReadonlyArray<string>): Html => html`<span class="each">${why.map((line) => html`<bdi>${line}</bdi>`)}</span>`

export const invoicePage = (opened: Opened): Page => {
  const { invoice, path, payable, tongue, view: { buyer, due, facts, labels, memo, rows, sums, title, total } } = opened
  const isOwed = invoice.status === "open" || invoice.status === "uncollectible"
  const pay = payable ? design.button({ label: messagesOf(tongue).checkout.pay(isolated(money(tongue, invoice.amount_due, invoice.currency))), href: `${path}/pay`, kind: "primary", wide: true }) : null
  return framed(opened, title, html`<div><h1>${title}</h1><p class="quiet">${isOwed ? labels.amountDue : labels.total}</p><p class="amount">${isOwed ? due : total}</p></div>${pay}
${design.card(design.list([...facts, ...(buyer.length === 0 ? [] : [[labels.billTo, html`<span class="each">${buyer.map((line) => html`<bdi>${line}</bdi>`)}</span>`] as const])]))}
${design.card(html`<h2>${labels.lines}</h2>
${design.summary(labels.lines, rows.map(({ amount, description, why }) => ({ name: description, amount, ...(why.length === 0 ? {} : { detail: detailOf(why) }) })))}
${sums.map(({ amount, label, strong }) => strong ? design.total(label, amount) : html`<p class="sum"><span>${label}</span><span class="num">${amount}</span></p>`)}`)}
${memo === null ? null : design.card(html`<p>${memo}</p>`)}
${design.button({ label: labels.pdf, href: `${path}/pdf`, kind: payable ? "plain" : "primary", wide: true })}`)
}
