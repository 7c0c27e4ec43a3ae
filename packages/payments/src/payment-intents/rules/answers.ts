/** Decides on the answers of rails to authorizations. Pure. */
import { change } from "@svc/kernel/resource/change"
import { post } from "@svc/ledger/financial-events/routes"
import { DateTime } from "effect"
import type { RailAnswer } from "../../rails/model.ts"
import type { Rail } from "../../rails/rail.ts"
import { ASK, EXPIRES, PENDING_SECONDS } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import { captured } from "./capture.ts"
import { about, amend, askIn, decisionOf, timer, timerAt } from "./decision.ts"
import type { IntentDecision, IntentFacts } from "./decision.ts"
import { fail } from "./ending.ts"
import { legsOf } from "./legs.ts"
import { reviewed } from "./review.ts"

/** Seconds until the first question to the provider about a missing answer. */
const ASK_SECONDS = 2
/** The most seconds between two questions. */
const ASK_AT_MOST_SECONDS = 600

/** An authorization that waits for the rail's answer. */
export interface OpenAuthorization {
  readonly call: OpenCall
  readonly attempts: PaymentIntent["attempts"]
  readonly routing: PaymentIntent["routing"]
  readonly payment_method_id: string | null
  readonly rail: Pick<Rail, "holdSeconds" | "inline">
  /** The same commit creates the intent. Each event then has its own version, as after separate requests. */
  readonly isNew?: boolean
}

const common = ({ attempts, payment_method_id, routing }: OpenAuthorization): Partial<PaymentIntent> => ({
  attempts,
  routing,
  payment_method_id,
  pending_reason: null,
  next_action: null
})

const approved = (
  intent: PaymentIntent,
  facts: IntentFacts,
  asked: OpenAuthorization,
  answer: Extract<RailAnswer, { _tag: "Approved" }>
): IntentDecision => {
  const { call, rail: { holdSeconds } } = asked
  const held = change(intent, facts.at, {
    ...common(asked),
    state: "authorized",
    authorized_amount: intent.amount,
    provider_reference: answer.reference,
    selected_rail: call.rail,
    capture_before: DateTime.add(facts.at, { seconds: holdSeconds }),
    open_call: null
  })
  const memos = [...legsOf(held, "approved"), post("payment_authorized", { ...about(held), amount: held.amount })]
  const event = { type: "authorized" as const, intent: held }
  // An answer that came at once was never asked for.
  const question = intent.open_call === null ? [] : [timer(ASK, held)]
  if (!call.capture && !answer.captured) {
    return decisionOf(held, {
      entries: memos,
      events: [event],
      set: [timerAt(EXPIRES, held, facts.at, holdSeconds)],
      clear: question,
      moments: reviewed(intent, held)
    })
  }
  const taken = captured(
    held,
    { amount: held.amount, exchange: call.exchange },
    facts,
    (changes) => asked.isNew === true ? change(held, facts.at, changes) : amend(held, changes)
  )
  return {
    ...taken,
    entries: [...memos, ...taken.entries],
    events: [event, ...taken.events],
    clear: [...taken.clear, ...question],
    moments: [...taken.moments, ...reviewed(intent, taken.intent)]
  }
}

const pending = (
  intent: PaymentIntent,
  facts: IntentFacts,
  asked: OpenAuthorization,
  changes: Pick<PaymentIntent, "pending_reason" | "next_action" | "provider_reference">
): IntentDecision => {
  const next = change(intent, facts.at, {
    ...common(asked),
    ...changes,
    state: "pending",
    selected_rail: asked.call.rail,
    capture_on_authorize: asked.call.capture,
    open_call: { ...asked.call, reference: changes.provider_reference, request: null }
  })
  return decisionOf(next, {
    set: [
      timerAt(EXPIRES, next, facts.at, PENDING_SECONDS),
      // The simulator has nobody to ask: its customer tells us.
      ...(changes.pending_reason === "requires_action" && asked.rail.inline ? [] : [askIn(next, facts.at, ASK_SECONDS)])
    ],
    moments: reviewed(intent, next)
  })
}

/** The decision on an answer. An approval of a wrong amount never arrives here: it is reversed first. */
export const decideOnAnswer = (intent: PaymentIntent, facts: IntentFacts, asked: OpenAuthorization, answer: RailAnswer): IntentDecision => {
  switch (answer._tag) {
    case "Approved":
      return approved(intent, facts, asked, answer)
    case "Declined":
      return fail(intent, facts.at, { failure_reason: answer.code, decline_code: answer.code }, {
        ...common(asked),
        selected_rail: asked.call.rail
      })
    case "Blocked": {
      const next = change(intent, facts.at, {
        ...common(asked),
        state: "blocked",
        decline_code: "fraudulent",
        failure_reason: "fraudulent",
        open_call: null
      })
      return decisionOf(next, {
        set: [timerAt(EXPIRES, next, facts.at, PENDING_SECONDS)],
        clear: [timer(ASK, next)],
        moments: reviewed(intent, next)
      })
    }
    case "RequiresAction":
      return pending(intent, facts, asked, {
        pending_reason: "requires_action",
        provider_reference: answer.reference,
        next_action: { type: "redirect", url: answer.url }
      })
    case "Accepted":
      return pending(intent, facts, asked, { pending_reason: "async_rail", provider_reference: answer.reference, next_action: null })
  }
}

/** The decision after an authorization call without an answer. */
export const unknownOutcome = (intent: PaymentIntent, facts: IntentFacts, asked: OpenAuthorization): IntentDecision =>
  pending(intent, facts, asked, { pending_reason: "unknown_outcome", provider_reference: null, next_action: null })

const askAfter = (intent: PaymentIntent, at: DateTime.Utc, seconds: number): IntentDecision => {
  const next = change(intent, at, {})
  return decisionOf(next, { set: [askIn(next, at, seconds)] })
}

/** The decision after a capture, refund or void call without an answer: a timer asks the provider soon. */
export const unanswered = (intent: PaymentIntent, at: DateTime.Utc): IntentDecision => askAfter(intent, at, ASK_SECONDS)

/** The provider has not decided: asks again, after the time that has passed since the call. */
export const askAgain = (intent: PaymentIntent, call: OpenCall, at: DateTime.Utc): IntentDecision => {
  const passed = Math.max(0, at.epochMilliseconds - call.started_at.epochMilliseconds) / 1000
  return askAfter(intent, at, Math.min(Math.max(Math.ceil(passed), ASK_SECONDS), ASK_AT_MOST_SECONDS))
}
