/** What the page of a session shows in each state. Pure. */
import { trialEnd } from "@svc/billing/engine/calendar/boundaries"
import { timeZoneOf } from "@svc/billing/engine/calendar/customer-time-zone"
import * as design from "@svc/design/components"
import { day, isolated, joined } from "@svc/design/format"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import type { DateTime } from "effect"
import type { CheckoutSession } from "../checkout-sessions/model.ts"
import { isDeclineCode } from "../cycle-payments/model.ts"
import type { Messages } from "../i18n/messages/shape.ts"
import { brandOf, merchantOf } from "../pages/brand.ts"
import { cardFrame } from "../pages/card-frame.ts"
import { legalView } from "../pages/legal.ts"
import { languageOf } from "../pages/message-page.ts"
import { PAGE_SCRIPT } from "../pages/script.ts"
import { withReturnPath } from "../simulator/return-path.ts"
import { amountOf, type CheckoutVisit, messagesFor, returnUrl, side, testBadge, trialOf } from "./offer-views.ts"
import { type Transfer, transferOf } from "./rules.ts"

/** What has to be corrected in the form that was sent. */
export interface Correction {
  /** The address as it was sent. */
  readonly email?: string
  readonly emailInvalid?: boolean
  readonly card?: boolean
}

/** Milliseconds in which the thanks can be read before the customer is taken back. */
const THANKS_MILLIS = 1500

/** Why the last try failed, in plain words. */
const failure = (visit: CheckoutVisit, { card = false }: Correction): Html | null => {
  const { checkout, declines } = messagesFor(visit)
  const reason = visit.session.last_failure
  if (card || reason === "unusable") return design.alert(checkout.declined, checkout.chooseAgain)
  if (reason === null) return null
  if (isDeclineCode(reason)) return design.alert(checkout.declined, joined(visit.pageLocale, [declines[reason], checkout.notCharged]))
  return design.alert(
    checkout.declined,
    reason === "unavailable" ? checkout.unavailable : joined(visit.pageLocale, [checkout.notConfirmed, checkout.notCharged])
  )
}

const emailField = (visit: CheckoutVisit, { email, emailInvalid = false }: Correction): Html | null => {
  const { checkout } = messagesFor(visit)
  return visit.session.customer_email === null
    ? design.field({
      id: "email",
      label: checkout.email,
      error: emailInvalid ? checkout.emailInvalid : undefined,
      attributes: {
        // A field of type email refuses addresses of other scripts.
        type: "text",
        name: "email",
        required: true,
        maxlength: 254,
        autocomplete: "email",
        inputmode: "email",
        autocapitalize: "none",
        spellcheck: "false",
        pattern: "\\s*[^\\s@]+@[^\\s@]+\\.[^\\s@.]+\\s*",
        dir: "ltr",
        value: email,
        "data-invalid": checkout.emailInvalid
      }
    })
    : html`<div><p class="label">${checkout.email}</p><p><bdi>${visit.session.customer_email}</bdi></p></div>`
}

/** How a choice of {@link transfers} is told. */
const transferTexts = ({ checkout }: Messages): Readonly<Record<Transfer, readonly [label: string, detail: string, next: string]>> => ({
  bank: [checkout.bankTransfer, checkout.bankTransferDetail, checkout.bankTransferNext],
  usdc: [checkout.stablecoin, checkout.stablecoinDetail, checkout.stablecoinNext]
})

const methods = (visit: CheckoutVisit): Html => {
  const messages = messagesFor(visit)
  const { checkout } = messages
  const { fields } = visit
  const legend = html`<legend class="label">${checkout.method}</legend>`
  if (fields === undefined) {
    return html`<fieldset class="stack tight">${legend}${design.alert(checkout.card, checkout.unavailable, "notice")}</fieldset>`
  }
  const frame = cardFrame(visit.pageLocale, fields)
  if (visit.transfers.length === 0) {
    return html`<fieldset class="stack tight">${legend}<div class="choices"><div class="inside alone">${frame}</div></div></fieldset>`
  }
  const others = visit.transfers.map((value) => {
    const [label, detail, next] = transferTexts(messages)[value]
    return html`${
      design.choice({ name: "pay_with", value, label, detail, checked: false })
    }<div class="inside for-${value}"><p class="quiet">${next}</p></div>`
  })
  return html`<fieldset class="stack tight">${legend}<div class="choices">
${design.choice({ name: "pay_with", value: "card", label: checkout.card, checked: true })}<div class="inside for-card">${frame}</div>
${others}
</div></fieldset>`
}

/** The zone that the customer reads dates in: of the subscription, and before there is one, that in which it will be made. */
const zoneOf = ({ account, subscription }: CheckoutVisit): string => timeZoneOf(subscription, account)

/** When a subscription is charged for the first time. */
const firstCharge = (visit: CheckoutVisit): DateTime.Utc =>
  visit.plan === undefined ? visit.at : trialEnd(visit.at, visit.plan.trial_period_days, zoneOf(visit))

/** What is agreed to by subscribing: the first charge, and that more follow until the customer cancels. */
const agreement = (visit: CheckoutVisit): Html | null => {
  const { pageLocale, plan } = visit
  const { every, renews, renewsAfterTrial } = messagesFor(visit).checkout
  if (plan === undefined) return null
  const text = plan.trial_period_days === 0 ? renews : renewsAfterTrial
  const first = isolated(day(pageLocale, firstCharge(visit), zoneOf(visit)))
  return html`<p class="quiet">${text(amountOf(visit), first, every[plan.billing_period])}</p>`
}

const payLabel = (visit: CheckoutVisit): string => {
  const { checkout } = messagesFor(visit)
  if (visit.plan === undefined) return checkout.pay(amountOf(visit))
  return trialOf(visit) === undefined ? checkout.subscribe : checkout.startTrial
}

const pageOf = (visit: CheckoutVisit, title: string, rest: Pick<Page, "main"> & Partial<Page>): Page => ({
  title,
  language: languageOf(visit.pageLocale),
  brand: brandOf(visit.account),
  script: PAGE_SCRIPT,
  ...rest
})

/** The page that takes the payment. */
export const paymentPage = (visit: CheckoutVisit, correction: Correction = {}): Page => {
  const { account, fields, path, session } = visit
  const { checkout, common } = messagesFor(visit)
  const title = visit.plan === undefined ? checkout.title(brandOf(account).name) : checkout.subscribeTo(brandOf(account).name)
  const pay = design.button({ label: payLabel(visit), kind: "primary", wide: true })
  return pageOf(visit, title, {
    side: side(visit),
    frames: fields === undefined ? [] : [fields.source],
    main: html`<form method="post" action="${path}/pay" class="stack${
      visit.transfers.length === 0 ? " card-only" : ""
    }" data-pay novalidate>
${failure(visit, correction)}<input type="hidden" name="try" value="${session.tries + 1}">
${emailField(visit, correction)}${methods(visit)}
${agreement(visit)}<div>${pay}<p class="sr" role="status" data-live="${common.wait}"></p></div></form>${
      legalView(account, visit.pageLocale)
    }`
  })
}

/** A page of one column that says how the payment stands. */
const statusPage = (visit: CheckoutVisit, status: design.Status, more: Content, rest: Partial<Page> = {}): Page =>
  pageOf(visit, status.title, {
    header: design.masthead(brandOf(visit.account), testBadge(visit)),
    main: html`${design.status(status)}${more}`,
    ...rest
  })

/** What the script compares to see that something has changed. */
export const stateOf = ({ payment_status, status, tries }: CheckoutSession, intent: PaymentIntent | undefined): string =>
  [status, payment_status, tries, intent?.pending_reason ?? ""].join(" ")

/** The page while the outcome of the payment is not known, which looks again by itself. With `redirects`, it leads to the bank. */
export const waitingPage = (visit: CheckoutVisit, redirects: boolean): Page => {
  const { intent, path, session } = visit
  const { checkout } = messagesFor(visit)
  const watch = html`<div${
    attributes({ "data-watch": `${path}/status`, "data-page": `${path}/wait`, "data-state": stateOf(session, intent) })
  }></div>`
  const again = { asks: true, refresh: { seconds: 4 } }
  const { action, processing, review, transfer } = checkout
  if (intent?.next_action != null) {
    const url = withReturnPath(intent.next_action.url, `${path}/wait`, visit.pageLocale)
    const go = html`<div class="actions">${design.button({ label: action.go, kind: "primary", href: url, wide: true })}</div>`
    const next = redirects ? html`<div${attributes({ "data-next": url })}></div>` : watch
    return statusPage(visit, { ...action, sign: "waiting" }, html`${go}${next}`, redirects ? { refresh: { seconds: 0, url } } : again)
  }
  if (intent?.pending_reason === "async_rail") {
    const facts = design.list([
      [transfer.amount, html`<span class="num">${amountOf(visit)}</span>`],
      [transfer.network, transferTexts(messagesFor(visit))[transferOf(intent) ?? "usdc"][0]],
      [transfer.status, design.badge(transfer.pending)]
    ])
    return statusPage(visit, { ...transfer, sign: "busy" }, html`<div class="actions">${design.card(facts)}</div>${watch}`, again)
  }
  if (intent?.pending_reason === "requires_approval") return statusPage(visit, { ...review, sign: "waiting" }, watch, again)
  return statusPage(visit, { ...processing, sign: "busy" }, watch, again)
}

/** The page of a session that is complete. With `redirects`, the customer is taken back to the merchant. */
export const donePage = (visit: CheckoutVisit, redirects: boolean): Page => {
  const { session } = visit
  const { checkout } = messagesFor(visit)
  const { paid, started, startedTrial } = checkout
  const trialEndsAt = visit.subscription?.status === "trialing" ? visit.subscription.trial_end : null
  const status: design.Status = session.mode === "payment"
    ? { title: paid.title, text: paid.text(amountOf(visit), merchantOf(visit)), sign: "good" }
    : trialEndsAt == null
    ? { title: started.title, text: started.text(merchantOf(visit)), sign: "good" }
    : {
      title: startedTrial.title,
      text: startedTrial.text(merchantOf(visit), amountOf(visit), isolated(day(visit.pageLocale, trialEndsAt, zoneOf(visit)))),
      sign: "good"
    }
  if (session.success_url === null) return statusPage(visit, status, null)
  const url = returnUrl(session, session.success_url)
  const link = html`<div class="actions">${
    design.button({ label: checkout.returnTo(merchantOf(visit)), href: url, wide: true, kind: "primary" })
  }</div>`
  return redirects
    ? statusPage(
      visit,
      status,
      html`${link}<p class="quiet after"${attributes({ "data-next": url, "data-after": THANKS_MILLIS, role: "status" })}>${
        checkout.returning(merchantOf(visit))
      }</p>`,
      { refresh: { seconds: 0, url } }
    )
    : statusPage(visit, status, link)
}

/** The page of a session that has expired. */
export const expiredPage = (visit: CheckoutVisit): Page => {
  const { cancel_url } = visit.session
  const { checkout: { expired: over, returnTo } } = messagesFor(visit)
  const link = cancel_url === null
    ? null
    : html`<div class="actions">${
      design.button({ label: returnTo(merchantOf(visit)), href: returnUrl(visit.session, cancel_url), wide: true })
    }</div>`
  return statusPage(visit, { title: over.title, text: over.text(merchantOf(visit)), sign: "waiting" }, link)
}
