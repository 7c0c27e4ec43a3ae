/** A topic: how people ask about it, and how it is answered from rows. */
import { day, money } from "@svc/design/format"
import { DateTime, type Effect, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { ProposedAction } from "./model.ts"
import type { Question } from "./question.ts"
import type { NoRow, Read, Row, Unreadable } from "./read.ts"
import { numberIn, textIn } from "./read.ts"

/** What is said of a topic. Each sentence names the rows that it is from. */
export interface Said {
  readonly answer: string
  readonly path: string | null
  readonly work_run_id?: string
  readonly next_step_id?: string
  readonly goal_progress_pct?: number
  readonly proposed_actions?: ReadonlyArray<ProposedAction>
}

export interface Topic {
  readonly name: string
  /** Ways in which it is asked about. Words of one meaning are one: `question.ts`. */
  readonly asked: ReadonlyArray<string>
  readonly answer: (
    question: Question,
    read: Read
  ) => Effect.Effect<Said, Unreadable | NoRow, HttpServerRequest.HttpServerRequest | Scope.Scope>
}

const ENGLISH = { tag: "en" }
/** Days and times stand as everywhere in the documentation: 22 November 2026, 03:48 UTC. */
const DATED = { tag: "en-GB" }

export const amountIn = (row: Row, field = "amount"): string => money(ENGLISH, numberIn(row, field), textIn(row, "currency"))

export const moneyOf = (amount: number, currency: string): string => money(ENGLISH, amount, currency)

/** The day of a moment on the wire; the text itself where it is none. */
export const dayOf = (text: string): string =>
  Option.match(DateTime.make(text), { onNone: () => text, onSome: (at) => day(DATED, DateTime.toUtc(at)) })

const CLOCK = new Intl.DateTimeFormat(DATED.tag, { timeStyle: "short", timeZone: "UTC" })

/** The moment on the wire to the minute; the text itself where it is none. */
export const momentOf = (text: string): string =>
  Option.match(DateTime.make(text), {
    onNone: () => text,
    onSome: (at) => `${dayOf(text)}, ${CLOCK.format(at.epochMilliseconds)} UTC`
  })

const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/gu

/** A text with its moments as people read them. */
export const withMoments = (text: string): string => text.replaceAll(MOMENT, momentOf)

export const queryOf = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString()

export const isoOf = (at: DateTime.Utc): string => DateTime.formatIso(at)

/** Items as people list them: one, two and three. */
export const listed = (items: ReadonlyArray<string>): string =>
  items.length <= 1 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`

export const counted = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`
