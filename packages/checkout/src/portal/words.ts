/** The names of cards, plans, days and lines in the customer's language. Pure. */
import type { Line } from "@svc/billing/engine/lines"
import type { Plan } from "@svc/billing/plans/model"
import type { Subscription } from "@svc/billing/subscriptions/model"
import { day, isolated, joined, money } from "@svc/design/format"
import type { PageLocale } from "@svc/design/locale"
import type { DateTime } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import type { MethodFacts } from "./model.ts"

/** The names of the card networks, in their own spelling. */
const brands: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay"
}

/** The name of a card: its brand and its last digits. The name of another method: its type. */
export const methodName = (pageLocale: PageLocale, { brand, last4, type }: MethodFacts): string => {
  const { methods } = portalMessagesOf(pageLocale)
  const kind = methods.otherKind[type]
  return last4 === null ? kind : methods.ending(brand === null ? kind : brands[brand] ?? brand, isolated(last4))
}

/** The expiry month of a card, such as 12/2034; undefined for other methods. */
export const expiryOf = ({ tag }: PageLocale, { exp_month, exp_year }: Pick<MethodFacts, "exp_month" | "exp_year">): string | undefined =>
  exp_month === null || exp_year === null
    ? undefined
    : isolated(
      new Intl.DateTimeFormat(tag, { month: "2-digit", year: "numeric", timeZone: "UTC" }).format(Date.UTC(exp_year, exp_month - 1, 15))
    )

export const priceOf = (
  pageLocale: PageLocale,
  { amount, billing_period, currency }: Pick<Plan, "amount" | "currency" | "billing_period">
): string => joined(pageLocale, [isolated(money(pageLocale, amount, currency)), messagesOf(pageLocale).checkout.every[billing_period]])

export const nameOf = ({ name }: Pick<Plan, "name">): string => isolated(name)

/** A day in the time zone of the subscription. */
export const dayOf = (pageLocale: PageLocale, at: DateTime.Utc, { time_zone }: Pick<Subscription, "time_zone">): string =>
  isolated(day(pageLocale, at, time_zone))

/** The name of a line. `plan` is the plan of the line, if the page has loaded the plan. */
export const lineName = (
  pageLocale: PageLocale,
  { description, kind }: Pick<Line, "kind" | "description">,
  plan: Pick<Plan, "name"> | undefined
): string => {
  const { plan: words } = portalMessagesOf(pageLocale)
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
