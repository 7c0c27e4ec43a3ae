/** The amounts of payments of billing cycles, and why one was declined, in the words of a page. Pure. */
import { isolated, money } from "@svc/design/format"
import type { PageLocale } from "@svc/design/locale"
import { messagesOf } from "../i18n/messages.ts"
import { amountDue, amountPaid, type CyclePayment, isDeclineCode } from "./model.ts"

export const dueText = (pageLocale: PageLocale, payment: CyclePayment): string =>
  isolated(money(pageLocale, amountDue(payment), payment.cycle.currency))

export const paidText = (pageLocale: PageLocale, payment: CyclePayment): string =>
  isolated(money(pageLocale, amountPaid(payment), payment.cycle.currency))

/** One sum of each currency. */
const sumText =
  (amountOf: (payment: CyclePayment) => number) => ({ tag }: Pick<PageLocale, "tag">, payments: ReadonlyArray<CyclePayment>): string => {
    const sums = Array.from(
      Map.groupBy(payments, ({ cycle }) => cycle.currency),
      ([currency, some]) => isolated(money({ tag }, some.reduce((sum, payment) => sum + BigInt(amountOf(payment)), 0n), currency))
    )
    return new Intl.ListFormat(tag).format(sums)
  }

export const dueSumText = sumText(amountDue)
export const paidSumText = sumText(amountPaid)

/** Why the last attempt failed, in plain words; undefined where the rail did not say. */
export const declineText = (pageLocale: PageLocale, { cycle }: Pick<CyclePayment, "cycle">): string | undefined => {
  const code = cycle.attempts.at(-1)?.decline_code ?? ""
  return isDeclineCode(code) ? messagesOf(pageLocale).declines[code] : undefined
}
