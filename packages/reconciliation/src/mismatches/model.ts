/** The mismatch: something of which a provider's statement and the ledger say different things, and what was decided about it. */
import { AccountId } from "@svc/accounts/accounts/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { RailName } from "@svc/payments/rails/model"
import { StatementType } from "@svc/payments/rails/statement"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const MismatchId = idSchema("rm", "MismatchId")
export type MismatchId = typeof MismatchId.Type
export const ReportId = idSchema("rr", "ReconciliationReportId")
export type ReportId = typeof ReportId.Type

/**
 * How the two differ: in the amount, in the currency, one of them does not know it, the provider has it twice, or they put it more than
 * three days apart.
 */
export const mismatchTypes = ["amount", "currency", "missing_internal", "missing_external", "duplicate", "timing"] as const
export const MismatchType = Schema.Literals(mismatchTypes).annotate({ identifier: "MismatchType" })
export type MismatchType = typeof MismatchType.Type

export const mismatchStatuses = ["open", "resolved"] as const
export const MismatchStatus = Schema.Literals(mismatchStatuses).annotate({ identifier: "MismatchStatus" })

/** What the mismatches of a report may be narrowed to. */
export const mismatchFilters = {
  type: Schema.optionalKey(MismatchType.annotate({ description: "Only mismatches of this type" })),
  status: Schema.optionalKey(MismatchStatus.annotate({ description: "Only mismatches that are open, or resolved" }))
}
export type MismatchFilter = Schema.Struct.Type<typeof mismatchFilters>

/** Which side is right, or who bears the difference. */
export const resolutions = ["accept_external", "accept_internal", "write_off", "manual"] as const
export const Resolution = Schema.Literals(resolutions).annotate({ identifier: "MismatchResolution" })
export type Resolution = typeof Resolution.Type

/** What one side says of a movement of money. */
export const Side = Schema.Struct({ amount: Amount, currency: Currency, occurred_at: Timestamp }).annotate({
  identifier: "ReconciliationSide"
})
export type Side = typeof Side.Type

/** Row and wire in one declaration. */
export const Mismatch = resource({
  id: MismatchId,
  merchant_id: AccountId,
  report_id: ReportId,
  type: MismatchType,
  /** What the movement is, in the words of a statement. */
  line_type: StatementType,
  source: RailName,
  provider_reference: Schema.NullOr(Schema.String),
  /** What the ledger says, with the corrections that stand; null where it has nothing. */
  expected: Schema.NullOr(Side),
  /** What the provider says; null where it has nothing. */
  actual: Schema.NullOr(Side),
  /** The event of the ledger, where there is one. */
  financial_event_id: Schema.NullOr(Schema.String),
  sequence_id: Model.Sensitive(Schema.NullOr(Schema.Int)),
  /** The mismatch whose correction is part of `expected`; null where none stood. */
  corrects: Model.Sensitive(Schema.NullOr(MismatchId)),
  /** What the event itself says, where `corrects` names a mismatch; null where there is no event. */
  booked: Model.Sensitive(Schema.NullOr(Side)),
  /** The same difference has the same subject in every report. */
  subject: Model.Sensitive(Schema.String),
  status: MismatchStatus,
  resolution: Schema.NullOr(Resolution),
  note: Schema.NullOr(Schema.String),
  /** The key with which it was resolved, or the later report that looked at the same again. */
  resolved_by: Schema.NullOr(Schema.String),
  resolved_at: Schema.NullOr(Timestamp),
  /**
   * The later report whose statement disproved the correction, or the later mismatch whose correction took its place; null while it stands.
   */
  superseded_by: Schema.NullOr(Schema.String),
  ...versioned
})
export type Mismatch = typeof Mismatch.Type

export const mismatchExample = {
  id: exampleId("rm"),
  merchant_id: exampleId("acct"),
  report_id: exampleId("rr"),
  type: "amount",
  line_type: "capture",
  source: "card_a",
  provider_reference: "sim_4c6f5bf39cfd9383f4b7106d",
  expected: { amount: 1999, currency: "USD", occurred_at: EXAMPLE_TIME },
  actual: { amount: 1990, currency: "USD", occurred_at: EXAMPLE_TIME },
  financial_event_id: exampleId("fe"),
  status: "open",
  resolution: null,
  note: null,
  resolved_by: null,
  resolved_at: null,
  superseded_by: null,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 1
} as const

export const MismatchJson = Mismatch.json.annotate({
  identifier: "Mismatch",
  description:
    "Something of which the provider's statement and the ledger say different things. `expected` is the ledger's side, `actual` the provider's; amounts are minor units."
}).pipe(Schema.annotateEncoded({ examples: [mismatchExample] }))

export const mismatches = tableOf(Mismatch, {
  name: "reconciliation_mismatches",
  account: "merchant_id",
  fixed: [
    "report_id",
    "type",
    "line_type",
    "source",
    "provider_reference",
    "expected",
    "actual",
    "financial_event_id",
    "sequence_id",
    "corrects",
    "booked",
    "subject"
  ],
  audited: true
})

/** What entries of the ledger say that they are about when a mismatch is resolved. */
export const RESOURCE = "reconciliation_mismatch"

export const ResolveMismatchRequest = Schema.Struct({
  resolution: Resolution.annotate({
    description:
      "`accept_external`: the provider is right, and correcting entries make the ledger say the same. `accept_internal`: the ledger is right. " +
      "`write_off`: the platform bears the difference, and the merchant's balance stays. `manual`: settled elsewhere"
  }),
  note: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1_000)).annotate({
      description: "Why, for whoever reads the books later"
    })
  ),
  idempotency_key: Schema.optionalKey(
    IdempotencyKey.annotate({ description: "May be left out: the same resolution again changes nothing." })
  )
}).annotate({
  identifier: "ResolveMismatchRequest",
  examples: [{
    resolution: "accept_internal",
    note: "The provider has corrected its file.",
    idempotency_key: "8e1c5c0e-3c36-4f0a-9d22-6a1f0e1f2b05"
  }]
})
export type ResolveMismatchRequest = typeof ResolveMismatchRequest.Type
