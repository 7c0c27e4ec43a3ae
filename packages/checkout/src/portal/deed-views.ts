/** Cancelling, pausing and resuming: each is asked once more, and then told. */
import { DateTime } from "effect"
import * as design from "../design/components.ts"
import { type Content, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { days, isolated, money } from "../i18n/format.ts"
import { framed, told } from "./frame.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Held, Verb, Visit } from "./model.ts"
import { placeOf } from "./overview.ts"
import { nextPayment } from "./rules.ts"
import { dayOf, nameOf } from "./words.ts"

/** What is asked on a page of its own. */
export type Asked = Exclude<Verb, "change_plan" | "uncancel">

/** Before it is done. `at` is now. */
export const asking = (visit: Visit, held: Held, verb: Asked, at: DateTime.Utc): Page => {
  const { plan, subscription } = held
  const messages = portalMessagesOf(visit.tongue)
  const name = nameOf(plan)
  const day = (moment: DateTime.Utc) => dayOf(visit.tongue, moment, subscription)

  const cancel = (): readonly [string, ReadonlyArray<string>, string] => {
    const owed = nextPayment({ ...subscription, cancel_at_end: true }, plan, undefined)
    return [messages.cancel.title(name), [
      messages.cancel.text(day(subscription.current_period_end)),
      ...(owed === undefined ? [] : [messages.cancel.owed(isolated(money(visit.tongue, owed.amount, subscription.currency)))]),
      ...(subscription.status === "past_due" ? [messages.cancel.pastDue] : [])
    ], messages.cancel.confirm]
  }
  const pause = (): readonly [string, ReadonlyArray<string>, string] => {
    const whole = Math.floor((subscription.current_period_end.epochMilliseconds - at.epochMilliseconds) / 86_400_000)
    const kept = subscription.status === "past_due" ? messages.pause.unpaid : whole > 0 ? messages.pause.left(isolated(days(visit.tongue, whole))) : undefined
    return [messages.pause.title(name), [messages.pause.text, ...(kept === undefined ? [] : [kept])], messages.pause.confirm]
  }
  const resume = (): readonly [string, ReadonlyArray<string>, string] =>
    [messages.resume.title(name), [messages.resume.text(day(DateTime.add(at, { seconds: subscription.paused_remaining_seconds ?? 0 })))], messages.resume.confirm]

  const [title, texts, confirm] = { cancel, pause, resume }[verb]()
  return framed(visit, {
    title,
    main: html`<div class="narrow stack">${design.back(messages.backToOverview, visit.path)}<h1>${title}</h1>${texts.map((text) => html`<p>${text}</p>`)}
<form method="post" action="${placeOf(visit, held)}/${verb}" class="actions">${design.button({ label: confirm, kind: verb === "cancel" ? "danger" : "primary", wide: true })}
${design.button({ label: verb === "cancel" ? messages.cancel.keep : messages.backToOverview, href: visit.path, wide: true })}</form></div>`
  })
}

/** Where it leads when it was done. */
export const places = { cancel: "cancelled", uncancel: "kept", pause: "paused", resume: "resumed" } as const satisfies Record<Exclude<Verb, "change_plan">, string>
export type Done = (typeof places)[keyof typeof places]

/** What is told afterwards, if the subscription still stands like that. */
export const done = (visit: Visit, held: Held, what: Done): Page | undefined => {
  const { offered, subscription } = held
  const { actions, done: words } = portalMessagesOf(visit.tongue)
  const end = dayOf(visit.tongue, subscription.current_period_end, subscription)
  const undo = (verb: Verb, label: string, form: Content): Html | null => offered.includes(verb) ? html`<form method="post" action="${placeOf(visit, held)}/${verb}" class="actions">${form}${design.button({ label, wide: true })}</form>` : null
  const running = subscription.status !== "canceled" && subscription.status !== "paused" && !subscription.cancel_at_end
  const told_ = ((): readonly [design.Status, Content] | undefined => {
    switch (what) {
      case "cancelled":
        return subscription.cancel_at_end
          ? [{ title: words.cancelled.title, text: words.cancelled.text(end), sign: "good" }, undo("uncancel", actions.uncancel, null)]
          : undefined
      case "kept":
        return running ? [{ title: words.uncancelled.title, text: words.uncancelled.text(end), sign: "good" }, null] : undefined
      case "paused":
        return subscription.status === "paused" ? [{ ...words.paused, sign: "good" }, null] : undefined
      case "resumed":
        return running ? [{ title: words.resumed.title, text: words.resumed.text(dayOf(visit.tongue, subscription.next_billing_date, subscription)), sign: "good" }, null] : undefined
    }
  })()
  return told_ === undefined ? undefined : framed(visit, { title: told_[0].title, main: told(visit, told_[0], told_[1]) })
}
