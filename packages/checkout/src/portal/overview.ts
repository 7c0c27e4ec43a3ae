/** The first page: each subscription with its price, its status and its verbs. Pure. */
import type { SubscriptionStatus } from "@svc/billing/subscriptions/model"
import * as design from "@svc/design/components"
import { isolated, joined, money } from "@svc/design/format"
import { type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import { dueText } from "../cycle-payments/texts.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { merchantOf } from "../pages/brand.ts"
import { detailsCard } from "./details-views.ts"
import { portalPage, type PortalVisit } from "./frame.ts"
import type { SubscriptionDetails, Verb } from "./model.ts"
import { isAllowed, nextPayment } from "./rules.ts"
import { dayOf, methodName, nameOf, priceOf } from "./words.ts"

const tones = { trialing: "notice", active: "good", past_due: "bad", paused: "notice", canceled: "plain" } as const satisfies Record<
  SubscriptionStatus,
  design.Tone
>

export const subscriptionPath = ({ path }: PortalVisit, { subscription }: Pick<SubscriptionDetails, "subscription">): string =>
  `${path}/subscriptions/${subscription.id}`

/** The reason of an overdue payment, with the way to pay. */
const overdueAlert = (visit: PortalVisit, { overdue, subscription }: SubscriptionDetails): Html | null => {
  const { pastDue } = portalMessagesOf(visit.pageLocale)
  if (subscription.status !== "past_due" || overdue === undefined) return null
  const retry = overdue.cycle.next_attempt_at
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  const text = joined(visit.pageLocale, [
    pastDue.text(dueText(visit.pageLocale, overdue)),
    retry === null ? pastDue.stopped : pastDue.retry(dayOf(visit.pageLocale, retry, subscription)),
    mayUpdate ? pastDue.update : pastDue.ask(merchantOf(visit))
  ])
  return design.alert(pastDue.title, text)
}

/** A sentence for each pending or past change of the subscription. */
const notesOf = ({ pageLocale }: PortalVisit, { pending, subscription }: SubscriptionDetails): ReadonlyArray<string> => {
  const { facts } = portalMessagesOf(pageLocale)
  const { cancel_at_end, canceled_at, credit_balance, currency, current_period_end, pending_change, status, trial_end } = subscription
  return [
    ...(status === "trialing" && trial_end !== null ? [facts.trialUntil(dayOf(pageLocale, trial_end, subscription))] : []),
    ...(status === "canceled" && canceled_at !== null ? [facts.endedOn(dayOf(pageLocale, canceled_at, subscription))] : []),
    ...(cancel_at_end && status !== "canceled" ? [facts.endsOn(dayOf(pageLocale, current_period_end, subscription))] : []),
    ...(status === "paused" ? [facts.paused] : []),
    ...(pending === undefined || pending_change === null
      ? []
      : [
        pending_change.billing_cycle_id === null
          ? facts.changesTo(nameOf(pending), dayOf(pageLocale, current_period_end, subscription))
          : facts.changing(nameOf(pending))
      ]),
    ...(credit_balance > 0 && status !== "canceled" ? [facts.credit(isolated(money(pageLocale, credit_balance, currency)))] : [])
  ]
}

const factsOf = ({ pageLocale }: PortalVisit, { method, pending, plan, subscription }: SubscriptionDetails): Html | null => {
  const { facts } = portalMessagesOf(pageLocale)
  if (subscription.status === "canceled") return null
  const next = nextPayment(subscription, plan, subscription.pending_change?.billing_cycle_id == null ? pending : undefined)
  return design.list([
    ...(next === undefined
      ? []
      : [
        [
          facts.next,
          facts.nextOn(isolated(money(pageLocale, next.amount, subscription.currency)), dayOf(pageLocale, next.at, subscription))
        ] as const
      ]),
    [facts.method, method === undefined ? facts.noMethod : methodName(pageLocale, method)]
  ])
}

const buttonsOf = (visit: PortalVisit, details: SubscriptionDetails): Html | null => {
  const { actions } = portalMessagesOf(visit.pageLocale)
  const place = subscriptionPath(visit, details)
  const buttons: Readonly<Record<Verb, () => Html>> = {
    change_plan: () => design.button({ label: actions.changePlan, href: `${place}/plan` }),
    cancel: () => design.button({ label: actions.cancel, href: `${place}/cancel` }),
    uncancel: () =>
      html`<form method="post" action="${place}/uncancel">${design.button({ label: actions.uncancel, kind: "primary" })}</form>`,
    pause: () => design.button({ label: actions.pause, href: `${place}/pause` }),
    resume: () => design.button({ label: actions.resume, href: `${place}/resume`, kind: "primary" })
  }
  const late = details.subscription.status === "past_due" && isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  const update = late ? design.button({ label: actions.updateCard, href: `${visit.path}/payment-methods`, kind: "primary" }) : null
  return update === null && details.offered.length === 0
    ? null
    : html`<div class="actions">${update}${details.offered.map((verb) => buttons[verb]())}</div>`
}

const cardOf = (visit: PortalVisit, details: SubscriptionDetails): Html => {
  const { plan, subscription: { status } } = details
  const notes = notesOf(visit, details)
  return html`<section class="card"><div class="head"><h2><bdi>${plan.name}</bdi></h2>${
    design.badge(portalMessagesOf(visit.pageLocale).status[status], tones[status])
  }</div>
<p>${priceOf(visit.pageLocale, plan)}</p>${overdueAlert(visit, details)}${
    notes.length === 0 ? null : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`
  }
${factsOf(visit, details)}${buttonsOf(visit, details)}</section>`
}

export const overviewPage = (visit: PortalVisit, subscriptions: ReadonlyArray<SubscriptionDetails>): Page => {
  const { noSubscriptions, title } = portalMessagesOf(visit.pageLocale)
  const none = html`<section class="card"><h2>${noSubscriptions.title}</h2><p>${noSubscriptions.text}</p></section>`
  return portalPage(visit, {
    title: title(merchantOf(visit)),
    section: "overview",
    main: html`<h1>${title(merchantOf(visit))}</h1>${
      subscriptions.length === 0 ? none : subscriptions.map((details) => cardOf(visit, details))
    }${detailsCard(visit)}`
  })
}
