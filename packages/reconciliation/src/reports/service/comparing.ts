/**
 * Compares what a report has laid out, piece by piece: neither side is ever in memory whole. A piece is one transaction, which also says
 * how far the comparison has come, so whoever takes it up goes on where it stood.
 */
import { Effect } from "effect"
import type { Mismatches } from "../../mismatches/service.ts"
import type { Report } from "../model.ts"
import type { ComparisonRepository, LedgerStates } from "../repository/comparison.ts"
import { BEGINNING, CHUNK, FIRST_DAY, placeOf } from "../repository/laid.ts"
import type { ComparisonProgress } from "../repository/progress.ts"
import { type Finding, missing } from "../rules/matching.ts"
import { FindingTally, type MismatchFinding, mismatchOf, subjectOf } from "../rules/report.ts"
import { itemsOf, nextDays, nextReferences, nextStatedAgain } from "./pieces.ts"

/** Where lines and mismatches are, and how a correction is taken back. */
export interface ComparisonStore {
  readonly repository: ComparisonRepository["Service"]
  readonly reverse: Mismatches["Service"]["reverse"]
}

/** What a piece writes, and how far the comparison has come with it. */
type Piece = Effect.Effect<ComparisonProgress>

const isDifference = (finding: Finding): finding is MismatchFinding => finding._tag === "Mismatch"

/** What the ledger's rows become by these findings. */
const movesOf = (findings: ReadonlyArray<Finding>, isSettled: (finding: Finding) => boolean): LedgerStates => {
  const moves = { matched: new Array<number>(), mismatched: new Array<number>(), unreconciled: new Array<number>() }
  for (const finding of findings) {
    const sequence_id = finding.item?.sequence_id ?? null
    if (sequence_id === null) continue
    const to = finding._tag !== "Mismatch" || isSettled(finding)
      ? "matched"
      : finding.type === "missing_external"
      ? "unreconciled"
      : "mismatched"
    moves[to].push(sequence_id)
  }
  return moves
}

/** Keeps findings: takes back what they disprove, and says what is to be written. */
const keep = Effect.fnUntraced(
  function*({ repository, reverse }: ComparisonStore, report: Report, findings: ReadonlyArray<Finding>, tally: FindingTally) {
    for (const finding of findings) {
      if (finding._tag === "Reversal") yield* Effect.orDie(reverse(report.merchant_id, finding.correction.id, report.id))
    }
    const subjects = new Map<Finding, string>(findings.filter(isDifference).map((finding) => [finding, subjectOf(report.source, finding)]))
    const decidedSubjects = yield* repository.decided(report.merchant_id, Array.from(subjects.values()))
    const isSettled = (finding: Finding): boolean => decidedSubjects.has(subjects.get(finding) ?? "")
    for (const finding of findings) tally.add(finding, isSettled(finding))
    const found = findings.filter(isDifference).filter((finding) => !isSettled(finding)).map((finding) => mismatchOf(report, finding))
    const stated = findings.flatMap(({ line }) =>
      line === undefined || line.provider_reference === null ? [] : [{ type: line.type, provider_reference: line.provider_reference }]
    )
    const statedEvents = findings.flatMap(({ item, line }) =>
      line === undefined || line.provider_reference !== null || item === undefined || item.sequence_id === null
        ? []
        : [{ sequence_id: item.sequence_id, at: line.at }]
    )
    const moves = movesOf(findings, isSettled)
    return repository.write(report, { found, stated, moves, statedEvents, settled: Array.from(decidedSubjects) })
  }
)

/** The next piece. What is read and taken back happens here, what is written in the effect that this gives. */
export const nextPiece = Effect.fnUntraced(
  function*(books: ComparisonStore, report: Report, progress: ComparisonProgress): Effect.fn.Return<Piece> {
    const { repository } = books
    const { event_id, phase, reached } = progress
    switch (phase) {
      case "ledger":
        return Effect.gen(function*() {
          if (event_id === "") yield* repository.forget(report)
          const last = yield* repository.layEvents(report, event_id)
          return last === undefined ? { ...progress, phase: "named" } : { ...progress, event_id: last }
        })
      case "named": {
        const rows = yield* repository.byReference(report, reached.reference)
        const last = rows.length < CHUNK ? undefined : rows.at(-1)
        const next: ComparisonProgress = last === undefined
          ? { ...progress, phase: "corrections", reached: { ...reached, reference: BEGINNING } }
          : { ...progress, reached: { ...reached, reference: placeOf(last) } }
        return Effect.as(repository.layNamed(report, rows.filter(({ side }) => side === 0)), next)
      }
      case "corrections":
        return Effect.as(repository.layCorrections(report), { ...progress, phase: "reference" })
      case "reference": {
        const { alone, findings, isLast, reference, repeated } = yield* nextReferences(repository, report, reached)
        const tally = new FindingTally(progress.tally)
        const write = yield* keep(books, report, findings, tally)
        const next: ComparisonProgress = {
          ...progress,
          phase: isLast ? "again" : phase,
          reached: { ...reached, reference, repeated },
          tally: tally.state()
        }
        return Effect.as(Effect.andThen(repository.markAlone(report, alone), write), next)
      }
      case "again": {
        const { findings, found, isLast, items, lines } = yield* nextStatedAgain(repository, report, reached)
        const tally = new FindingTally(progress.tally)
        const write = yield* keep(books, report, findings, tally)
        return Effect.as(Effect.andThen(repository.settle(report, found), write), {
          ...progress,
          phase: isLast ? "amount" : phase,
          reached: { ...reached, lines: isLast ? FIRST_DAY : lines, items: isLast ? FIRST_DAY : items },
          tally: tally.state()
        })
      }
      case "amount": {
        const { findings, isLast, items, lines, unknown } = yield* nextDays(repository, report, reached)
        const tally = new FindingTally(progress.tally)
        const write = yield* keep(books, report, findings, tally)
        return Effect.as(write, {
          ...progress,
          phase: isLast ? "unstated" : phase,
          reached: { ...reached, lines, items, unknown, reference: BEGINNING },
          tally: tally.state()
        })
      }
      case "unstated": {
        const rows = yield* repository.unstated(report, reached.reference.n)
        const tally = new FindingTally(progress.tally)
        const write = yield* keep(books, report, itemsOf(rows).map(missing), tally)
        const last = rows.length < CHUNK ? undefined : rows.at(-1)
        return Effect.as(write, {
          ...progress,
          phase: last === undefined ? "done" : phase,
          reached: last === undefined ? reached : { ...reached, reference: placeOf(last) },
          tally: tally.state()
        })
      }
      case "done":
        return Effect.succeed(progress)
    }
  }
)
