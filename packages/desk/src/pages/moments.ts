/** What happened, what is due and what comes: of a dispute, a billing cycle, a settlement, a payout. Pure. */
import { moments, type MomentState, signOf } from "@svc/design/charts/moments"
import { type Html, html } from "@svc/design/html"
import { DateTime, Option } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import type { PictureTexts } from "../i18n/shapes/pictures.ts"
import { inWords, numberAt, table } from "./parts.ts"
import { type Json, moment, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

export interface Told {
  /** A moment of the API; empty where there is none. */
  readonly at: string
  readonly state: MomentState
  readonly what: string
  /** Why it came to this, in the API's words. */
  readonly why?: string
}

type Page = Pick<Visit, "pageLocale">

const texts = ({ pageLocale }: Page): PictureTexts["moments"] => messagesOf(pageLocale).pictures.moments

const millisOf = (at: string): number | undefined => Option.getOrUndefined(DateTime.make(at))?.epochMilliseconds

/** A line of time and its table. Of fewer than two moments there is nothing to draw. */
export const momentsPicture = (page: Page, now: DateTime.Utc, told: ReadonlyArray<Told>): Html | null => {
  const words = texts(page)
  const known = told.flatMap((one) => {
    const millis = millisOf(one.at)
    return millis === undefined ? [] : [{ ...one, millis }]
  }).toSorted((one, other) => one.millis - other.millis)
  if (known.length < 2) return null
  const past = known.filter(({ millis }) => millis <= now.epochMilliseconds).length
  const picture = moments({
    id: "moments",
    title: words.title,
    description: words.about(past, known.length - past),
    moments: known.map(({ millis, state }) => ({ at: millis, state })),
    now: now.epochMilliseconds,
    nowText: words.now
  })
  const numbers = table(
    words.title,
    [{ name: words.number }, { name: words.what, kind: "wide" }, { name: words.state }, { name: words.when }],
    known.map(({ at, state, what, why = "" }, n) => [
      n + 1,
      html`<strong>${what}</strong>${why === "" ? null : html`<small>${why}</small>`}`,
      html`${signOf(state)} ${words.states[state]}`,
      moment(page.pageLocale, at, "row")
    ])
  )
  return html`<figure class="figure" id="moments-figure" data-follows><div class="card">${picture}</div>${numbers}</figure>`
}

export const disputeMoments = (page: Page, dispute: Json): ReadonlyArray<Told> => {
  const words = texts(page)
  const status = textAt(dispute, "status")
  return [
    { at: textAt(dispute, "created_at"), state: "done", what: words.opened },
    { at: textAt(dispute, "evidence_due_by"), state: "due", what: words.evidenceDue },
    { at: textAt(dispute, "evidence_submitted_at"), state: "done", what: words.evidenceSent },
    { at: textAt(dispute, "closed_at"), state: status === "won" ? "good" : "bad", what: words.closed(inWords(page, status)) }
  ]
}

const outcomes: Readonly<Record<string, MomentState>> = { succeeded: "good", failed: "bad" }

/** The attempts to charge a cycle, the next one, and the end of its grace. */
export const cycleMoments = (page: Page, cycle: Json, attempts: ReadonlyArray<Json>, now: DateTime.Utc): ReadonlyArray<Told> => {
  const words = texts(page)
  const due = textAt(cycle, "due_date")
  const isOpen = textAt(cycle, "status") === "pending"
  const isAhead = (millisOf(due) ?? 0) > now.epochMilliseconds
  return [
    { at: due, state: isAhead ? "planned" : "done", what: words.cycleDue },
    ...attempts.map((attempt) => ({
      at: textAt(attempt, "created_at"),
      state: outcomes[textAt(attempt, "outcome")] ?? "done",
      what: words.attempt(numberAt(attempt, "number"), inWords(page, textAt(attempt, "outcome"))),
      why: textAt(attempt, "reason")
    })),
    ...(isOpen
      ? [
        { at: textAt(cycle, "next_attempt_at"), state: "planned", what: words.nextAttempt } as const,
        { at: textAt(cycle, "grace_until"), state: "due", what: words.graceEnds } as const
      ]
      : [])
  ]
}

const endings: Readonly<Record<string, MomentState>> = { completed: "good", failed: "bad" }

/** From its making to its end: `planned` names the field with the moment at which it goes on, and what happens then. */
export const transferMoments = (
  page: Page,
  transfer: Json,
  planned: { readonly field: string; readonly what: string }
): ReadonlyArray<Told> => {
  const words = texts(page)
  const status = textAt(transfer, "status")
  const isWaiting = status === "pending" || status === "queued"
  const isOver = ["completed", "failed", "cancelled"].includes(status)
  return [
    { at: textAt(transfer, "created_at"), state: "done", what: words.created },
    ...(isOver && status !== "completed"
      ? []
      : [{ at: textAt(transfer, planned.field), state: isWaiting ? "planned" : "done", what: planned.what } as const]),
    ...(isOver
      ? [{
        at: textAt(transfer, "completed_at") || textAt(transfer, "updated_at"),
        state: endings[status] ?? "done",
        what: words.ended(inWords(page, status))
      }]
      : [])
  ]
}

export const payoutMoments = (page: Page, payout: Json): ReadonlyArray<Told> =>
  transferMoments(page, payout, { field: "submit_at", what: texts(page).sent })

export const settlementMoments = (page: Page, settlement: Json): ReadonlyArray<Told> =>
  transferMoments(page, settlement, { field: "due_at", what: texts(page).settles })
