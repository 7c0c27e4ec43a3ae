/** Pieces of what the portal says: cards, plans, days and lines, in the customer's language. */
import type { Line } from "@svc/billing/lines/model"
import type { Plan } from "@svc/billing/plans/model"
import type { Subscription } from "@svc/billing/subscriptions/model"
import type { PaymentMethod } from "@svc/payments/payment-methods/model"
import { DateTime } from "effect"
import { day, isolated, money } from "../i18n/format.ts"
import type { Tongue } from "../i18n/locale.ts"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "./messages.ts"

/** As the networks write themselves. */
const brands: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express", discover: "Discover", diners: "Diners Club", jcb: "JCB", unionpay: "UnionPay" }

/** A card by its brand and its last digits; another method by its kind. */
export const methodName = (tongue: Tongue, { brand, last4, type }: PaymentMethod): string => {
  const { methods } = portalMessagesOf(tongue)
  const kind = methods.otherKind[type]
  return last4 === null ? kind : methods.ending(brand === null ? kind : brands[brand] ?? brand, isolated(last4))
}

/** The month that is on a card, such as 12/2034; undefined where there is none. */
export const expiryOf = ({ tag }: Tongue, { exp_month, exp_year }: Pick<PaymentMethod, "exp_month" | "exp_year">): string | undefined =>
  exp_month === null || exp_year === null
    ? undefined
    : isolated(new Intl.DateTimeFormat(tag, { month: "2-digit", year: "numeric", timeZone: "UTC" }).format(Date.UTC(exp_year, exp_month - 1, 15)))

/** A card is good until the end of the month that is on it. */
export const isExpired = ({ exp_month, exp_year }: Pick<PaymentMethod, "exp_month" | "exp_year">, at: DateTime.Utc): boolean =>
  exp_month !== null && exp_year !== null && Date.UTC(exp_year, exp_month, 1) <= at.epochMilliseconds

export const priceOf = (tongue: Tongue, { amount, billing_period, currency }: Pick<Plan, "amount" | "currency" | "billing_period">): string =>
  `${isolated(money(tongue, amount, currency))} ${messagesOf(tongue).checkout.every[billing_period]}`

export const nameOf = ({ name }: Pick<Plan, "name">): string => isolated(name)

/** A day of a subscription, in its own zone. */
export const dayOf = (tongue: Tongue, at: DateTime.Utc, { time_zone }: Pick<Subscription, "time_zone">): string => isolated(day(tongue, at, time_zone))

/** What a line is for. `plan` is the one that it belongs to, where that is known. */
export const lineName = (tongue: Tongue, { description, kind }: Pick<Line, "kind" | "description">, plan: Pick<Plan, "name"> | undefined): string => {
  const { plan: words } = portalMessagesOf(tongue)
  if (kind === "credit_applied") return words.credit
  if (kind === "credit_carried") return words.carried
  if (plan === undefined) return kind === "anchor_change" || kind === "credit_reversed" ? words.earlier : description
  switch (kind) {
    case "proration_credit":
      return words.unused(nameOf(plan))
    case "proration_charge":
      return words.rest(nameOf(plan))
    case "period":
      return words.period(nameOf(plan))
    default:
      return words.earlier
  }
}
