/** The reconciliation report: a provider's statement of a period beside the ledger. */
import { AccountId } from "@svc/accounts/accounts/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { SignedAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { RailName } from "@svc/payments/rails/model"
import { StatementType } from "@svc/payments/rails/statement"
import { Schema } from "effect"
import { mismatchExample, MismatchJson, mismatchTypes, ReportId } from "../mismatches/model.ts"

export const reportStatuses = ["processing", "completed"] as const
export const ReportStatus = Schema.Literals(reportStatuses).annotate({ identifier: "ReconciliationReportStatus" })

/** How many movements the two agree on, on how many they differ, and how many the ledger has and the statement lacks. */
export const Counts = Schema.Struct({ matched: Schema.Natural, mismatched: Schema.Natural, unreconciled: Schema.Natural }).annotate({
  identifier: "ReconciliationCounts"
})
export type Counts = typeof Counts.Type

export const MismatchCounts = Schema.Record(Schema.Literals(mismatchTypes), Schema.Natural).annotate({ identifier: "MismatchCounts" })
export type MismatchCounts = typeof MismatchCounts.Type

/**
 * What all movements of one currency come to on either side; minor units. Money that goes back to customers, and fees, count below zero.
 */
export const Total = Schema.Struct({ currency: Currency, expected: SignedAmount, actual: SignedAmount }).annotate({
  identifier: "ReconciliationTotal"
})
export type Total = typeof Total.Type

/** Row and wire in one declaration. */
export const Report = resource({
  id: ReportId,
  merchant_id: AccountId,
  /** The rail whose provider says it. */
  source: RailName,
  /** Whether the rail was asked, or its file sent. */
  origin: Schema.Literals(["statement", "file"]),
  period_from: Timestamp,
  period_to: Timestamp,
  /** What the statement tells of: of anything else its silence says nothing. */
  covers: Schema.Array(StatementType),
  status: ReportStatus,
  line_count: Schema.Natural,
  counts: Counts,
  mismatch_counts: MismatchCounts,
  totals: Schema.Array(Total),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  updated_at: Timestamp,
  version: Schema.Int
})
export type Report = typeof Report.Type

/** Mismatches of each type: none yet. */
export const noMismatches: MismatchCounts = { amount: 0, currency: 0, missing_internal: 0, missing_external: 0, duplicate: 0, timing: 0 }

const example = {
  id: exampleId("rr"),
  merchant_id: exampleId("acct"),
  source: "card_a",
  origin: "statement",
  period_from: "2026-01-01T00:00:00.000Z",
  period_to: "2026-01-02T00:00:00.000Z",
  covers: ["capture", "refund"],
  status: "completed",
  line_count: 3,
  counts: { matched: 2, mismatched: 1, unreconciled: 0 },
  mismatch_counts: { ...noMismatches, amount: 1 },
  totals: [{ currency: "USD", expected: 4998, actual: 4989 }],
  created_at: EXAMPLE_TIME,
  completed_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 2
} as const

export const ReportJson = Report.json.annotate({
  identifier: "ReconciliationReport",
  description: "A provider's statement of a period, compared with the ledger. Amounts are minor units."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** With its mismatches, a page at a time. */
export const ReportDetail = Schema.Struct({
  ...Report.json.fields,
  mismatches: Schema.Array(MismatchJson).annotate({ description: "Newest first" }),
  total: Schema.Natural.annotate({ description: "Mismatches in the whole report, of the type and status that were asked for" }),
  page: Schema.Natural.annotate({ description: "Page number, from 1" }),
  per_page: Schema.Natural.annotate({ description: "Mismatches asked for a page" }),
  has_more: Schema.Boolean.annotate({ description: "Whether more mismatches follow: ask with `after` for those behind the last one" }),
  total_is_estimate: Schema.optionalKey(Schema.Boolean.annotate({ description: "True where counting stopped" }))
}).annotate({ identifier: "ReconciliationReportDetail" })
  .pipe(
    Schema.annotateEncoded({ examples: [{ ...example, mismatches: [mismatchExample], total: 1, page: 1, per_page: 20, has_more: false }] })
  )

export const reports = tableOf(Report, {
  name: "reconciliation_reports",
  account: "merchant_id",
  fixed: ["source", "origin", "period_from", "period_to", "covers", "line_count"]
})

// ---------------------------------------------------------------------------------- requests

const from = Timestamp.annotate({ description: "The first moment of the period" })
const to = Timestamp.annotate({ description: "The moment at which the period is over, which does not belong to it" })
const source = RailName.annotate({ description: "The rail whose provider says it, for example card_a" })

export const CreateReportRequest = Schema.Struct({ source, from, to }).annotate({
  identifier: "CreateReconciliationReportRequest",
  description: "Asks the rail for its statement"
}).pipe(Schema.annotateEncoded({ examples: [{ source: "card_a", from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" }] }))
export type CreateReportRequest = typeof CreateReportRequest.Type

/** The same beside a file, where the body is the file. */
export const uploadQuery = { source: Schema.optionalKey(source), from: Schema.optionalKey(from), to: Schema.optionalKey(to) }

/** What a list may be narrowed to; the names are those of the query. */
export interface ReportFilter {
  readonly source?: string
  readonly status?: typeof ReportStatus.Type
}

// ---------------------------------------------------------------------------------- what is compared

/** Milliseconds that the two may lie apart: banking days and time zones. */
export const TOLERANCE = 3 * 24 * 3_600_000

/** A movement of money, as one side has it. */
export interface Movement {
  readonly type: StatementType
  readonly provider_reference: string | null
  /** Minor units, above zero. */
  readonly amount: number
  readonly currency: string
  /** Unix milliseconds. */
  readonly at: number
}

/** Of the statement. */
export interface Line extends Movement {
  /** Where it stands; nothing is decided by it. */
  readonly n: number
}

/** What a person's decision made of an item: a mismatch whose correction stands. */
export interface Correction {
  /** The id of the mismatch. */
  readonly id: string
  /** What the ledger says with it; null where it says nothing any more. */
  readonly content: Pick<Movement, "amount" | "currency" | "at"> | null
}

/** Of the ledger: an event as it was posted, and what corrections made of it; or a correction that has no event. */
export interface Item extends Movement {
  /** Null for a correction without an event: of what only the provider knew, or had more often. */
  readonly sequence_id: number | null
  readonly event_id: string | null
  /** Whether the statement ought to have it: it lies in the period, and is of a kind that the statement covers. */
  readonly expected: boolean
  /**
   * Whether no earlier report has found its line, or a correction has taken it away. Of a correction without an event: whether the ledger
   * has the movement by that correction alone, so that each statement of its day ought to have it.
   */
  readonly open: boolean
  /** Unix milliseconds at which an earlier statement had the line of the event without a reference; undefined where none did. */
  readonly stated_at: number | undefined
  readonly correction: Correction | undefined
}

/** The last line that nobody knew: those that are alike are counted. */
export interface Unknown {
  readonly line: Movement
  readonly nth: number
}

/** What findings add up to so far, as it is kept between two pieces of a report. */
export interface TallyState {
  readonly counts: Counts
  readonly mismatch_counts: MismatchCounts
  /** By currency; sums as decimal text, for they may be beyond what a number holds. */
  readonly totals: Readonly<Record<string, { readonly expected: string; readonly actual: string }>>
}

export const noFindings: TallyState = { counts: { matched: 0, mismatched: 0, unreconciled: 0 }, mismatch_counts: noMismatches, totals: {} }
