/** The first page: each subscription with what it costs, how it stands, and what can be done. */
import type { SubscriptionStatus } from "@svc/billing/subscriptions/model"
import * as design from "../design/components.ts"
import { type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { isolated, money } from "../i18n/format.ts"
import { owedText } from "../owed/model.ts"
import { framed, merchantOf } from "./frame.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Held, Verb, Visit } from "./model.ts"
import { isAllowed, nextPayment } from "./rules.ts"
import { dayOf, methodName, nameOf, priceOf } from "./words.ts"

const tones = { trialing: "notice", active: "good", past_due: "bad", paused: "notice", canceled: "plain" } as const satisfies Record<SubscriptionStatus, design.Tone>

export const placeOf = ({ path }: Visit, { subscription }: Pick<Held, "subscription">): string => `${path}/subscriptions/${subscription.id}`

/** What is wrong with the last payment, and the way out of it. */
const overdue = (visit: Visit, { owed, subscription }: Held): Html | null => {
  const { pastDue } = portalMessagesOf(visit.tongue)
  if (subscription.status !== "past_due" || owed === undefined) return null
  const retry = owed.cycle.next_attempt_at
  const mayUpdate = isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  const text = [
    pastDue.text(owedText(visit.tongue, owed)),
    retry === null ? pastDue.stopped : pastDue.retry(dayOf(visit.tongue, retry, subscription)),
    mayUpdate ? pastDue.update : pastDue.ask(merchantOf(visit))
  ].join(" ")
  return design.alert(pastDue.title, text)
}

/** What else is to be known, a sentence each. */
const notesOf = ({ tongue }: Visit, { pending, subscription }: Held): ReadonlyArray<string> => {
  const { facts } = portalMessagesOf(tongue)
  const { cancel_at_end, canceled_at, credit_balance, currency, current_period_end, pending_change, status, trial_end } = subscription
  return [
    ...(status === "trialing" && trial_end !== null ? [facts.trialUntil(dayOf(tongue, trial_end, subscription))] : []),
    ...(status === "canceled" && canceled_at !== null ? [facts.endedOn(dayOf(tongue, canceled_at, subscription))] : []),
    ...(cancel_at_end && status !== "canceled" ? [facts.endsOn(dayOf(tongue, current_period_end, subscription))] : []),
    ...(status === "paused" ? [facts.paused] : []),
    ...(pending === undefined || pending_change === null
      ? []
      : [pending_change.billing_cycle_id === null ? facts.changesTo(nameOf(pending), dayOf(tongue, current_period_end, subscription)) : facts.changing(nameOf(pending))]),
    ...(credit_balance > 0 && status !== "canceled" ? [facts.credit(isolated(money(tongue, credit_balance, currency)))] : [])
  ]
}

const factsOf = ({ tongue }: Visit, { method, pending, plan, subscription }: Held): Html | null => {
  const { facts } = portalMessagesOf(tongue)
  if (subscription.status === "canceled") return null
  const next = nextPayment(subscription, plan, subscription.pending_change?.billing_cycle_id == null ? pending : undefined)
  return design.list([
    ...(next === undefined ? [] : [[facts.next, facts.nextOn(isolated(money(tongue, next.amount, subscription.currency)), dayOf(tongue, next.at, subscription))] as const]),
    [facts.method, method === undefined ? facts.noMethod : methodName(tongue, method)]
  ])
}

const deeds = (visit: Visit, held: Held): Html | null => {
  const { actions } = portalMessagesOf(visit.tongue)
  const place = placeOf(visit, held)
  const buttons: Readonly<Record<Verb, () => Html>> = {
    change_plan: () => design.button({ label: actions.changePlan, href: `${place}/plan` }),
    cancel: () => design.button({ label: actions.cancel, href: `${place}/cancel` }),
    uncancel: () => html`<form method="post" action="${place}/uncancel">${design.button({ label: actions.uncancel, kind: "primary" })}</form>`,
    pause: () => design.button({ label: actions.pause, href: `${place}/pause` }),
    resume: () => design.button({ label: actions.resume, href: `${place}/resume`, kind: "primary" })
  }
  const late = held.subscription.status === "past_due" && isAllowed(visit.account.settings.portal_settings, "update_payment_method")
  const update = late ? design.button({ label: actions.updateCard, href: `${visit.path}/payment-methods`, kind: "primary" }) : null
  return update === null && held.offered.length === 0 ? null : html`<div class="deeds">${update}${held.offered.map((verb) => buttons[verb]())}</div>`
}

const cardOf = (visit: Visit, held: Held): Html => {
  const { plan, subscription: { status } } = held
  const notes = notesOf(visit, held)
  return html`<section class="card"><div class="head"><h2><bdi>${plan.name}</bdi></h2>${design.badge(portalMessagesOf(visit.tongue).status[status], tones[status])}</div>
<p>${priceOf(visit.tongue, plan)}</p>${overdue(visit, held)}${notes.length === 0 ? null : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${factsOf(visit, held)}${deeds(visit, held)}</section>`
}

export const overview = (visit: Visit, all: ReadonlyArray<Held>): Page => {
  const { noSubscriptions, title } = portalMessagesOf(visit.tongue)
  const none = html`<section class="card"><h2>${noSubscriptions.title}</h2><p>${noSubscriptions.text}</p></section>`
  return framed(visit, {
    title: title(merchantOf(visit)),
    section: "overview",
    main: html`<h1>${title(merchantOf(visit))}</h1>${all.length === 0 ? none : all.map((held) => cardOf(visit, held))}`
  })
}
