/** The calls of an intent to rails: the attempts to authorize, the open call, and the step of the customer. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { ExchangeTerms } from "../../quotes/model.ts"
import { DeclineCode, RailName } from "../../rails/model.ts"
import { refundOptionFields } from "./refunds.ts"

export const attemptExample = {
  id: exampleId("att"),
  rail: "card_a",
  amount: 1999,
  outcome: "approved",
  decline_code: null,
  provider_reference: "sim_4c6f5bf39cfd9383f4b7106d",
  rule: "fallback order",
  score: 100,
  created_at: EXAMPLE_TIME,
  finished_at: EXAMPLE_TIME
} as const

/** One authorization call to one rail. `outcome` is `started` until the answer is known. */
export const Attempt = Schema.Struct({
  id: Schema.String,
  rail: RailName,
  amount: SafeAmount,
  outcome: Schema.Literals(["started", "approved", "declined", "requires_action", "pending", "unknown", "failed"]),
  decline_code: Schema.NullOr(DeclineCode),
  provider_reference: Schema.NullOr(Schema.String),
  /** Why the routing chose or left this rail. */
  rule: Schema.String,
  score: Schema.Int,
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "PaymentAttempt" })
export type Attempt = typeof Attempt.Type

/**
 * A call to a rail whose answer is not known yet. The commit before the call writes it, so that a retry or a timer can ask the provider
 * about the call.
 */
export const OpenCall = Schema.Struct({
  operation: Schema.Literals(["authorize", "capture", "refund", "void"]),
  attempt_id: Schema.String,
  rail: RailName,
  amount: SafeAmount,
  /** The provider's reference of the authorization. Captures, refunds and voids name this reference. */
  reference: Schema.NullOr(Schema.String),
  token: Schema.NullOr(Schema.String),
  capture: Schema.Boolean,
  ...refundOptionFields,
  /** The exchange terms of a capture that is settled in another currency. */
  exchange: Schema.optionalKey(ExchangeTerms),
  started_at: Timestamp,
  /** The request that waits for the answer; null after a reply with a pending intent. */
  request: Schema.NullOr(Schema.Struct({ key: Schema.String, operation: Schema.String, fingerprint: Schema.String }))
})
export type OpenCall = typeof OpenCall.Type

export const NextAction = Schema.Struct({
  type: Schema.Literal("redirect"),
  url: Schema.String.annotate({
    description:
      "Send the customer there. In the sandbox the page has two buttons; a program may POST to `<url>/pass` or `<url>/fail` instead"
  })
}).annotate({ identifier: "NextAction" })
