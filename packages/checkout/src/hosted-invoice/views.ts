/** The page of an invoice: the words and numbers of its PDF. Pure. */
import type { Account } from "@svc/accounts/accounts/model"
import type { InvoiceStatus } from "@svc/billing/invoices/model"
import type { InvoiceView } from "@svc/billing/invoices/pdf/view"
import { brandOf } from "../brand.ts"
import * as design from "../design/components.ts"
import { type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"

const tones: Readonly<Record<InvoiceStatus, design.Tone>> = { draft: "plain", open: "notice", paid: "good", void: "plain", uncollectible: "bad" }

/** What is known when the page is shown. */
export interface Seen {
  readonly account: Pick<Account, "name" | "settings">
  readonly status: InvoiceStatus
  readonly view: InvoiceView
  /** Where the PDF is. */
  readonly pdf: string
}

const detailOf = (why: ReadonlyArray<string>): Html => html`${why.map((line) => html`<bdi>${line}</bdi>`)}`

export const invoicePage = ({ account, pdf, status, view }: Seen): Page => {
  const { buyer, due, facts, labels, language, memo, rightToLeft, rows, sums, title, total } = view
  const brand = brandOf(account)
  return {
    title: `${title} – ${brand.name}`,
    language: { tag: language, direction: rightToLeft ? "rtl" : "ltr" },
    brand,
    header: design.masthead(brand, design.badge(labels.status[status], tones[status])),
    main: html`<div class="stack"><div><h1>${title}</h1><p class="amount">${status === "open" ? due : total}</p></div>
${design.card(design.list([...facts, ...(buyer.length === 0 ? [] : [[labels.billTo, html`${buyer.map((line) => html`<bdi>${line}</bdi><br>`)}`] as const])]))}
${design.card(html`<h2>${labels.lines}</h2>
${design.summary(labels.lines, rows.map(({ amount, description, why }) => ({ name: description, amount, ...(why.length === 0 ? {} : { detail: detailOf(why) }) })))}
${sums.map(({ amount, label, strong }) => strong ? design.total(label, amount) : html`<p class="sum"><span>${label}</span><span class="num">${amount}</span></p>`)}`)}
${memo === null ? null : design.card(html`<p>${memo}</p>`)}
${design.button({ label: labels.pdf, href: pdf, kind: "primary", wide: true })}</div>`,
    style: ".sum{display:flex;justify-content:space-between;gap:1rem;margin:0}"
  }
}
