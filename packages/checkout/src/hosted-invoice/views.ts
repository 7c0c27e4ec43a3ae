/** The page of an invoice: the words and numbers of its PDF. Pure. */
import type { InvoiceStatus } from "@svc/billing/invoices/model"
import * as design from "@svc/design/components"
import { isolated, money } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { messagesOf } from "../i18n/messages.ts"
import { brandOf } from "../pages/brand.ts"
import type { CardFields } from "../pages/card-frame.ts"
import { legalView } from "../pages/legal.ts"
import type { HostedInvoice } from "./model.ts"

const tones: Readonly<Record<InvoiceStatus, design.Tone>> = {
  draft: "plain",
  open: "notice",
  paid: "good",
  void: "plain",
  uncollectible: "bad"
}

/** An invoice on its page. */
export interface InvoiceVisit extends HostedInvoice {
  /** The language of its customer, as the invoice is written in. */
  readonly pageLocale: PageLocale
  /** The path of the page, without a slash at the end. */
  readonly path: string
  /** The provider's card fields; undefined where cards are not taken. */
  readonly fields: CardFields | undefined
}

const STYLE = ".sum{display:flex;justify-content:space-between;gap:1rem;margin:0}.each bdi{display:block}"

/** The page around each view of the invoice. */
export const invoiceFrame = ({ account, invoice, pageLocale, view }: InvoiceVisit, title: string, main: Content): Page => {
  const brand = brandOf(account)
  const badges = html`${view.testMode === null ? null : design.badge(view.testMode)}${
    design.badge(view.labels.status[invoice.status], tones[invoice.status])
  }`
  return {
    title: `${title} – ${brand.name}`,
    language: { tag: view.language, direction: view.rightToLeft ? "rtl" : "ltr" },
    brand,
    header: design.masthead(brand, badges),
    main: html`<div class="stack">${main}${legalView(account, pageLocale)}</div>`,
    style: STYLE
  }
}

const detailOf = (why: ReadonlyArray<string>): Html => html`<span class="each">${why.map((line) => html`<bdi>${line}</bdi>`)}</span>`

export const invoicePage = (visit: InvoiceVisit): Page => {
  const { invoice, isPayable, path, pageLocale, view: { buyer, due, facts, labels, memo, rows, sums, title, total } } = visit
  const isDue = invoice.status === "open" || invoice.status === "uncollectible"
  const pay = isPayable
    ? design.button({
      label: messagesOf(pageLocale).checkout.pay(isolated(money(pageLocale, invoice.amount_due, invoice.currency))),
      href: `${path}/pay`,
      kind: "primary",
      wide: true
    })
    : null
  return invoiceFrame(
    visit,
    title,
    html`<div><h1>${title}</h1><p class="quiet">${isDue ? labels.amountDue : labels.total}</p><p class="amount">${
      isDue ? due : total
    }</p></div>${pay}
${
      design.card(design.list([
        ...facts,
        ...(buyer.length === 0
          ? []
          : [
            [
              labels.billTo,
              html`<span class="each">${buyer.map((line) => html`<bdi>${line}</bdi>`)}</span>`
            ] as const
          ])
      ]))
    }
${
      design.card(html`<h2>${labels.lines}</h2>
${
        design.summary(
          labels.lines,
          rows.map(({ amount, description, why }) => ({
            name: description,
            amount,
            ...(why.length === 0 ? {} : { detail: detailOf(why) })
          }))
        )
      }
${
        sums.map(({ amount, label, strong }) =>
          strong ? design.total(label, amount) : html`<p class="sum"><span>${label}</span><span class="num">${amount}</span></p>`
        )
      }`)
    }
${memo === null ? null : design.card(html`<p>${memo}</p>`)}
${design.button({ label: labels.pdf, href: `${path}/pdf`, kind: isPayable ? "plain" : "primary", wide: true })}`
  )
}
