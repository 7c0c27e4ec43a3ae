/** The second look: the request of a person that a second person has to approve, with its result. See docs/decisions/0080. */
import type { AccountFacts, ApiKeyScope } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import type { Reply } from "@svc/kernel/http/reply"
import { keyOnlyRequest } from "@svc/kernel/resource/api"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import type { Keyed } from "@svc/kernel/resource/idempotency"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { type Effect, Schema } from "effect"

export const SecondLookId = idSchema("sl", "SecondLookId")
export type SecondLookId = typeof SecondLookId.Type

/** `approved`: the act is in progress. `done`: the act succeeded. `failed`: the act was approved, and refused when it was carried out. */
export const secondLookStatuses = ["pending", "approved", "done", "failed", "rejected", "expired"] as const
export const SecondLookStatus = Schema.Literals(secondLookStatuses).annotate({ identifier: "SecondLookStatus" })
export type SecondLookStatus = typeof SecondLookStatus.Type

export const SecondLookAct = Schema.Literals(["refund", "payout"]).annotate({ identifier: "SecondLookAct" })
export type SecondLookAct = typeof SecondLookAct.Type

/** The timer that ends the wait, and the timer that carries out an approved act after a crash. */
export const EXPIRES = "second_look.expires"
export const CARRY_OUT = "second_look.carry_out"

/** The days in which a second person can decide. */
export const EXPIRY_DAYS = 7

/** Row and wire in one declaration. */
export const SecondLook = resource({
  id: SecondLookId,
  merchant_id: AccountId,
  act: SecondLookAct,
  subject_id: Schema.String.annotate({ description: "The payment to refund, or the transfer instrument to pay out to" }),
  /** Minor units of `currency`. */
  amount: Amount,
  currency: Currency,
  reverse_credit: Schema.Boolean.annotate({ description: "Of a refund: whether credit is taken back that the customer has not used" }),
  status: SecondLookStatus,
  requested_by: Schema.String.annotate({ description: "The person who asked for it" }),
  decided_by: Schema.NullOr(Schema.String).annotate({ description: "The person who approved or rejected it" }),
  decided_at: Schema.NullOr(Timestamp),
  result_id: Schema.NullOr(Schema.String).annotate({ description: "What was done: the payment that was refunded, or the payout" }),
  failure_reason: Schema.NullOr(Schema.String).annotate({ description: "Why it was refused after it was approved" }),
  /** The end of the wait without a decision. */
  expires_at: Timestamp,
  ...versioned
})
export type SecondLook = typeof SecondLook.Type

export const SecondLookJson = SecondLook.json.annotate({
  identifier: "SecondLook",
  description:
    "A refund or a payout above `settings.people.second_look_above`. Nothing of it has happened while it waits for a second person."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("sl"),
    merchant_id: exampleId("acct"),
    act: "refund",
    subject_id: exampleId("pi"),
    amount: 250_000,
    currency: "USD",
    reverse_credit: false,
    status: "pending",
    requested_by: exampleId("usr"),
    decided_by: null,
    decided_at: null,
    result_id: null,
    failure_reason: null,
    expires_at: "2026-01-08T12:00:00.000Z",
    ...exampleVersion
  }]
}))

export const secondLooks = tableOf(SecondLook, {
  name: "second_looks",
  account: "merchant_id",
  fixed: ["act", "subject_id", "amount", "currency", "reverse_credit", "requested_by", "expires_at"],
  audited: true
})

/** The filters of a list. */
export const secondLookFilters = {
  status: Schema.optionalKey(SecondLookStatus),
  subject_id: Schema.optionalKey(Schema.String),
  requested_by: Schema.optionalKey(Schema.String)
}

export const ApproveSecondLookRequest = keyOnlyRequest("ApproveSecondLookRequest", "e2f5b5cd-3c1e-4b57-9f0e-0a61c6d1c7a4")
export const RejectSecondLookRequest = keyOnlyRequest("RejectSecondLookRequest", "1b0a6fd0-5e1c-4b1a-a8a4-6f7d3a0c9be2")

/** The account and the key of an approved act. */
export interface ApprovedWork {
  readonly account: AccountFacts
  readonly keyed: Keyed
}

/** An act that may need a second look. Each resource contributes its acts. */
export interface Act {
  readonly name: SecondLook["act"]
  /** The scope that the requester and the reviewer must have. */
  readonly scope: ApiKeyScope
  /** Carries out the act: once for one `keyed`. */
  readonly carryOut: (
    look: SecondLook,
    work: ApprovedWork
  ) => Effect.Effect<Reply, { readonly _tag: string; readonly message: string }>
}
