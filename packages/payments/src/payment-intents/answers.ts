/** What a rail's answer to an authorization does to the intent. Pure, like the rest of the rules. */
import { post } from "@svc/ledger/financial-events/routes"
import { DateTime } from "effect"
import type { RailAnswer } from "../rails/model.ts"
import type { Rail } from "../rails/rail.ts"
import { ASK, EXPIRES } from "./model.ts"
import type { OpenCall, PaymentIntent } from "./model.ts"
import { amend, askIn, change, decision, PENDING_SECONDS } from "./decision.ts"
import type { Facts, IntentDecision } from "./decision.ts"
import { captured, fail } from "./rules.ts"

/** Seconds until the provider is asked the first time about an answer that is still to come. */
const ASK_SECONDS = 2
/** And the most between two questions. */
const ASK_AT_MOST_SECONDS = 600

/** What is fixed of an authorization before its answer. */
export interface Authorization {
  readonly call: OpenCall
  readonly attempts: PaymentIntent["attempts"]
  readonly routing: PaymentIntent["routing"]
  readonly payment_method_id: string | null
  readonly rail: Pick<Rail, "holdSeconds" | "inline">
}

const expiry = (intent: PaymentIntent, at: DateTime.Utc, seconds: number) => ({
  kind: EXPIRES,
  resource_id: intent.id,
  due_at: DateTime.add(at, { seconds })
})

const common = ({ attempts, payment_method_id, routing }: Authorization): Partial<PaymentIntent> => ({
  attempts,
  routing,
  payment_method_id,
  pending_reason: null,
  next_action: null
})

const approved = (
  intent: PaymentIntent,
  facts: Facts,
  authorization: Authorization,
  answer: Extract<RailAnswer, { _tag: "Approved" }>
): IntentDecision => {
  const { call, rail: { holdSeconds } } = authorization
  const held = change(intent, facts.at, {
    ...common(authorization),
    state: "authorized",
    authorized_amount: intent.amount,
    provider_reference: answer.reference,
    selected_rail: call.rail,
    capture_before: DateTime.add(facts.at, { seconds: holdSeconds }),
    open_call: null
  })
  const memo = post("payment_authorized", { currency: held.currency, resource_type: "payment_intent", resource_id: held.id, amount: held.amount })
  const event = { type: "authorized" as const, intent: held }
  // An answer that came at once was never asked for.
  const asked = intent.open_call === null ? [] : [{ kind: ASK, resource_id: held.id }]
  if (!call.capture && !answer.captured) {
    return decision(held, {
      entries: [memo],
      events: [event],
      set: [expiry(held, facts.at, holdSeconds)],
      clear: asked
    })
  }
  const taken = captured(held, held.amount, facts, (changes) => amend(held, changes))
  return { ...taken, entries: [memo, ...taken.entries], events: [event, ...taken.events], clear: [...taken.clear, ...asked] }
}

const pending = (
  intent: PaymentIntent,
  facts: Facts,
  authorization: Authorization,
  changes: Pick<PaymentIntent, "pending_reason" | "next_action" | "provider_reference">
): IntentDecision => {
  const next = change(intent, facts.at, {
    ...common(authorization),
    ...changes,
    state: "pending",
    selected_rail: authorization.call.rail,
    capture_on_authorize: authorization.call.capture,
    open_call: { ...authorization.call, reference: changes.provider_reference, request: null }
  })
  return decision(next, {
    set: [
      expiry(next, facts.at, PENDING_SECONDS),
      // The simulator has nobody to ask: its customer tells us.
      ...(changes.pending_reason === "requires_action" && authorization.rail.inline ? [] : [askIn(next, facts.at, ASK_SECONDS)])
    ]
  })
}

/** The decision that an answer asks for. An approval of another amount never arrives here: it is voided first. */
export const answered = (intent: PaymentIntent, facts: Facts, authorization: Authorization, answer: RailAnswer): IntentDecision => {
  switch (answer._tag) {
    case "Approved":
      return approved(intent, facts, authorization, answer)
    case "Declined":
      return fail(intent, facts.at, { failure_reason: answer.code, decline_code: answer.code }, {
        ...common(authorization),
        selected_rail: authorization.call.rail
      })
    case "Blocked": {
      const next = change(intent, facts.at, {
        ...common(authorization),
        state: "blocked",
        decline_code: "fraudulent",
        failure_reason: "fraudulent",
        open_call: null
      })
      return decision(next, { set: [expiry(next, facts.at, PENDING_SECONDS)], clear: [{ kind: ASK, resource_id: next.id }] })
    }
    case "RequiresAction":
      return pending(intent, facts, authorization, {
        pending_reason: "requires_action",
        provider_reference: answer.reference,
        next_action: { type: "redirect", url: answer.url }
      })
    case "Accepted":
      return pending(intent, facts, authorization, { pending_reason: "async_rail", provider_reference: answer.reference, next_action: null })
  }
}

/** The call was sent and nobody knows what became of it. */
export const unknownOutcome = (intent: PaymentIntent, facts: Facts, authorization: Authorization): IntentDecision =>
  pending(intent, facts, authorization, { pending_reason: "unknown_outcome", provider_reference: null, next_action: null })

/** The provider has not decided: ask again, after as long again as has passed since the call. */
export const askAgain = (intent: PaymentIntent, call: OpenCall, at: DateTime.Utc): IntentDecision => {
  const passed = Math.max(0, at.epochMilliseconds - call.started_at.epochMilliseconds) / 1000
  const seconds = Math.min(Math.max(Math.ceil(passed), ASK_SECONDS), ASK_AT_MOST_SECONDS)
  const next = change(intent, at, {})
  return decision(next, { set: [askIn(next, at, seconds)] })
}
