/** Paying an invoice: the card, and what became of it. Pure. */
import { brandOf } from "../brand.ts"
import { cardFrame } from "../card-frame.ts"
import * as design from "../design/components.ts"
import { type Content, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { PAGE_SCRIPT } from "../hosted-page/script.ts"
import { isolated, money } from "../i18n/format.ts"
import { messagesOf } from "../i18n/messages.ts"
import { nextTry, type Owed, paidText, whyNot } from "../owed/model.ts"
import { pendingAt } from "../owed/pending.ts"
import { portalMessagesOf } from "../portal/messages.ts"
import { framed, type Opened } from "./views.ts"

/** What is told above the form. */
export type Wrong = "declined" | "card" | "unavailable"

const alertOf = ({ tongue }: Opened, owed: Owed, wrong: Wrong): Content => {
  const { checkout } = messagesOf(tongue)
  switch (wrong) {
    case "card":
      return design.alert(checkout.declined, checkout.chooseAgain)
    case "unavailable":
      return design.alert(checkout.declined, checkout.unavailable)
    case "declined":
      return design.alert(checkout.declined, `${whyNot(tongue, { cycle: owed.cycle }) ?? checkout.notConfirmed} ${checkout.notCharged}`)
  }
}

/** The page that takes the card. */
export const payPage = (opened: Opened, owed: Owed, wrong?: Wrong): Page => {
  const { fields, invoice, path, tongue, view } = opened
  const { checkout, common } = messagesOf(tongue)
  const { pay } = portalMessagesOf(tongue)
  // A number does not break at its hyphen (U+2060, word joiner).
  const title = pay.title(isolated((invoice.number ?? "").replaceAll("-", "\u2060-\u2060")))
  const amount = money(tongue, invoice.amount_due, invoice.currency)
  const form = fields === undefined
    ? design.alert(checkout.card, checkout.unavailable, "notice")
    : html`<form method="post" action="${path}/pay" class="stack" data-pay novalidate><input type="hidden" name="try" value="${nextTry(owed)}">${cardFrame(tongue, fields)}
<div>${design.button({ label: checkout.pay(isolated(amount)), kind: "primary", wide: true })}<p class="sr" role="status" data-live="${common.wait}"></p></div></form>`
  return {
    ...framed(opened, title, html`${design.back(view.title, path)}<h1>${title}</h1>${wrong === undefined ? null : alertOf(opened, owed, wrong)}
${design.card(html`${design.list([[view.labels.amountDue, html`<strong class="num">${amount}</strong>`]])}${form}<p class="quiet">${pay.once}</p>`)}`),
    script: PAGE_SCRIPT,
    frames: fields === undefined ? [] : [fields.source]
  }
}

const toInvoice = ({ path, view }: Opened, kind: "plain" | "primary" = "plain"): Content =>
  html`<div class="actions">${design.button({ label: view.title, href: path, kind, wide: true })}</div>`

/** Paid, by whichever try. */
export const thanks = (opened: Opened, owed: Owed): Page => {
  const { account, tongue } = opened
  const { paid } = messagesOf(tongue).checkout
  const text = paid.text(paidText(tongue, owed), isolated(brandOf(account).name))
  return framed(opened, paid.title, html`${design.status({ title: paid.title, text, sign: "good" })}${toInvoice(opened)}`)
}

/** The last try failed, and no other can be made here. */
export const ended = (opened: Opened, owed: Owed): Page => {
  const { checkout } = messagesOf(opened.tongue)
  const text = `${whyNot(opened.tongue, owed) ?? checkout.notConfirmed} ${checkout.notCharged}`
  return framed(opened, checkout.declined, html`${design.status({ title: checkout.declined, text, sign: "bad" })}${toInvoice(opened)}`)
}

/** Nobody knows yet. With `leads`, the customer is taken to the bank. */
export const pending = (opened: Opened, { intent }: Owed, leads: boolean): Page => {
  const { go, moved, status, ...rest } = pendingAt(opened.tongue, intent, `${opened.path}/paid`, leads)
  return { ...framed(opened, status.title, html`${design.status(status)}<div class="actions">${go}</div>${moved}`), ...rest }
}
