/** The email that an invoice is sent with. */
import type { EmailMessage } from "@svc/kernel/email/model"
import type { Invoice } from "../model.ts"
import { INVISIBLE } from "../pdf/direction.ts"
import type { InvoiceView } from "../pdf/view.ts"

const escaped = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

/** Lines as people read them, with the PDF beside them. Sent again before anything has changed, it is the same email. */
export const letterOf = (invoice: Invoice, view: InvoiceView, to: string, pdf: Uint8Array): EmailMessage => {
  const { due, facts, labels, language, rightToLeft, rows, seller, sums, title, total } = view
  const pairs = [...facts, ...sums.map(({ amount, label }) => [label, amount] as const)]
  // Where nothing is asked for, what became of the invoice.
  const [what, amount] = invoice.status === "open" ? [labels.amountDue, due] : [labels.status[invoice.status], total]
  const link = invoice.hosted_url ?? invoice.pdf_url
  const text = [
    `${seller.name}: ${title}`,
    `${what}: ${amount}`,
    ...rows.map(({ amount, description }) => `- ${description}: ${amount}`),
    pairs.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...(view.memo === null ? [] : [view.memo]),
    link
  ].join("\n\n")
  const html = `<!doctype html><html lang="${language}" dir="${rightToLeft ? "rtl" : "ltr"}"><body style="font:16px/1.5 sans-serif;color:#1a1a1a">` +
    `<h1 style="font-size:20px">${escaped(seller.name)}: ${escaped(title)}</h1><p style="font-size:18px">${escaped(what)}: <strong>${escaped(amount)}</strong></p>` +
    `<ul>${rows.map(({ amount, description }) => `<li>${escaped(description)}: ${escaped(amount)}</li>`).join("")}</ul>` +
    `<p>${pairs.map(([label, value]) => `${escaped(label)}: ${escaped(value)}`).join("<br>")}</p>` +
    `${view.memo === null ? "" : `<p>${escaped(view.memo)}</p>`}<p><a href="${escaped(link)}">${escaped(link)}</a></p></body></html>\n`
  return {
    id: `invoice.send:${invoice.id}:${invoice.version}:${to}`,
    to: [to],
    subject: `${seller.name}: ${title}`.replace(INVISIBLE, ""),
    text: `${text}\n`,
    html,
    attachments: [{ filename: `${(invoice.number ?? invoice.id).replace(/[^A-Za-z0-9_-]/gu, "")}.pdf`, content_type: "application/pdf", content: pdf }]
  }
}
