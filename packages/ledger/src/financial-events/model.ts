/**
 * The financial event: one entry of a merchant's ledger. Each is a balanced journal transaction
 * between the merchant's three buckets and one platform account, and a link of the merchant's hash chain.
 */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import type { SumsOfCurrency } from "@svc/kernel/resource/sums"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount, SignedAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { counterAccounts, ledgerEventTypes } from "./routes.ts"
import { breakReasons } from "./verify.ts"

// The contract includes how to check it: clients verify with the very code that the service does.
export { beginning, behind, verifyBalances, verifyChain, verifyEnd } from "./verify.ts"

export const FinancialEventId = idSchema("fe", "FinancialEventId")
export type FinancialEventId = typeof FinancialEventId.Type

export const FinancialEventType = Schema.Literals(ledgerEventTypes).annotate({ identifier: "FinancialEventType" })

export const reconciliationStatuses = ["pending", "matched", "mismatched", "unreconciled"] as const
export const ReconciliationStatus = Schema.Literals(reconciliationStatuses).annotate({ identifier: "ReconciliationStatus" })

/** A place in a merchant's chain: 1, 2, 3 … without gaps. */
export const SequenceId = Schema.Int.check(
  Schema.isGreaterThanOrEqualTo(1, { message: "must be a whole number from 1" })
).annotate({ identifier: "SequenceId", description: "Place in the merchant's chain: 1, 2, 3 … without gaps." })

export const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "must be a SHA-256 in lowercase hex" }))

/** Row and wire in one declaration. Everything that is hashed is public. */
export class FinancialEvent extends Model.Class<FinancialEvent>("FinancialEvent")({
  id: FinancialEventId,
  merchant_id: Schema.String,
  sequence_id: SequenceId,
  event_type: FinancialEventType,
  /** What the event is to the merchant. */
  direction: Schema.Literals(["debit", "credit"]),
  amount: SafeAmount,
  currency: Currency,
  delta_available: SignedAmount,
  delta_pending: SignedAmount,
  delta_reserved: SignedAmount,
  /** The platform account on the other side; empty when money moves between the merchant's own buckets. */
  counter_account: Schema.Literals(counterAccounts),
  /** What that account moves by, so that the four deltas sum to zero. */
  counter_delta: SignedAmount,
  /** The key of the request that caused the event, or the name of what else did. */
  idempotency_key: Schema.String,
  /** Counts the events of one type under one key. */
  ordinal: Model.Sensitive(Schema.Int),
  resource_type: Schema.String,
  resource_id: Schema.String,
  hash_version: Schema.Int,
  /** `event_hash` of the event before; 64 zeros for the first. */
  previous_hash: Hash,
  /** SHA-256 of the RFC 8785 JSON of the hashed fields. */
  event_hash: Hash,
  /** The one field that changes after the event was written, and that is not hashed. */
  reconciliation_status: ReconciliationStatus,
  created_at: Timestamp
}) {}

/** What the API shows. */
export const FinancialEventJson = FinancialEvent.json.annotate({
  identifier: "FinancialEvent",
  description:
    "One entry of the merchant's ledger, linked to the entry before by `previous_hash`. Amounts and deltas are minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("fe"),
    merchant_id: exampleId("acct"),
    sequence_id: 2,
    event_type: "payment_captured",
    direction: "credit",
    amount: 1500,
    currency: "USD",
    delta_available: 0,
    delta_pending: 1500,
    delta_reserved: 0,
    counter_account: "P.rail_clearing",
    counter_delta: -1500,
    idempotency_key: "3ffd6646-d840-4141-a12d-bf29bc916e6c",
    resource_type: "payment_intent",
    resource_id: exampleId("pi"),
    hash_version: 1,
    previous_hash: "3a099616982eb7058ed547cec0f8429e89c6e91938f7b56f682c3aa19b4847ad",
    event_hash: "daea6c633504088bc1cccb46127affb4ef5b224357144a2c12d9395e9b1ec585",
    reconciliation_status: "pending",
    created_at: EXAMPLE_TIME
  }]
}))

/** What is added up of a list: of amounts only those of one event type say something, the others say by how much the buckets moved. */
export const financialEventSums = ["amount", "delta_available", "delta_pending", "delta_reserved"] as const
export type FinancialEventSums = ReadonlyArray<SumsOfCurrency<(typeof financialEventSums)[number]>>

export const LedgerBreak = Schema.Struct({
  sequence_id: Schema.Natural.annotate({ description: "The first sequence id that is wrong or missing" }),
  reason: Schema.Literals(breakReasons),
  resource_id: Schema.optionalKey(
    Schema.String.annotate({ description: "With `state_mismatch`, the resource whose amounts differ from those of its events" })
  )
}).annotate({ identifier: "LedgerBreak" })

/** The answer to a check of the ledger. */
export const LedgerVerification = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether everything that was checked holds" }),
  last_sequence_id: Schema.Natural.annotate({ description: "Where the chain ends according to its head; 0 when it is empty" }),
  head_hash: Hash.annotate({ description: "event_hash of the last event according to the head; 64 zeros when there is none" }),
  checked: Schema.Natural.annotate({ description: "How many events were found to hold" }),
  first_break: Schema.NullOr(LedgerBreak)
}).annotate({
  identifier: "LedgerVerification",
  description:
    "Reasons: `gap`, an event is missing; `prev_mismatch`, it is not linked to the event before; `hash_mismatch`, it was changed; " +
    "`balance_mismatch`, it moves money as no event of its type does, or the stored balances are not the sum of the events; `head_mismatch`, the end of the chain is not where its head says; " +
    "`checkpoint_mismatch`, the chain is not the one that the last checkpoint was signed for, or that checkpoint is not genuine; `state_mismatch`, the amounts of a resource are not those of its events.",
  examples: [{
    ok: true,
    last_sequence_id: 2,
    head_hash: "daea6c633504088bc1cccb46127affb4ef5b224357144a2c12d9395e9b1ec585",
    checked: 2,
    first_break: null
  }]
})
export type LedgerVerification = typeof LedgerVerification.Type
