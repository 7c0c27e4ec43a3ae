/** The account's own disputes, as far as a tool needs them. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { CallAccount } from "../call.ts"

/** As the payments API shows it. */
export const OwnDispute = Schema.Struct({
  id: Schema.String,
  payment_intent_id: Schema.String,
  /** Minor units. */
  amount: Schema.Int,
  currency: Schema.String,
  /** The network's code, such as 10.4. */
  reason: Schema.String,
  status: Schema.Literals(["open", "under_review", "won", "lost", "accepted", "expired"]),
  evidence_due_by: Schema.NullOr(Schema.String),
  created_at: Schema.String
})
export type OwnDispute = typeof OwnDispute.Type

/** The dispute has moved on, or its deadline has passed. */
export class DisputeNotOpen extends Schema.TaggedError<DisputeNotOpen>()("DisputeNotOpen", { message: Schema.String }) {}

export interface DisputesApi {
  /** Undefined for one that does not exist and for one of another account alike. */
  readonly find: (account: CallAccount, id: string) => Effect.Effect<OwnDispute | undefined>
  /** Sends the evidence to the network, once for one key: a second time with it answers as the first. */
  readonly submit: (account: CallAccount, submission: {
    readonly id: string
    readonly evidence: Schema.Json
    readonly idempotency_key: string
  }) => Effect.Effect<OwnDispute, DisputeNotOpen>
}

export class Disputes extends Context.Service<Disputes, Backend<DisputesApi>>()("@svc/tool-kit/Disputes") {}
