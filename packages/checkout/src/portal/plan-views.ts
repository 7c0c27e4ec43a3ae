/** Changing the plan: the choice, what it comes to, and what became of it. */
import type { Line } from "@svc/billing/lines/model"
import type { Plan } from "@svc/billing/plans/model"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import type { DeclineCode } from "@svc/payments/rails/model"
import { DateTime } from "effect"
import * as design from "../design/components.ts"
import { type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { isolated, money } from "../i18n/format.ts"
import { messagesOf } from "../i18n/messages.ts"
import { pendingAt } from "../owed/pending.ts"
import { framed, told } from "./frame.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Held, Previewed, Visit } from "./model.ts"
import { placeOf } from "./overview.ts"
import { dayOf, lineName, nameOf, priceOf } from "./words.ts"

/** The plans to choose from, with the present one. */
export const choosing = (visit: Visit, held: Held, plans: ReadonlyArray<Plan>, unchosen = false): Page => {
  const { backToOverview, plan: words } = portalMessagesOf(visit.tongue)
  const { pending, plan } = held
  const others = plans.filter(({ id }) => id !== plan.id && id !== pending?.id)
  const undo = pending === undefined ? [] : [plan]
  const choices = [...undo, ...others].map((one) =>
    design.choice({ name: "plan", value: one.id, label: one.name, checked: false, detail: [priceOf(visit.tongue, one), one.description].filter((text) => text !== null).join(" · ") }))
  const form = html`<form method="get" action="${placeOf(visit, held)}/plan" class="stack">${unchosen ? design.alert(words.title, words.unchosen) : null}
<fieldset><legend class="label">${words.choose}</legend><div class="choices">${choices}</div></fieldset>${design.button({ label: words.next, kind: "primary", wide: true })}</form>`
  return framed(visit, {
    title: words.title,
    main: html`<div class="narrow stack">${design.back(backToOverview, visit.path)}<h1>${words.title}</h1>
${design.list([[words.current, html`<bdi>${plan.name}</bdi><br><span class="quiet">${priceOf(visit.tongue, plan)}</span>`]])}
${choices.length === 0 ? html`<p>${words.none}</p>` : form}</div>`
  })
}

const isCredit = ({ kind }: Line): boolean => kind === "credit_applied" || kind === "credit_carried"

/** The lines with their plans' names, and the price where a period begins. */
const linesOf = ({ tongue }: Visit, { plan, preview, subscription, to }: Previewed): ReadonlyArray<design.Line> => {
  const { plan: words } = portalMessagesOf(tongue)
  const amountOf = (amount: number) => isolated(money(tongue, amount, preview.currency))
  const known = (line: Line) => [plan, to].find(({ id }) => id === line.plan_id)
  const span = (line: Line) => words.span(dayOf(tongue, line.from, subscription), dayOf(tongue, line.to, subscription))
  const sum = preview.lines.reduce((all, { amount }) => all + amount, 0)
  const lines = preview.lines.map((line) => ({ name: lineName(tongue, line, known(line)), amount: amountOf(line.amount), ...(isCredit(line) ? {} : { detail: span(line) }) }))
  const price = preview.total - sum
  return [
    ...(price === 0 ? [] : [{ name: words.period(nameOf(to)), detail: messagesOf(tongue).checkout.every[to.billing_period], amount: amountOf(price) }]),
    ...lines,
    ...(preview.credit_applied === 0 ? [] : [{ name: words.credit, amount: amountOf(-preview.credit_applied) }])
  ]
}

/** What happens to the money, in one sentence or sum. */
const outcome = (visit: Visit, { preview, subscription }: Previewed): Html => {
  const { plan: words } = portalMessagesOf(visit.tongue)
  const amountOf = (amount: number) => money(visit.tongue, amount, preview.currency)
  if (preview.amount_due_now > 0) return html`${design.total(words.dueNow, amountOf(preview.amount_due_now))}<p class="quiet">${words.holds}</p>`
  if (preview.proration_behavior === "next_cycle" && preview.total !== 0) {
    const on = dayOf(visit.tongue, preview.next_billing_date, subscription)
    const sum = design.total(preview.total > 0 ? words.onNext(on) : words.lessNext(on), amountOf(Math.abs(preview.total)))
    return html`${sum}<p class="quiet">${words.nothingNow} ${words.holds}</p>`
  }
  const left = preview.credit_balance - subscription.credit_balance
  return html`${left > 0 && preview.proration_behavior === "now" ? design.total(words.carried, amountOf(left)) : null}<p>${words.nothingNow}</p>`
}

/** When the new price is first charged as it is. */
const following = ({ preview }: Previewed): DateTime.Utc => preview.proration_behavior === "at_period_end" ? preview.effective_at : preview.next_billing_date

/** What the change comes to, exactly, before anything happens. */
export const previewing = (visit: Visit, previewed: Previewed, declined?: DeclineCode | "declined"): Page => {
  const { plan, preview, subscription, to } = previewed
  const { backToOverview, plan: words, done } = portalMessagesOf(visit.tongue)
  const { declines } = messagesOf(visit.tongue)
  const undo = to.id === plan.id
  const title = undo ? words.undo : words.previewTitle(nameOf(to))
  const lines = linesOf(visit, previewed)
  const atOnce = preview.proration_behavior !== "at_period_end"
  const facts = design.list([
    [words.from, html`<bdi>${plan.name}</bdi><br><span class="quiet">${priceOf(visit.tongue, plan)}</span>`],
    [words.to, html`<bdi>${to.name}</bdi><br><span class="quiet">${words.thenFrom(priceOf(visit.tongue, to), dayOf(visit.tongue, following(previewed), subscription))}</span>`],
    [words.starts, atOnce ? words.atOnce : dayOf(visit.tongue, preview.effective_at, subscription)]
  ])
  const body = undo
    ? html`<p>${words.undoText(nameOf(plan))}</p>`
    : html`${facts}${lines.length === 0 ? null : html`<div><h2 class="sr">${words.lines}</h2>${design.summary(words.lines, lines)}</div>`}${outcome(visit, previewed)}`
  const alert = declined === undefined ? null : design.alert(done.planDeclined.title, declined === "declined" ? done.planDeclined.text : `${declines[declined]} ${done.planDeclined.text}`)
  const label = undo ? words.undo : preview.amount_due_now > 0 ? words.confirmPaying(isolated(money(visit.tongue, preview.amount_due_now, preview.currency))) : words.confirm
  return framed(visit, {
    title,
    main: html`<div class="narrow stack">${design.back(words.title, `${placeOf(visit, previewed)}/plan`)}<h1>${title}</h1>${alert}${body}
<form method="post" action="${placeOf(visit, previewed)}/plan/${to.id}" class="actions"><input type="hidden" name="proration_at" value="${DateTime.formatIso(preview.proration_at)}"><input type="hidden" name="version" value="${preview.version}">
${design.button({ label, kind: "primary", wide: true })}${design.button({ label: backToOverview, href: visit.path, wide: true })}</form></div>`
  })
}

/** What became of a change to this plan, as the subscription is now. */
export const changed = (visit: Visit, held: Held, to: Plan, intent: PaymentIntent | undefined): Page => {
  const { pending, plan, subscription } = held
  const { done } = portalMessagesOf(visit.tongue)
  const { pending_change } = subscription
  const status = ((): design.Status => {
    if (pending?.id === to.id && pending_change !== null) {
      return pending_change.billing_cycle_id === null
        ? { title: done.planScheduled.title, text: done.planScheduled.text(nameOf(to), dayOf(visit.tongue, subscription.current_period_end, subscription)), sign: "good" }
        : { ...done.planPending, sign: "busy" }
    }
    if (plan.id === to.id) return { title: done.planChanged.title, text: done.planChanged.text(nameOf(to)), sign: "good" }
    return { ...done.planDeclined, sign: "bad" }
  })()
  if (status.sign !== "busy") return framed(visit, { title: status.title, main: told(visit, status) })
  // The bank may ask for a step first.
  const { go, moved, status: waiting, ...rest } = pendingAt(visit.tongue, intent, `${placeOf(visit, held)}/changed/${to.id}`)
  const shown = go === null ? status : waiting
  return framed(visit, { title: shown.title, main: html`${told(visit, shown, go)}${moved}`, ...rest })
}
