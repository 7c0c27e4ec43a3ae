/** The offer of a session, which stands beside each view of its page: what is sold, by whom, at which price. Pure. */
import type { Account } from "@svc/accounts/accounts/model"
import type { Plan } from "@svc/billing/plans/model"
import type { Subscription } from "@svc/billing/subscriptions/model"
import * as design from "@svc/design/components"
import { days, isolated, money, whole } from "@svc/design/format"
import { type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import type { DateTime } from "effect"
import type { CheckoutSession, LineItem } from "../checkout-sessions/model.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Messages } from "../i18n/messages/shape.ts"
import { brandOf, merchantOf } from "../pages/brand.ts"
import type { CardFields } from "../pages/card-frame.ts"
import type { Transfer } from "./rules.ts"

/** A checkout session on its page. */
export interface CheckoutVisit {
  readonly session: CheckoutSession
  readonly account: Account
  /** Of a session in mode subscription. */
  readonly plan: Plan | undefined
  /** What a session in mode subscription has made. */
  readonly subscription: Subscription | undefined
  /** The payment that is under way. */
  readonly intent: PaymentIntent | undefined
  readonly pageLocale: PageLocale
  /** The path of the page, without a slash at the end. */
  readonly path: string
  /** The provider's card fields; undefined where cards are not taken. */
  readonly fields: CardFields | undefined
  /** What takes the payment besides cards. */
  readonly transfers: ReadonlyArray<Transfer>
  /** Now. */
  readonly at: DateTime.Utc
}

export const messagesFor = ({ pageLocale }: CheckoutVisit): Messages => messagesOf(pageLocale)
export const amountOf = ({ session, pageLocale }: CheckoutVisit): string => isolated(money(pageLocale, session.amount, session.currency))

export const trialOf = ({ plan, pageLocale }: CheckoutVisit): string | undefined =>
  plan === undefined || plan.trial_period_days === 0 ? undefined : days(pageLocale, plan.trial_period_days)

export const testBadge = (visit: CheckoutVisit): Html | undefined =>
  visit.account.sandbox ? design.badge(messagesFor(visit).common.testMode) : undefined

const backTo = (visit: CheckoutVisit): Html | null =>
  visit.session.cancel_url === null
    ? null
    : design.back(messagesFor(visit).common.back(merchantOf(visit)), returnUrl(visit.session, visit.session.cancel_url))

/** The address with the id of the session in its place. */
export const returnUrl = ({ id }: Pick<CheckoutSession, "id">, url: string): string => url.replaceAll("{CHECKOUT_SESSION_ID}", id)

/** What is said below a line: what the plan is, how long its trial lasts, or how many there are of an item. */
const detailOf = ({ pageLocale, plan, session }: CheckoutVisit, { quantity, unit_amount }: LineItem): string | undefined => {
  if (plan !== undefined) return plan.description ?? undefined
  return quantity === 1
    ? undefined
    : `${isolated(whole(pageLocale, quantity))} × ${isolated(money(pageLocale, unit_amount, session.currency))}`
}

/** The offer, and its price. */
const offer = (visit: CheckoutVisit): Html => {
  const { plan, session, pageLocale } = visit
  const { checkout, common } = messagesFor(visit)
  const amount = amountOf(visit)
  const trial = trialOf(visit)
  const lines = session.line_items.map((item) => {
    const detail = detailOf(visit, item)
    return {
      name: item.name,
      amount: money(pageLocale, BigInt(item.quantity) * BigInt(item.unit_amount), session.currency),
      ...(detail === undefined ? {} : { detail })
    }
  })
  const period = plan === undefined
    ? null
    : html`<p class="quiet">${
      trial === undefined ? checkout.every[plan.billing_period] : checkout.thenEvery(amount, checkout.every[plan.billing_period])
    }</p>`
  const due = trial === undefined ? amount : money(pageLocale, 0, session.currency)
  return html`<div><h1 class="offer">${
    plan === undefined ? checkout.title(merchantOf(visit)) : checkout.subscribeTo(merchantOf(visit))
  }</h1>
<p class="amount">${trial === undefined ? amount : checkout.trial(trial)}</p>${period}</div>
${
    lines.length === 0
      ? null
      : html`<div>${design.summary(common.orderSummary, lines, common.showItems(whole(pageLocale, lines.length)))}${
        design.total(plan === undefined ? common.total : checkout.dueToday, due)
      }</div>`
  }`
}

export const side = (visit: CheckoutVisit): Html =>
  html`${backTo(visit)}${design.masthead(brandOf(visit.account), testBadge(visit))}${offer(visit)}`
