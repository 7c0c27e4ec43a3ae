/** The pages that confirm a cancellation, a pause or a resumption, and the pages of their results. Pure. */
import { endAfterPause } from "@svc/billing/engine/subscriptions/snapshot"
import * as design from "@svc/design/components"
import { days, isolated, money } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import type { DateTime } from "effect"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { portalPage, type PortalVisit, statusView } from "./frame.ts"
import type { SubscriptionDetails, Verb } from "./model.ts"
import { subscriptionPath } from "./overview.ts"
import { nextPayment } from "./rules.ts"
import { dayOf, nameOf } from "./words.ts"

/** The verbs that a page asks to confirm. */
export type ConfirmedVerb = Exclude<Verb, "change_plan" | "uncancel">

/** Asks the customer to confirm the verb. `at` is now. */
export const confirmPage = (visit: PortalVisit, details: SubscriptionDetails, verb: ConfirmedVerb, at: DateTime.Utc): Page => {
  const { plan, subscription } = details
  const messages = portalMessagesOf(visit.pageLocale)
  const name = nameOf(plan)
  const day = (moment: DateTime.Utc) => dayOf(visit.pageLocale, moment, subscription)

  const cancel = (): readonly [string, ReadonlyArray<string>, string] => {
    const payment = nextPayment({ ...subscription, cancel_at_end: true }, plan, undefined)
    return [messages.cancel.title(name), [
      messages.cancel.text(day(subscription.current_period_end)),
      ...(payment === undefined ? [] : [messages.cancel.owed(isolated(money(visit.pageLocale, payment.amount, subscription.currency)))]),
      ...(subscription.status === "past_due" ? [messages.cancel.pastDue] : [])
    ], messages.cancel.confirm]
  }
  const pause = (): readonly [string, ReadonlyArray<string>, string] => {
    const daysLeft = Math.floor((subscription.current_period_end.epochMilliseconds - at.epochMilliseconds) / 86_400_000)
    const note = subscription.status === "past_due"
      ? messages.pause.unpaid
      : daysLeft > 0
      ? messages.pause.left(isolated(days(visit.pageLocale, daysLeft)))
      : undefined
    return [messages.pause.title(name), [messages.pause.text, ...(note === undefined ? [] : [note])], messages.pause.confirm]
  }
  const resume = (): readonly [
    string,
    ReadonlyArray<string>,
    string
  ] => [
    messages.resume.title(name),
    [messages.resume.text(day(subscription.paused_remaining_seconds === 0 ? at : endAfterPause(subscription, at)))],
    messages.resume.confirm
  ]

  const [title, texts, confirm] = { cancel, pause, resume }[verb]()
  return portalPage(visit, {
    title,
    main: html`<div class="narrow stack">${design.back(messages.backToOverview, visit.path)}<h1>${title}</h1>${
      texts.map((text) => html`<p>${text}</p>`)
    }
<form method="post" action="${subscriptionPath(visit, details)}/${verb}" class="actions">${
      design.button({ label: confirm, kind: verb === "cancel" ? "danger" : "primary", wide: true })
    }
${design.button({ label: verb === "cancel" ? messages.cancel.keep : messages.backToOverview, href: visit.path, wide: true })}</form></div>`
  })
}

/** The last part of the path of each verb's result page. */
export const donePaths = { cancel: "cancelled", uncancel: "kept", pause: "paused", resume: "resumed" } as const satisfies Record<
  Exclude<Verb, "change_plan">,
  string
>
export type DonePath = (typeof donePaths)[keyof typeof donePaths]

/** The result page of a verb; undefined if the subscription has changed since. */
export const donePage = (visit: PortalVisit, details: SubscriptionDetails, path: DonePath): Page | undefined => {
  const { offered, subscription } = details
  const { actions, done } = portalMessagesOf(visit.pageLocale)
  const end = dayOf(visit.pageLocale, subscription.current_period_end, subscription)
  const undo = (verb: Verb, label: string, form: Content): Html | null =>
    offered.includes(verb)
      ? html`<form method="post" action="${subscriptionPath(visit, details)}/${verb}" class="actions">${form}${
        design.button({ label, wide: true })
      }</form>`
      : null
  const isRunning = subscription.status !== "canceled" && subscription.status !== "paused" && !subscription.cancel_at_end
  const result = ((): readonly [design.Status, Content] | undefined => {
    switch (path) {
      case "cancelled":
        return subscription.cancel_at_end
          ? [{ title: done.cancelled.title, text: done.cancelled.text(end), sign: "good" }, undo("uncancel", actions.uncancel, null)]
          : undefined
      case "kept":
        return isRunning ? [{ title: done.uncancelled.title, text: done.uncancelled.text(end), sign: "good" }, null] : undefined
      case "paused":
        return subscription.status === "paused" ? [{ ...done.paused, sign: "good" }, null] : undefined
      case "resumed":
        return isRunning
          ? [{
            title: done.resumed.title,
            text: done.resumed.text(dayOf(visit.pageLocale, subscription.next_billing_date, subscription)),
            sign: "good"
          }, null]
          : undefined
    }
  })()
  if (result === undefined) return undefined
  const [status, more] = result
  return portalPage(visit, { title: status.title, main: statusView(visit, status, more) })
}
