/** What a report says: how it begins, what its findings add up to, and what each difference is called. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ValidationError } from "@svc/kernel/errors"
import { makeId } from "@svc/kernel/ids"
import { toSafeInteger } from "@svc/kernel/money"
import type { TimerDraft } from "@svc/kernel/road/decision"
import type { Rail } from "@svc/payments/rails/rail"
import type { StatementType } from "@svc/payments/rails/statement"
import { DateTime, Result } from "effect"
import { Mismatch, MismatchId, type ReportId, type Side } from "../../mismatches/model.ts"
import { type Counts, DUE, type MismatchCounts, type Movement, noMismatches, Report, type Total } from "../model.ts"
import type { Finding } from "./matching.ts"

/** The longest period of one report. */
export const MOST_DAYS = 400

/** Where a report is taken up whose process died. Longer than one takes. */
const TAKEN_UP_SECONDS = 120

/** Those that a provider which does not withhold the platform's fee has nothing to say of: they count once its file has one. */
const fees: ReadonlySet<StatementType> = new Set(["fee", "fee_refund"])

/** What the file of a real provider covers, by the kinds of its lines. */
export const coveredByFile = (kinds: ReadonlySet<StatementType>): ReadonlyArray<StatementType> => {
  const hasFees = Array.from(kinds).some((kind) => fees.has(kind))
  return (["capture", "refund", "dispute", "dispute_reversal", "fee", "fee_refund"] as const).filter((kind) => hasFees || !fees.has(kind))
}

/** What is asked for: whose statement, of which time. */
export interface Asked {
  readonly source: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

const refused = (code: string, why: string) => Result.fail(new ValidationError({ code, message: `${code}: ${why}` }))

/** Whether there can be such a report. */
export const mayAsk = ({ from, source, to }: Asked, origin: Report["origin"], rails: ReadonlyArray<Rail>): Result.Result<Rail, ValidationError> => {
  const rail = rails.find(({ name }) => name === source)
  if (rail === undefined) return refused("source", `there is no rail ${source} here. The rails are: ${rails.map(({ name }) => name).join(", ")}.`)
  if (origin === "statement" && rail.statement === undefined) return refused("source", `the rail ${source} cannot be asked for a statement. Send its provider's file as text/csv.`)
  if (DateTime.isGreaterThanOrEqualTo(from, to)) return refused("to", "the period must end after it begins; its end does not belong to it.")
  if (DateTime.isGreaterThan(to, DateTime.add(from, { days: MOST_DAYS }))) return refused("to", `a report covers at most ${MOST_DAYS} days. Make several.`)
  return Result.succeed(rail)
}

/** A statement that was read whole. */
export interface Read {
  readonly id: ReportId
  readonly account: string
  readonly origin: Report["origin"]
  readonly covers: ReadonlyArray<StatementType>
  readonly line_count: number
  readonly at: DateTime.Utc
}

/** The report before anything is compared, and when somebody else takes it up. */
export const begin = ({ from, source, to }: Asked, { account, at, covers, id, line_count, origin }: Read): { readonly report: Report; readonly set: TimerDraft } => ({
  report: new Report({
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
  }),
  set: { kind: DUE, resource_id: id, due_at: DateTime.add(at, { seconds: TAKEN_UP_SECONDS }) }
})

/** What all findings come to. */
export interface Outcome {
  readonly counts: Counts
  readonly mismatch_counts: MismatchCounts
  readonly totals: ReadonlyArray<Total>
}

/** The report when everything is compared. */
export const complete = (report: Report, outcome: Outcome, at: DateTime.Utc): Report =>
  new Report({ ...report, ...outcome, status: "completed", completed_at: at, updated_at: at, version: report.version + 1 }, { disableChecks: true })

const signs: Readonly<Record<StatementType, bigint>> = { capture: 1n, refund: -1n, dispute: -1n, dispute_reversal: 1n, fee: -1n, fee_refund: 1n }

/** Adds findings up, however many there are. */
export class Tally {
  #counts = { matched: 0, mismatched: 0, unreconciled: 0 }
  #types: Record<keyof MismatchCounts, number> = { ...noMismatches }
  #totals = new Map<string, { expected: bigint; actual: bigint }>()

  #sum(side: "expected" | "actual", movement: Movement | undefined): void {
    if (movement === undefined) return
    const total = this.#totals.get(movement.currency) ?? { expected: 0n, actual: 0n }
    total[side] += signs[movement.type] * BigInt(movement.amount)
    this.#totals.set(movement.currency, total)
  }

  /** `settled`: somebody has decided about this very difference before, so that it is none any more. */
  add(finding: Finding, settled: boolean): void {
    this.#sum("expected", finding.item)
    this.#sum("actual", finding.line)
    if (finding._tag === "Match" || settled) {
      this.#counts.matched++
      return
    }
    this.#types[finding.type]++
    this.#counts[finding.type === "missing_external" ? "unreconciled" : "mismatched"]++
  }

  /** Throws a RangeError, a defect, where a sum is beyond what a number can hold. */
  outcome(): Outcome {
    const totals = Array.from(this.#totals, ([currency, { actual, expected }]): Total => ({ currency, expected: toSafeInteger(expected), actual: toSafeInteger(actual) }))
    return { counts: { ...this.#counts }, mismatch_counts: { ...this.#types }, totals: totals.toSorted((a, b) => a.currency < b.currency ? -1 : 1) }
  }
}

export type Difference = Extract<Finding, { readonly _tag: "Mismatch" }>

const sideOf = (movement: Movement | undefined): Side | null =>
  movement === undefined ? null : { amount: movement.amount, currency: movement.currency, occurred_at: DateTime.makeUnsafe(movement.at) }

/** Names a difference, so that the next report knows it again: the event where there is one, and what the provider says. */
export const subjectOf = (source: string, { item, line, nth, type }: Difference): string => {
  // What only the provider knows is known again by its reference, on whatever day a file puts it.
  const isNamed = type === "missing_internal" && line !== undefined && line.provider_reference !== null
  const said = line === undefined ? "-" : `${line.provider_reference ?? ""} ${line.amount} ${line.currency}${isNamed ? "" : ` ${line.at}`}`
  return `${source} ${type} ${(item ?? line)?.type} ${item?.sequence_id ?? "-"} ${said} ${nth}`
}

/** The mismatch that is kept of a difference. */
export const mismatchOf = (report: Report, difference: Difference): Mismatch => {
  const { item, line, type } = difference
  return new Mismatch({
    id: MismatchId.make(makeId("rm", report.created_at.epochMilliseconds)),
    merchant_id: report.merchant_id,
    report_id: report.id,
    type,
    line_type: (line ?? item)?.type ?? "capture",
    source: report.source,
    provider_reference: line?.provider_reference ?? item?.provider_reference ?? null,
    expected: sideOf(item),
    actual: sideOf(line),
    financial_event_id: item?.event_id ?? null,
    sequence_id: item?.sequence_id ?? null,
    subject: subjectOf(report.source, difference),
    status: "open",
    resolution: null,
    note: null,
    resolved_by: null,
    resolved_at: null,
    created_at: report.created_at,
    updated_at: report.created_at,
    version: 1
  }, { disableChecks: true })
}
