/** The email that an invoice is sent with. */
import { html } from "@svc/design/html"
import type { EmailMessage } from "@svc/platform/email/model"
import type { Invoice } from "../model.ts"
import { INVISIBLE } from "../pdf/direction.ts"
import type { InvoiceView } from "../pdf/view.ts"

/** Lines as people read them, with the PDF beside them. Sent again before anything has changed, it is the same email. */
export const letterOf = (invoice: Invoice, view: InvoiceView, to: string, pdf: Uint8Array): EmailMessage => {
  const { due, facts, labels, language, rightToLeft, rows, seller, sums, testMode, title, total } = view
  const pairs = [...facts, ...sums.map(({ amount, label }) => [label, amount] as const)]
  // Where nothing is asked for, what became of the invoice.
  const [what, amount] = invoice.status === "open" ? [labels.amountDue, due] : [labels.status[invoice.status], total]
  const link = invoice.hosted_url ?? invoice.pdf_url
  const text = [
    ...(testMode === null ? [] : [testMode]),
    `${seller.name}: ${title}`,
    `${what}: ${amount}`,
    ...rows.map(({ amount, description }) => `- ${description}: ${amount}`),
    pairs.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...(view.memo === null ? [] : [view.memo]),
    link
  ].join("\n\n")
  const page = html`<html lang="${language}" dir="${rightToLeft ? "rtl" : "ltr"}"><body style="font:16px/1.5 sans-serif;color:#1a1a1a">${[
    testMode === null ? null : html`<p>${testMode}</p>`,
    html`<h1 style="font-size:20px">${seller.name}: ${title}</h1><p style="font-size:18px">${what}: <strong>${amount}</strong></p>`,
    html`<ul>${rows.map(({ amount, description }) => html`<li>${description}: ${amount}</li>`)}</ul>`,
    html`<p>${pairs.map(([label, value], at) => html`${at === 0 ? null : html`<br>`}${label}: ${value}`)}</p>`,
    view.memo === null ? null : html`<p>${view.memo}</p>`,
    html`<p><a href="${link}">${link}</a></p>`
  ]}</body></html>`
  return {
    id: `invoice.send:${invoice.id}:${invoice.version}:${to}`,
    to: [to],
    subject: `${seller.name}: ${title}`.replace(INVISIBLE, ""),
    text: `${text}\n`,
    html: `<!doctype html>${page.text}\n`,
    attachments: [{
      filename: `${(invoice.number ?? invoice.id).replace(/[^A-Za-z0-9_-]/gu, "")}.pdf`,
      content_type: "application/pdf",
      content: pdf
    }]
  }
}
