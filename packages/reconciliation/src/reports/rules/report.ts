/** What a report says: how it begins, what its findings add up to, and what each difference is called. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { ValidationError } from "@svc/kernel/resource/errors"
import { makeId } from "@svc/kernel/values/ids"
import { toSafeInteger } from "@svc/kernel/values/money"
import type { Rail } from "@svc/payments/rails/rail"
import type { StatementType } from "@svc/payments/rails/statement"
import { DateTime, Result } from "effect"
import { type Mismatch, MismatchId, type ReportId, type Side } from "../../mismatches/model.ts"
import {
  type Counts,
  type Item,
  type MismatchCounts,
  type Movement,
  noFindings,
  noMismatches,
  Report,
  type TallyState,
  type Total
} from "../model.ts"
import { contentOf, type Finding } from "./matching.ts"

/** The longest period of one report. */
export const MOST_DAYS = 400

/** The kinds that a provider lists only when it withholds the platform's fee: they count once its file has one. */
const fees: ReadonlySet<StatementType> = new Set(["fee", "fee_refund"])

/** What the file of a real provider covers, by the kinds of its lines. */
export const coveredByFile = (kinds: ReadonlySet<StatementType>): ReadonlyArray<StatementType> => {
  const hasFees = Array.from(kinds).some((kind) => fees.has(kind))
  return (["capture", "refund", "dispute", "dispute_reversal", "fee", "fee_refund"] as const).filter((kind) => hasFees || !fees.has(kind))
}

/** A request for a report: the provider of the statement, and the period. */
export interface ReportRequest {
  readonly source: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

const refused = (code: string, why: string) => Result.fail(new ValidationError({ code, message: `${code}: ${why}` }))

/** Whether there can be such a report. */
export const mayAsk = (
  { from, source, to }: ReportRequest,
  origin: Report["origin"],
  rails: ReadonlyArray<Rail>
): Result.Result<Rail, ValidationError> => {
  const rail = rails.find(({ name }) => name === source)
  if (rail === undefined) {
    return refused(
      "source",
      `there is no rail ${source} here. The rails are: ${rails.map(({ name }) => name).join(", ")}.`
    )
  }
  if (origin === "statement" && rail.statement === undefined) {
    return refused("source", `the rail ${source} cannot be asked for a statement. Send its provider's file as text/csv.`)
  }
  if (DateTime.isGreaterThanOrEqualTo(from, to)) return refused("to", "the period must end after it begins; its end does not belong to it.")
  if (DateTime.isGreaterThan(to, DateTime.add(from, { days: MOST_DAYS }))) {
    return refused("to", `a report covers at most ${MOST_DAYS} days. Make several.`)
  }
  return Result.succeed(rail)
}

/** A statement that was read whole. */
export interface ReadStatement {
  readonly id: ReportId
  readonly account: string
  readonly origin: Report["origin"]
  readonly covers: ReadonlyArray<StatementType>
  readonly line_count: number
  readonly at: DateTime.Utc
}

/** The report before anything is compared. */
export const begin = ({ from, source, to }: ReportRequest, { account, at, covers, id, line_count, origin }: ReadStatement): Report => ({
  id,
  merchant_id: AccountId.make(account),
  source,
  origin,
  period_from: from,
  period_to: to,
  covers,
  status: "processing",
  line_count,
  counts: { matched: 0, mismatched: 0, unreconciled: 0 },
  mismatch_counts: noMismatches,
  totals: [],
  created_at: at,
  completed_at: null,
  updated_at: at,
  version: 1
})

/** What all findings come to. */
export interface ReportResult {
  readonly counts: Counts
  readonly mismatch_counts: MismatchCounts
  readonly totals: ReadonlyArray<Total>
}

/** The report when everything is compared. */
export const complete = (report: Report, outcome: ReportResult, at: DateTime.Utc): Report =>
  change(report, at, { ...outcome, status: "completed", completed_at: at })

const signs: Readonly<Record<StatementType, bigint>> = {
  capture: 1n,
  refund: -1n,
  dispute: -1n,
  dispute_reversal: 1n,
  fee: -1n,
  fee_refund: 1n
}

/** Adds findings up, however many there are. */
export class FindingTally {
  readonly #counts: { -readonly [Name in keyof Counts]: number }
  readonly #types: Record<keyof MismatchCounts, number>
  readonly #totals: Map<string, { expected: bigint; actual: bigint }>

  /** Goes on from what was added up before. */
  constructor({ counts, mismatch_counts, totals }: TallyState = noFindings) {
    this.#counts = { ...counts }
    this.#types = { ...mismatch_counts }
    this.#totals = new Map(
      Object.entries(totals).map(([currency, { actual, expected }]) => [currency, { expected: BigInt(expected), actual: BigInt(actual) }])
    )
  }

  #sum(side: "expected" | "actual", type: StatementType, content: Pick<Movement, "amount" | "currency"> | undefined): void {
    if (content === undefined) return
    const total = this.#totals.get(content.currency) ?? { expected: 0n, actual: 0n }
    total[side] += signs[type] * BigInt(content.amount)
    this.#totals.set(content.currency, total)
  }

  /** `settled`: somebody has decided about this very difference before, so that it is none any more. */
  add(finding: Finding, settled: boolean): void {
    const { item, line } = finding
    const isReversal = finding._tag === "Reversal"
    // What is reversed is what the event said; a correction without an event leaves nothing.
    if (item !== undefined) this.#sum("expected", item.type, !isReversal ? contentOf(item) : item.sequence_id === null ? undefined : item)
    if (line !== undefined) this.#sum("actual", line.type, line)
    if (isReversal && line === undefined) return
    if (finding._tag !== "Mismatch" || settled) {
      this.#counts.matched++
      return
    }
    this.#types[finding.type]++
    this.#counts[finding.type === "missing_external" ? "unreconciled" : "mismatched"]++
  }

  state(): TallyState {
    const totals = Object.fromEntries(
      Array.from(this.#totals, ([currency, { actual, expected }]) => [currency, { expected: String(expected), actual: String(actual) }])
    )
    return { counts: { ...this.#counts }, mismatch_counts: { ...this.#types }, totals }
  }

  /** Throws a RangeError, a defect, where a sum is beyond what a number can hold. */
  outcome(): ReportResult {
    const totals = Array.from(
      this.#totals,
      ([currency, { actual, expected }]): Total => ({ currency, expected: toSafeInteger(expected), actual: toSafeInteger(actual) })
    )
    return {
      counts: { ...this.#counts },
      mismatch_counts: { ...this.#types },
      totals: totals.toSorted((a, b) => a.currency < b.currency ? -1 : 1)
    }
  }
}

export type MismatchFinding = Extract<Finding, { readonly _tag: "Mismatch" }>

const sideOf = (content: Pick<Movement, "amount" | "currency" | "at"> | undefined): Side | null =>
  content === undefined ? null : { amount: content.amount, currency: content.currency, occurred_at: DateTime.makeUnsafe(content.at) }

/** What the ledger says of an item without its correction. */
const bookedOf = (item: Item | undefined): Side | null => item === undefined || item.sequence_id === null ? null : sideOf(item)

/**
 * Names a difference, so that the next report knows it again: the event where there is one, the correction that stands, and what the
 * provider says.
 */
export const subjectOf = (source: string, { item, line, nth, type }: MismatchFinding): string => {
  // What only the provider knows is known again by its reference, on whatever day a file puts it.
  const isNamed = type === "missing_internal" && line !== undefined && line.provider_reference !== null
  const said = line === undefined ? "-" : `${line.provider_reference ?? ""} ${line.amount} ${line.currency}${isNamed ? "" : ` ${line.at}`}`
  const corrected = item?.correction === undefined ? "" : ` ${item.correction.id}`
  return `${source} ${type} ${(item ?? line)?.type} ${item?.sequence_id ?? "-"} ${said} ${nth}${corrected}`
}

/** The mismatch that is kept of a difference. */
export const mismatchOf = (report: Report, difference: MismatchFinding): Mismatch => {
  const { item, line, type } = difference
  return {
    id: MismatchId.make(makeId("rm", report.created_at.epochMilliseconds)),
    merchant_id: report.merchant_id,
    report_id: report.id,
    type,
    line_type: (line ?? item)?.type ?? "capture",
    source: report.source,
    provider_reference: line?.provider_reference ?? item?.provider_reference ?? null,
    expected: item === undefined ? null : sideOf(contentOf(item)),
    actual: sideOf(line),
    financial_event_id: item?.event_id ?? null,
    sequence_id: item?.sequence_id ?? null,
    corrects: item?.correction === undefined ? null : MismatchId.make(item.correction.id),
    booked: item?.correction === undefined ? null : bookedOf(item),
    subject: subjectOf(report.source, difference),
    status: "open",
    resolution: null,
    note: null,
    resolved_by: null,
    resolved_at: null,
    superseded_by: null,
    created_at: report.created_at,
    updated_at: report.created_at,
    version: 1
  }
}
