/** What the page of a session shows in each state. Pure. */
import type { Account } from "@svc/accounts/accounts/model"
import type { Plan } from "@svc/billing/plans/model"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { type DeclineCode, declineCodes } from "@svc/payments/rails/model"
import { languageOf } from "../answers.ts"
import { brandOf } from "../brand.ts"
import { cardFrame, type Fields } from "../card-frame.ts"
import type { CheckoutSession } from "../checkout-sessions/model.ts"
import * as design from "../design/components.ts"
import { attributes, type Content, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { days, isolated, money, whole } from "../i18n/format.ts"
import type { Tongue } from "../i18n/locale.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Messages } from "../i18n/said.ts"
import { leadingBack } from "../simulator/way-back.ts"
import { PAGE_SCRIPT } from "./script.ts"

/** All that is known when a page is shown. */
export interface Seen {
  readonly session: CheckoutSession
  readonly account: Account
  /** Of a session in mode subscription. */
  readonly plan: Plan | undefined
  /** The payment that is under way. */
  readonly intent: PaymentIntent | undefined
  readonly tongue: Tongue
  /** Where the page is, as a path without a slash at the end. */
  readonly path: string
  /** The provider's card fields; undefined where cards are not taken. */
  readonly fields: Fields | undefined
}

/** What is wrong with what was sent. */
export interface Wrong {
  readonly email?: string
  readonly emailInvalid?: boolean
  readonly card?: boolean
}

/** Milliseconds in which the thanks can be read before the customer is taken back. */
const THANKS_FOR = 1500

const said = ({ tongue }: Seen): Messages => messagesOf(tongue)
const merchantOf = ({ account }: Seen): string => isolated(brandOf(account).name)
const amountOf = ({ session, tongue }: Seen): string => money(tongue, session.amount, session.currency)

const trialOf = ({ plan, tongue }: Seen): string | undefined => plan === undefined || plan.trial_period_days === 0 ? undefined : days(tongue, plan.trial_period_days)

const testBadge = (seen: Seen): Html | undefined => seen.account.sandbox ? design.badge(said(seen).common.testMode) : undefined

const backTo = (seen: Seen): Html | null =>
  seen.session.cancel_url === null ? null : design.back(said(seen).common.back(merchantOf(seen)), returnUrl(seen.session, seen.session.cancel_url))

/** The address with the id of the session in its place. */
export const returnUrl = ({ id }: Pick<CheckoutSession, "id">, url: string): string => url.replaceAll("{CHECKOUT_SESSION_ID}", id)

/** What is offered, and for how much. */
const offer = (seen: Seen): Html => {
  const { plan, session, tongue } = seen
  const { checkout, common } = said(seen)
  const amount = amountOf(seen)
  const trial = trialOf(seen)
  const lines = session.line_items.map(({ name, quantity, unit_amount }) => ({
    name,
    amount: money(tongue, BigInt(quantity) * BigInt(unit_amount), session.currency),
    ...(trial !== undefined ? { detail: checkout.trial(trial) } : quantity === 1 ? {} : { detail: `${whole(tongue, quantity)} × ${money(tongue, unit_amount, session.currency)}` })
  }))
  const period = plan === undefined ? null : html`<p class="quiet">${trial === undefined ? checkout.every[plan.billing_period] : checkout.thenEvery(amount, checkout.every[plan.billing_period])}</p>`
  const due = trial === undefined ? amount : money(tongue, 0, session.currency)
  return html`<div><h1 class="offer">${plan === undefined ? checkout.title(merchantOf(seen)) : checkout.subscribeTo(merchantOf(seen))}</h1>
<p class="amount">${trial === undefined ? amount : checkout.trial(trial)}</p>${period}</div>
${lines.length === 0 ? null : html`<div>${design.summary(common.orderSummary, lines)}${design.total(plan === undefined ? common.total : checkout.dueToday, due)}</div>`}`
}

const side = (seen: Seen): Html => html`${backTo(seen)}${design.masthead(brandOf(seen.account), testBadge(seen))}${offer(seen)}`

const isDeclineCode = (text: string): text is DeclineCode => declineCodes.some((code) => code === text)

/** Why the last try came to nothing, in plain words. */
const failure = (seen: Seen, { card = false }: Wrong): Html | null => {
  const { checkout, declines } = said(seen)
  const reason = seen.session.last_failure
  if (card || reason === "unusable") return design.alert(checkout.declined, checkout.chooseAgain)
  if (reason === null) return null
  if (isDeclineCode(reason)) return design.alert(checkout.declined, `${declines[reason]} ${checkout.notCharged}`)
  return design.alert(checkout.declined, reason === "unavailable" ? checkout.unavailable : `${checkout.notConfirmed} ${checkout.notCharged}`)
}

const emailField = (seen: Seen, { email, emailInvalid = false }: Wrong): Html | null => {
  const { checkout } = said(seen)
  return seen.session.customer_email === null
    ? design.field({
      id: "email",
      label: checkout.email,
      error: emailInvalid ? checkout.emailInvalid : undefined,
      attributes: { type: "email", name: "email", required: true, maxlength: 254, autocomplete: "email", inputmode: "email", dir: "ltr", value: email, "data-invalid": checkout.emailInvalid }
    })
    : html`<div><p class="label">${checkout.email}</p><p><bdi>${seen.session.customer_email}</bdi></p></div>`
}

/** Dollars can be paid with a dollar token, which the sandbox has. */
const takesStablecoin = ({ account, session }: Seen): boolean => account.sandbox && session.currency === "USD" && session.mode === "payment"

const methods = (seen: Seen): Html => {
  const { checkout } = said(seen)
  const { fields } = seen
  const legend = html`<legend class="label">${checkout.method}</legend>`
  if (fields === undefined) return html`<fieldset class="stack tight">${legend}${design.alert(checkout.card, checkout.unavailable, "notice")}</fieldset>`
  if (!takesStablecoin(seen)) return html`<fieldset class="stack tight">${legend}<div class="choices"><div class="inside alone">${cardFrame(seen.tongue, fields)}</div></div></fieldset>`
  return html`<fieldset class="stack tight">${legend}<div class="choices">
${design.choice({ name: "pay_with", value: "card", label: checkout.card, checked: true })}<div class="inside for-card">${cardFrame(seen.tongue, fields)}</div>
${design.choice({ name: "pay_with", value: "usdc", label: checkout.stablecoin, detail: checkout.stablecoinDetail, checked: false })}<div class="inside for-usdc"><p class="quiet">${checkout.stablecoinNext}</p></div>
</div></fieldset>`
}

const payLabel = (seen: Seen): string => {
  const { checkout } = said(seen)
  if (seen.plan === undefined) return checkout.pay(amountOf(seen))
  return trialOf(seen) === undefined ? checkout.subscribe : checkout.startTrial
}

const pageOf = (seen: Seen, title: string, rest: Pick<Page, "main"> & Partial<Page>): Page => ({
  title,
  language: languageOf(seen.tongue),
  brand: brandOf(seen.account),
  script: PAGE_SCRIPT,
  ...rest
})

/** The page that takes the payment. */
export const payment = (seen: Seen, wrong: Wrong = {}): Page => {
  const { account, fields, path, session } = seen
  const { checkout, common } = said(seen)
  const title = seen.plan === undefined ? checkout.title(brandOf(account).name) : checkout.subscribeTo(brandOf(account).name)
  const pay = design.button({ label: payLabel(seen), kind: "primary", wide: true })
  return pageOf(seen, title, {
    side: side(seen),
    frames: fields === undefined ? [] : [fields.source],
    main: html`<form method="post" action="${path}/pay" class="stack" data-pay novalidate>
${failure(seen, wrong)}<input type="hidden" name="try" value="${session.tries + 1}">
${emailField(seen, wrong)}${methods(seen)}
<div>${pay}<p class="sr" role="status" data-live="${common.wait}"></p></div></form>`
  })
}

/** A page of one column that says where the payment stands. */
const standing = (seen: Seen, status: design.Status, more: Content, rest: Partial<Page> = {}): Page =>
  pageOf(seen, status.title, { header: design.masthead(brandOf(seen.account), testBadge(seen)), main: html`${design.status(status)}${more}`, ...rest })

/** What the script compares to see that something has changed. */
export const stateOf = ({ payment_status, status, tries }: CheckoutSession, intent: PaymentIntent | undefined): string =>
  [status, payment_status, tries, intent?.pending_reason ?? ""].join(" ")

/** The page while it is not known what became of the payment. It looks again by itself. */
export const waiting = (seen: Seen, leads: boolean): Page => {
  const { intent, path, session } = seen
  const { checkout } = said(seen)
  const watch = html`<div${attributes({ "data-watch": `${path}/status`, "data-page": `${path}/wait`, "data-state": stateOf(session, intent) })}></div>`
  const again = { asks: true, refresh: { seconds: 4 } }
  const { action, processing, review, transfer } = checkout
  if (intent?.next_action != null) {
    const url = leadingBack(intent.next_action.url, `${path}/wait`, seen.tongue)
    const go = html`<div class="actions">${design.button({ label: action.go, kind: "primary", href: url, wide: true })}</div>`
    const next = leads ? html`<div${attributes({ "data-next": url })}></div>` : watch
    return standing(seen, { ...action, sign: "waiting" }, html`${go}${next}`, leads ? { refresh: { seconds: 0, url } } : again)
  }
  if (intent?.pending_reason === "async_rail") {
    const facts = design.list([[transfer.amount, html`<span class="num">${amountOf(seen)}</span>`], [transfer.network, checkout.stablecoin], [transfer.status, design.badge(transfer.pending)]])
    return standing(seen, { ...transfer, sign: "busy" }, html`<div class="actions">${design.card(facts)}</div>${watch}`, again)
  }
  if (intent?.pending_reason === "requires_approval") return standing(seen, { ...review, sign: "waiting" }, watch, again)
  return standing(seen, { ...processing, sign: "busy" }, watch, again)
}

/** The page when it is done. With `leads`, the customer is taken back to the merchant. */
export const done = (seen: Seen, leads: boolean): Page => {
  const { session } = seen
  const { checkout } = said(seen)
  const { paid, started } = checkout
  const status: design.Status = session.mode === "payment"
    ? { title: paid.title, text: paid.text(isolated(amountOf(seen)), merchantOf(seen)), sign: "good" }
    : { title: started.title, text: started.text(merchantOf(seen)), sign: "good" }
  if (session.success_url === null) return standing(seen, status, null)
  const url = returnUrl(session, session.success_url)
  const link = html`<div class="actions">${design.button({ label: checkout.returnTo(merchantOf(seen)), href: url, wide: true, kind: "primary" })}</div>`
  return leads
    ? standing(seen, status, html`${link}<p class="quiet after"${attributes({ "data-next": url, "data-after": THANKS_FOR, role: "status" })}>${checkout.returning(merchantOf(seen))}</p>`, { refresh: { seconds: 0, url } })
    : standing(seen, status, link)
}

/** The page whose time is over. */
export const expired = (seen: Seen): Page => {
  const { cancel_url } = seen.session
  const { checkout: { expired: over, returnTo } } = said(seen)
  const link = cancel_url === null ? null : html`<div class="actions">${design.button({ label: returnTo(merchantOf(seen)), href: returnUrl(seen.session, cancel_url), wide: true })}</div>`
  return standing(seen, { title: over.title, text: over.text(merchantOf(seen)), sign: "waiting" }, link)
}
