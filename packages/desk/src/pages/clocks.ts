/** The test clock of a sandbox account: where it stands, how to advance it, and what happened on the way. Pure. */
import * as design from "@svc/design/components"
import { type Content, type Html, html } from "@svc/design/html"
import { messagesOf } from "../i18n/messages.ts"
import type { ClockTexts } from "../i18n/shapes/clocks.ts"
import { wordsOf } from "../i18n/words.ts"
import { addressOf } from "./addresses.ts"
import { form, inWords, objectAt, part, timeline } from "./parts.ts"
import { type Json, shown, textAt } from "./values.ts"
import { may, type Visit } from "./visit.ts"

export const steps = ["hour", "day", "week", "month"] as const
export type Step = (typeof steps)[number]

export interface ClockFacts {
  /** Undefined where the account has none. */
  readonly clock: Json | undefined
  /** What happened, the oldest first. */
  readonly events: ReadonlyArray<Json>
  readonly more: boolean
  /** The last event before the advance that is watched. */
  readonly since: string | undefined
  readonly refusal: string | undefined
}

const texts = ({ pageLocale }: Pick<Visit, "pageLocale">): ClockTexts => messagesOf(pageLocale).clock

const mayMove = (visit: Visit): boolean => may(visit, "test_clocks:write")

/** The type of an event, such as `payment_intent.captured`, in words. */
const saidOf = (visit: Visit, type: string): string => {
  const [kind = "", ...what] = type.split(".")
  const { one } = wordsOf({ name: `${kind}s` }, visit.pageLocale)
  return [one === `${kind}s` ? inWords(visit, kind) : one, ...what.map((word) => inWords(visit, word))].join(": ")
}

/** The resource of an event; a link where a view has its page. */
const aboutWhat = (visit: Visit, event: Json): Content => {
  const id = textAt(objectAt(event, "data"), "id")
  const href = addressOf(visit, id)
  return href === undefined ? html`<code>${id}</code>` : html`<a href="${href}"><code>${id}</code></a>`
}

const eventsOf = (visit: Visit, { events, more, since }: ClockFacts): Html => {
  const words = texts(visit)
  return part(
    since === undefined ? words.lately : words.onTheWay,
    html`${
      events.length === 0
        ? html`<p class="quiet">${words.nothingHappened}</p>`
        : timeline(
          visit,
          events.map((event) => ({
            at: textAt(event, "created_at"),
            title: saidOf(visit, textAt(event, "type")),
            detail: aboutWhat(visit, event)
          }))
        )
    }${more ? html`<p class="quiet">${words.more}</p>` : null}`
  )
}

const PATH = "/desk/test-clocks"

const given = (visit: Visit): Html => {
  const words = texts(visit)
  if (visit.person.account?.sandbox !== true) return design.alert(words.title, words.live, "plain")
  return html`<section class="card stack"><h2>${words.none}</h2><p>${words.noneNote}</p>${
    mayMove(visit) ? form(visit, PATH, design.button({ label: words.give, kind: "primary" })) : null
  }</section>`
}

const advanceForms = (visit: Visit, clock: Json): Html => {
  const words = texts(visit)
  const id = html`<input type="hidden" name="id" value="${textAt(clock, "id")}">`
  const by = steps.map((step) => design.button({ label: words.by[step], attributes: { name: "by", value: step } }))
  const next = textAt(clock, "next_due_at") === ""
    ? null
    : design.button({ label: words.toNext, kind: "primary", attributes: { name: "by", value: "next" } })
  return part(
    words.advance,
    html`${form(visit, `${PATH}/advance`, html`${id}${next}${by}`, { class: "steps" })}${
      form(
        visit,
        `${PATH}/advance`,
        html`${id}${
          design.field({
            id: "c-to",
            label: words.moment,
            attributes: { type: "datetime-local", name: "to", value: textAt(clock, "now").slice(0, 16), required: true }
          })
        }${design.button({ label: words.toMoment })}`,
        { class: "inline" }
      )
    }`
  )
}

const clockCard = (visit: Visit, clock: Json): Html => {
  const words = texts(visit)
  const isMoving = textAt(clock, "status") === "advancing"
  const stopped = objectAt(clock, "stopped")
  return html`<section class="card stack" aria-live="polite"><p class="quiet">${words.now}</p><div class="above"><span class="amount">${
    shown(visit, { field: "now", as: "time" }, clock)
  }</span>${design.badge(isMoving ? words.statuses.advancing : words.statuses.ready, isMoving ? "notice" : "good")}</div>${
    isMoving ? html`<p>${words.watching}</p>` : null
  }${textAt(stopped, "reason") === "" ? null : html`<p>${words.stopped(inWords(visit, textAt(stopped, "reason")))}</p>`}${
    design.list([
      [
        words.nextDue,
        textAt(clock, "next_due_at") === "" ? words.nothingDue : shown(visit, { field: "next_due_at", as: "time" }, clock)
      ],
      [words.since, shown(visit, { field: "created_at", as: "time" }, clock)],
      ["ID", html`<code>${textAt(clock, "id")}</code>`]
    ])
  }${
    isMoving && mayMove(visit)
      ? form(
        visit,
        `${PATH}/stop`,
        html`<input type="hidden" name="id" value="${textAt(clock, "id")}">${design.button({ label: words.stop, kind: "danger" })}`
      )
      : null
  }</section>`
}

const removal = (visit: Visit, clock: Json): Html => {
  const words = texts(visit)
  return html`<details class="card"><summary>${words.remove}</summary>${
    form(
      visit,
      `${PATH}/remove`,
      html`<p>${words.removeNote}</p><input type="hidden" name="id" value="${textAt(clock, "id")}"><div>${
        design.button({ label: words.remove, kind: "danger" })
      }</div>`,
      { class: "stack" }
    )
  }</details>`
}

export const clockView = (visit: Visit, facts: ClockFacts): Html => {
  const { clock, refusal } = facts
  const alert = refusal === undefined ? null : design.alert(texts(visit).refused, refusal)
  if (clock === undefined) return html`${alert}${given(visit)}`
  const canMove = mayMove(visit) && textAt(clock, "status") === "ready"
  return html`${alert}${clockCard(visit, clock)}${canMove ? advanceForms(visit, clock) : null}${eventsOf(visit, facts)}${
    canMove ? removal(visit, clock) : null
  }`
}
