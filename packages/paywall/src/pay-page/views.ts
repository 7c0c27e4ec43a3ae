/** What the pay page shows in each state. Pure. */
import * as design from "@svc/design/components"
import { isolated, joined, minute, money, whole } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { CREDITS_A_CENT, plans } from "@svc/metering/plans/model"
import { DateTime } from "effect"
import type { CreditPurchase } from "../credit-purchases/model.ts"
import type { Offer } from "../credit-purchases/offer.ts"
import { isOver } from "../credit-purchases/rules.ts"
import { messagesOf } from "./messages.ts"
import type { Message, Messages } from "./messages/shape.ts"

/** The tokens of the simulator's cards, by the names that the form sends: what a card's number is, nobody types here. */
export const cards = {
  visa: "tok_visa",
  mastercard: "tok_mastercard",
  declined: "tok_generic_decline",
  poor: "tok_insufficient_funds"
} as const satisfies Record<keyof Messages["cards"], string>
export type CardName = keyof typeof cards

const cardNames: ReadonlyArray<CardName> = ["visa", "mastercard", "declined", "poor"]

export const isCardName = (name: string | undefined): name is CardName => cardNames.some((card) => card === name)

/** Who reads the page, and who is paid. */
export interface Reading {
  readonly pageLocale: PageLocale
  /** What the server calls itself. */
  readonly merchant: string
}

/** What is known of an offer when its page is shown. */
export interface ShownOffer extends Reading {
  readonly offer: Offer
  readonly purchase: CreditPurchase | undefined
  readonly at: DateTime.Utc
  /** Whether no money moves for the account. */
  readonly sandbox: boolean
  /** Whether a card can pay it here. */
  readonly payable: boolean
  /** The plan is held already, and has no end. */
  readonly held: boolean
  readonly tools_url: string
}

/** A page, and its status. */
export interface View {
  readonly page: Page
  readonly status: number
}

const pageOf = (
  { merchant, pageLocale }: Reading,
  title: string,
  main: Content,
  more: { readonly note?: Html; readonly seconds?: number } = {}
): Page => {
  const brand = { name: merchant, color: null, logo_url: null }
  return {
    title: `${title} · ${merchant}`,
    language: { tag: pageLocale.tag, direction: pageLocale.direction },
    brand,
    header: design.masthead(brand, more.note),
    main: html`<div class="stack">${main}</div>`,
    style: "ol{padding-inline-start:1.5rem}ol>li+li{margin-block-start:var(--space-2)}code{font:.875em ui-monospace,monospace}",
    ...(more.seconds === undefined ? {} : { refresh: { seconds: more.seconds } })
  }
}

/** A page that says one thing. */
export const messagePage = (reading: Reading, { text, title }: Message): Page =>
  pageOf(reading, title, design.status({ title, text, sign: "bad" }))

const amountOf = ({ offer: { cents }, pageLocale }: Pick<ShownOffer, "offer" | "pageLocale">): string =>
  isolated(money(pageLocale, cents, "USD"))

const masked = (account: string): string => `${account.slice(0, 7)}…${account.slice(-4)}`

const soldOf = ({ offer: { cents, plan }, pageLocale }: ShownOffer): string => {
  const messages = messagesOf(pageLocale)
  const credits = (of: number) => isolated(whole(pageLocale, of * CREDITS_A_CENT))
  if (plan === null) return messages.credits(credits(cents))
  const { allowance, months } = plans[plan]
  const { endless, month, months: several } = messages.lengths
  const length = months === null ? endless : months === 1 ? month : several(isolated(whole(pageLocale, months)))
  return messages.plan(isolated(plan), credits(allowance), length)
}

const facts = (visit: ShownOffer, account: string): Html => {
  const { offer, pageLocale } = visit
  const { callOf, facts: labels } = messagesOf(pageLocale)
  return design.card(design.list([
    [labels.sold, soldOf(visit)],
    ...(offer.tool === null ? [] : [[labels.tool, callOf(isolated(offer.tool))] as const]),
    [labels.account, html`<bdi>${masked(account)}</bdi>`],
    [labels.until, isolated(minute(pageLocale, offer.expires_at))]
  ]))
}

const form = (visit: ShownOffer): Html => {
  const { cards: labels, chooseCard, pay } = messagesOf(visit.pageLocale)
  const choices = cardNames.map((name, n) =>
    design.choice({ name: "card", value: name, label: labels[name], checked: n === 0, attributes: { required: true } })
  )
  return html`<form method="post" class="stack"><fieldset><legend class="label">${chooseCard}</legend><div class="choices">${choices}</div></fieldset>${
    design.button({ label: pay(amountOf(visit)), kind: "primary", wide: true })
  }</form>`
}

const stranger = (visit: ShownOffer): Page => {
  const { offer: { plan, tool }, pageLocale, tools_url } = visit
  const words = messagesOf(pageLocale).stranger
  const code = (text: string) => html`<code dir="ltr">${text}</code>`
  const price = plan === null && tool !== null ? words.costs(isolated(tool), amountOf(visit)) : soldOf(visit)
  return pageOf(
    visit,
    words.title,
    html`<h1>${words.title}</h1><p>${joined(pageLocale, [price, words.text])}</p><ol><li>${
      words.open(code(`POST ${tools_url}/v1/accounts`), code(`POST ${tools_url}/v1/agents/signup`))
    }</li><li>${words.again(code("X-Svc-Key"))}</li><li>${words.pay}</li></ol>`
  )
}

/** How a purchase stands that takes no card any more; undefined while it does. */
const ended = (
  { at, held, offer, pageLocale, payable, purchase }: ShownOffer
): (Message & Pick<design.Status, "sign"> & { readonly status: number; readonly seconds?: number }) | undefined => {
  const { expired, failed, held: isHeld, noCards, paid, pending } = messagesOf(pageLocale)
  if (purchase?.state === "paid") {
    const thanks = offer.tool === null ? paid.credits : offer.plan === null ? paid.call : paid.plan
    return { title: paid.title, text: joined(pageLocale, [thanks, paid.purchase(isolated(purchase.id))]), sign: "good", status: 200 }
  }
  if (purchase !== undefined && purchase.charge !== null) return { ...pending, sign: "busy", status: 200, seconds: 2 }
  if (purchase?.state === "failed") return { ...failed, sign: "bad", status: 410 }
  if (purchase === undefined ? DateTime.isLessThanOrEqualTo(offer.expires_at, at) : isOver(purchase, at)) {
    return { ...expired, sign: "waiting", status: 410 }
  }
  if (held) return { ...isHeld, sign: "good", status: 409 }
  return payable ? undefined : { ...noCards, sign: "waiting", status: 501 }
}

/** The page, and its status. */
export const view = (visit: ShownOffer): View => {
  const { merchant, offer: { account }, pageLocale, purchase, sandbox } = visit
  if (account === undefined) return { status: 200, page: stranger(visit) }
  const { declined, testMode, title } = messagesOf(pageLocale)
  const note = sandbox ? { note: design.badge(testMode) } : {}
  const end = ended(visit)
  if (end !== undefined) {
    const { seconds, status, ...shown } = end
    const main = html`${design.status(shown)}${facts(visit, account)}`
    return { status, page: pageOf(visit, shown.title, main, { ...note, ...(seconds === undefined ? {} : { seconds }) }) }
  }
  const alert = (purchase?.failure_reason ?? null) === null ? null : design.alert(declined.title, declined.text)
  const head = html`<div><h1 class="offer">${title(isolated(merchant))}</h1><p class="amount">${amountOf(visit)}</p></div>`
  return { status: 200, page: pageOf(visit, title(merchant), html`${head}${alert}${facts(visit, account)}${form(visit)}`, note) }
}
