/** Pays with the account of the agent's key, once a key of its own; the same call again says how the payment stands. */
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { type PaymentIntent, PaymentIntentState, PendingReason } from "@svc/payments/payment-intents/model"
import { NextAction } from "@svc/payments/payment-intents/model/attempts"
import { accountOf, agentOf } from "@svc/tool-kit/call"
import { may, text, unsaid, whole } from "@svc/tool-kit/fields"
import { type PolicyRefused, refusedAs } from "@svc/tool-kit/gate/policy"
import { tool } from "@svc/tool-kit/tool"
import { Duration, Effect, Schema } from "effect"
import { type AgentPayment, type AgentPaymentState, PaymentNotMade } from "../agent-payments/model.ts"
import { AgentPayments, type PaymentRefused } from "../agent-payments/service.ts"
import { CurrencyCode } from "./get_quote.ts"

/** A rail that answers later than this is answered for: the payment goes on without the caller. */
const PATIENCE = Duration.seconds(50)

const AGAIN = "Repeat this very call, with the same idempotency_key, to see what became of it."

const Payment = Schema.Struct({
  payment_id: Schema.String,
  status: Schema.Literals(["succeeded", "pending"]),
  state: PaymentIntentState,
  amount: Schema.Int,
  currency: Schema.String,
  provider: Schema.NullOr(Schema.String),
  pending_reason: Schema.NullOr(PendingReason),
  approval_id: Schema.NullOr(Schema.String),
  /** Until when a person may decide. */
  expires_at: Schema.NullOr(Timestamp),
  next_action: Schema.NullOr(NextAction),
  message: Schema.String
})

const waiting = ({ approval, intent: { next_action, pending_reason } }: AgentPaymentState): string => {
  switch (pending_reason) {
    case "requires_approval":
      return `The account's owner has to approve this payment${
        approval === undefined ? "" : ` (${approval.id})`
      }. Nothing is charged until then. ${AGAIN}`
    case "requires_action":
      return `The holder of the payment method has to take a step at ${next_action?.url ?? "the provider"}. ${AGAIN}`
    default:
      return `The provider has not answered yet. ${AGAIN}`
  }
}

interface Ending {
  readonly code: string
  readonly fits: (intent: PaymentIntent) => boolean
  /** Completes the sentence "The payment …". */
  readonly why: (intent: PaymentIntent) => string
}

const inState = ({ failure_reason, state }: PaymentIntent): string => `is ${state}: ${failure_reason ?? "voided"}`

/** How a payment ends without money. The first row that fits is told; a cancelled payment that fits no other row was voided. */
const endings: ReadonlyArray<Ending> = [
  {
    code: "payment_declined",
    fits: ({ decline_code, state }) => state === "failed" && decline_code !== null,
    why: ({ decline_code }) => `was declined: ${decline_code}`
  },
  { code: "payment_failed", fits: ({ state }) => state === "failed", why: inState },
  { code: "payment_blocked", fits: ({ state }) => state === "blocked", why: () => "is blocked until the account's owner lets it pass" },
  {
    code: "payment_rejected",
    fits: ({ failure_reason }) => failure_reason === "rejected",
    why: () => "was rejected by the account's owner"
  },
  {
    code: "approval_expired",
    fits: ({ failure_reason }) => failure_reason === "approval_expired",
    why: () => "was not approved in time"
  },
  { code: "payment_cancelled", fits: ({ state }) => state === "cancelled", why: inState }
]

const endOf = ({ approval, intent }: AgentPaymentState): PaymentNotMade | undefined => {
  if (!["failed", "cancelled", "blocked"].includes(intent.state)) return undefined
  const ending = endings.find(({ fits }) => fits(intent))
  const { decline_code, failure_reason, id, state } = intent
  return ending && new PaymentNotMade({
    code: ending.code,
    message: `The payment ${ending.why(intent)}. Nothing is charged. `
      + "The same call says the same again; ask the account's owner what to do.",
    retryable: false,
    detail: { payment_id: id, state, decline_code, failure_reason, approval_id: approval?.id ?? null }
  })
}

const shown = (standing: AgentPaymentState): Effect.Effect<typeof Payment.Type, PaymentNotMade> => {
  const { approval, intent } = standing
  const { amount, currency, id, next_action, pending_reason, selected_rail, state } = intent
  const ended = endOf(standing)
  if (ended !== undefined) return Effect.fail(ended)
  const succeeded = state === "captured" || state === "refunded"
  return Effect.succeed({
    payment_id: id,
    status: succeeded ? "succeeded" as const : "pending" as const,
    state,
    amount,
    currency,
    provider: selected_rail,
    pending_reason,
    approval_id: approval?.id ?? null,
    expires_at: pending_reason === "requires_approval" ? approval?.expires_at ?? null : null,
    next_action,
    message: succeeded ? `Paid ${amount} minor units of ${currency}.` : waiting(standing)
  })
}

/** Failures after which the same call may go better. */
const passing: ReadonlySet<string> = new Set(["PaymentInFlight", "ProviderUnavailable", "VersionConflict"])

const refusedBy = (refused: PaymentRefused): PolicyRefused | PaymentNotMade => {
  switch (refused._tag) {
    case "NotAllowed":
      return refusedAs(refused.code, refused.detail)
    case "AgentBudgetExceeded":
      return refusedAs("AGENT_BUDGET_EXCEEDED", refused.message, {
        agent_key_id: refused.key,
        period: refused.period,
        limit_cents: refused.limit,
        left_cents: refused.left
      })
    case "IdempotencyKeyReused":
      return refusedAs("IDEMPOTENCY_CONFLICT", "The key stands for another payment.")
    case "IdempotencyInProgress":
      return refusedAs("IDEMPOTENCY_CONFLICT", "The first call is still running.", { retry_after: 1 })
    default:
      return new PaymentNotMade({
        code: refused.error,
        message: refused.message,
        retryable: passing.has(refused._tag),
        ...(refused._tag === "ValidationError" ? { detail: { field: refused.code } } : {})
      })
  }
}

const late = new PaymentNotMade({
  code: "payment_in_flight",
  message: `The provider has not answered yet, and the payment goes on. ${AGAIN}`,
  retryable: true
})

export const execute_payment = tool({
  name: "execute_payment",
  title: "Pay",
  description:
    "Pays an amount, in minor units, with a payment method of the account. idempotency_key names this payment: repeat the call with the same key and arguments to retry it or to see how it stands; it is paid once.",
  auth: "agent",
  scopes: ["payment_intents:write"],
  kind: "outside",
  prices: "free",
  ownKey: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  limits: { seconds: 60, bytes: 32 * 1024 },
  payload: Schema.Struct({
    idempotency_key: Schema.String.check(Schema.makeFilter((key: string) => Schema.is(IdempotencyKey)(key), {
      ...unsaid,
      message: "must be 1 to 255 printable ASCII characters, best a random UUID",
      arbitraryConstraint: { patterns: [{ source: "^[a-z0-9]{8,40}$", flags: "" }] }
    })),
    amount: whole(1, MAX_AMOUNT),
    currency: CurrencyCode,
    payment_method_id: text(255).annotate({ description: "pm_…, or tok_visa in a sandbox" }),
    provider: may(text(40)),
    metadata: may(Schema.Record(text(40), text(500)).check(Schema.isMaxProperties(20)))
  }),
  result: Payment,
  error: PaymentNotMade,
  examples: [{ idempotency_key: "2f0c9b1e-6d5f-4c59-9f55-0f2a7c1b8e11", amount: 1999, currency: "USD", payment_method_id: "tok_visa" }],
  services: [AgentPayments],
  run: Effect.fnUntraced(function*(payment: AgentPayment, call) {
    const { chain, id, policy } = agentOf(call)
    const { pay } = yield* AgentPayments
    const paid = Effect.mapError(pay({ account: accountOf(call).id, id, policy, chain }, payment), refusedBy)
    return yield* shown(yield* Effect.timeoutOrElse(paid, { duration: PATIENCE, orElse: () => Effect.fail(late) }))
  })
})
