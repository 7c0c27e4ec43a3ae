/** The pages of a change of plan: choice, preview and result. Pure. */
import type { Line } from "@svc/billing/engine/lines"
import type { Plan } from "@svc/billing/plans/model"
import * as design from "@svc/design/components"
import { isolated, joined, money } from "@svc/design/format"
import { type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import type { DeclineCode } from "@svc/payments/rails/model"
import { DateTime } from "effect"
import type { CyclePayment } from "../cycle-payments/model.ts"
import { pendingView } from "../cycle-payments/pending.ts"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { portalPage, type PortalVisit, statusView } from "./frame.ts"
import type { PlanChangeDetails, SubscriptionDetails } from "./model.ts"
import { subscriptionPath } from "./overview.ts"
import { dayOf, lineName, nameOf, priceOf } from "./words.ts"

/** The plans to choose from, including the current plan. */
export const planChoicePage = (visit: PortalVisit, details: SubscriptionDetails, plans: ReadonlyArray<Plan>, unchosen = false): Page => {
  const { backToOverview, plan: words } = portalMessagesOf(visit.pageLocale)
  const { pending, plan } = details
  const others = plans.filter(({ id }) => id !== plan.id && id !== pending?.id)
  const undo = pending === undefined ? [] : [plan]
  const choices = [...undo, ...others].map((one) =>
    design.choice({
      name: "plan",
      value: one.id,
      label: one.name,
      checked: false,
      detail: [priceOf(visit.pageLocale, one), one.description].filter((text) => text !== null).join(" · ")
    })
  )
  const form = html`<form method="get" action="${subscriptionPath(visit, details)}/plan" class="stack">${
    unchosen ? design.alert(words.title, words.unchosen) : null
  }
<fieldset><legend class="label">${words.choose}</legend><div class="choices">${choices}</div></fieldset>${
    design.button({ label: words.next, kind: "primary", wide: true })
  }</form>`
  return portalPage(visit, {
    title: words.title,
    main: html`<div class="narrow stack">${design.back(backToOverview, visit.path)}<h1>${words.title}</h1>
${design.list([[words.current, html`<bdi>${plan.name}</bdi><br><span class="quiet">${priceOf(visit.pageLocale, plan)}</span>`]])}
${choices.length === 0 ? html`<p>${words.none}</p>` : form}</div>`
  })
}

const isCredit = ({ kind }: Line): boolean => kind === "credit_applied" || kind === "credit_carried"

/** The lines with their plans' names. */
const linesOf = ({ pageLocale }: PortalVisit, { plan, preview, subscription, to }: PlanChangeDetails): ReadonlyArray<design.Line> => {
  const { plan: words } = portalMessagesOf(pageLocale)
  const amountOf = (amount: number) => isolated(money(pageLocale, amount, preview.currency))
  const planOf = (line: Line) => [plan, to].find(({ id }) => id === line.plan_id)
  const span = (line: Line) => words.span(dayOf(pageLocale, line.from, subscription), dayOf(pageLocale, line.to, subscription))
  const lines = preview.lines.map((line) => ({
    name: lineName(pageLocale, line, planOf(line)),
    amount: amountOf(line.amount),
    ...(isCredit(line) ? {} : { detail: line.kind === "period" ? messagesOf(pageLocale).checkout.every[to.billing_period] : span(line) })
  }))
  return [
    ...lines,
    ...(preview.credit_applied === 0 ? [] : [{ name: words.credit, amount: amountOf(-preview.credit_applied) }])
  ]
}

/** The amount that the change charges or credits, as a sum or a sentence. */
const amountView = (visit: PortalVisit, { preview, subscription }: PlanChangeDetails): Html => {
  const { plan: words } = portalMessagesOf(visit.pageLocale)
  const amountOf = (amount: number) => money(visit.pageLocale, amount, preview.currency)
  if (preview.amount_due_now > 0) {
    return html`${design.total(words.dueNow, amountOf(preview.amount_due_now))}<p class="quiet">${words.holds}</p>`
  }
  if (preview.proration_behavior === "next_cycle" && preview.total !== 0) {
    const on = dayOf(visit.pageLocale, preview.next_billing_date, subscription)
    const sum = design.total(preview.total > 0 ? words.onNext(on) : words.lessNext(on), amountOf(Math.abs(preview.total)))
    return html`${sum}<p class="quiet">${joined(visit.pageLocale, [words.nothingNow, words.holds])}</p>`
  }
  const left = preview.credit_balance - subscription.credit_balance
  return html`${
    left > 0 && preview.proration_behavior === "now" ? design.total(words.carried, amountOf(left)) : null
  }<p>${words.nothingNow}</p>`
}

/** The time of the first charge at the full new price. */
const following = ({ preview }: PlanChangeDetails): DateTime.Utc =>
  preview.proration_behavior === "at_period_end" ? preview.effective_at : preview.next_billing_date

/** The exact amounts of the change, before it is confirmed. */
export const planPreviewPage = (visit: PortalVisit, details: PlanChangeDetails, declined?: DeclineCode | "declined"): Page => {
  const { plan, preview, subscription, to } = details
  const { backToOverview, plan: words, done } = portalMessagesOf(visit.pageLocale)
  const { declines } = messagesOf(visit.pageLocale)
  const undo = to.id === plan.id
  const title = undo ? words.undo : words.previewTitle(nameOf(to))
  const lines = linesOf(visit, details)
  const atOnce = preview.proration_behavior !== "at_period_end"
  const facts = design.list([
    [words.from, html`<bdi>${plan.name}</bdi><br><span class="quiet">${priceOf(visit.pageLocale, plan)}</span>`],
    [
      words.to,
      html`<bdi>${to.name}</bdi><br><span class="quiet">${
        words.thenFrom(priceOf(visit.pageLocale, to), dayOf(visit.pageLocale, following(details), subscription))
      }</span>`
    ],
    [words.starts, atOnce ? words.atOnce : dayOf(visit.pageLocale, preview.effective_at, subscription)]
  ])
  const body = undo
    ? html`<p>${words.undoText(nameOf(plan))}</p>`
    : html`${facts}${lines.length === 0 ? null : html`<div><h2 class="sr">${words.lines}</h2>${design.summary(words.lines, lines)}</div>`}${
      amountView(visit, details)
    }`
  const alert = declined === undefined
    ? null
    : design.alert(
      done.planDeclined.title,
      declined === "declined" ? done.planDeclined.text : joined(visit.pageLocale, [declines[declined], done.planDeclined.text])
    )
  const label = undo
    ? words.undo
    : preview.amount_due_now > 0
    ? words.confirmPaying(isolated(money(visit.pageLocale, preview.amount_due_now, preview.currency)))
    : words.confirm
  return portalPage(visit, {
    title,
    main: html`<div class="narrow stack">${
      design.back(words.title, `${subscriptionPath(visit, details)}/plan`)
    }<h1>${title}</h1>${alert}${body}
<form method="post" action="${
      subscriptionPath(visit, details)
    }/plan/${to.id}" class="actions"><input type="hidden" name="proration_at" value="${
      DateTime.formatIso(preview.proration_at)
    }"><input type="hidden" name="version" value="${preview.version}">
${design.button({ label, kind: "primary", wide: true })}${
      design.button({ label: backToOverview, href: visit.path, wide: true })
    }</form></div>`
  })
}

/** The result of a change to this plan, as the subscription is now. */
export const planChangedPage = (visit: PortalVisit, details: SubscriptionDetails, to: Plan, intent: CyclePayment["intent"]): Page => {
  const { pending, plan, subscription } = details
  const { done } = portalMessagesOf(visit.pageLocale)
  const { pending_change } = subscription
  const status = ((): design.Status => {
    if (pending?.id === to.id && pending_change !== null) {
      return pending_change.billing_cycle_id === null
        ? {
          title: done.planScheduled.title,
          text: done.planScheduled.text(nameOf(to), dayOf(visit.pageLocale, subscription.current_period_end, subscription)),
          sign: "good"
        }
        : { ...done.planPending, sign: "busy" }
    }
    if (plan.id === to.id) return { title: done.planChanged.title, text: done.planChanged.text(nameOf(to)), sign: "good" }
    return { ...done.planDeclined, sign: "bad" }
  })()
  if (status.sign !== "busy") return portalPage(visit, { title: status.title, main: statusView(visit, status) })
  // The payment may wait for the customer's step at the bank.
  const { bankLink, redirection, status: waiting, ...rest } = pendingView(
    visit.pageLocale,
    intent,
    `${subscriptionPath(visit, details)}/changed/${to.id}`
  )
  const shown = bankLink === null ? status : waiting
  return portalPage(visit, { title: shown.title, main: html`${statusView(visit, shown, bankLink)}${redirection}`, ...rest })
}
