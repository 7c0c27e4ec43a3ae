/**
 * Compares what a report has laid out, piece by piece: neither side is ever in memory whole. A piece is one transaction, which also says
 * how far the comparison has come, so whoever takes it up goes on where it stood.
 */
import { Effect } from "effect"
import type { Mismatches } from "../../mismatches/service.ts"
import type { Item, Line, Report } from "../model.ts"
import type { ComparisonRepository, LedgerStates } from "../repository/comparison.ts"
import { BEGINNING, CHUNK, type ComparisonRow, dayPlaceOf, placeOf, type ReferencePlace } from "../repository/laid.ts"
import type { ComparisonPosition, ComparisonProgress } from "../repository/progress.ts"
import { byReference, duplicates, type Finding, matchDays, type MatchResult } from "../rules/matching.ts"
import { FindingTally, type MismatchFinding, mismatchOf, subjectOf } from "../rules/report.ts"

/** Where lines and mismatches are, and how a correction is taken back. */
export interface ComparisonStore {
  readonly repository: ComparisonRepository["Service"]
  readonly reverse: Mismatches["Service"]["reverse"]
}

/** What a piece writes, and how far the comparison has come with it. */
type Piece = Effect.Effect<ComparisonProgress>

const linesOf = (laid: ReadonlyArray<ComparisonRow>): ReadonlyArray<Line> => laid.flatMap((one) => one.side === 0 ? [one.line] : [])
const itemsOf = (laid: ReadonlyArray<ComparisonRow>): ReadonlyArray<Item> => laid.flatMap((one) => one.side === 0 ? [] : [one.item])

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

const referenceOf = ({ provider_reference, type }: ReferencePlace): string => `${type}/${provider_reference}`

const aloneOf = ({ items, lines }: MatchResult, group: ReadonlyArray<ComparisonRow>): ReadonlyArray<ComparisonRow> => {
  const [left, missed] = [new Set(lines), new Set(items)]
  return group.filter((one) => one.side === 0 ? left.has(one.line) : missed.has(one.item))
}

/** Rows in groups of one reference, but for the last group where more may follow; `last` is the last row of them. */
const wholeGroups = (rows: ReadonlyArray<ComparisonRow>) => {
  const last = rows.at(-1)
  const open = rows.length < CHUNK || last === undefined ? undefined : referenceOf(placeOf(last))
  const whole = open === undefined ? rows : rows.slice(0, rows.findIndex((row) => referenceOf(placeOf(row)) === open))
  return {
    groups: Array.from(Map.groupBy(whole, (row) => referenceOf(placeOf(row))).values()),
    last: whole.at(-1),
    isLast: open === undefined
  }
}

/** What a piece of the references comes to. */
interface Referenced extends Pick<ComparisonPosition, "reference" | "repeated"> {
  readonly findings: ReadonlyArray<Finding>
  readonly alone: ReadonlyArray<ComparisonRow>
  readonly isLast: boolean
}

/**
 * The next piece in the order of references. A reference with more lines than a piece is decided by the first of them: the others say again
 * what was said.
 */
const nextReferences = Effect.fnUntraced(
  function*(
    repository: ComparisonStore["repository"],
    report: Report,
    { reference, repeated }: ComparisonPosition
  ): Effect.fn.Return<Referenced> {
    const rows = yield* repository.byReference(report, reference)
    if (repeated !== null) {
      const more = rows.slice(0, rows.findLastIndex((row) => referenceOf(placeOf(row)) === referenceOf(reference)) + 1)
      const again = linesOf(more)
      const isWhole = more.length < CHUNK
      const last = more.at(-1)
      return {
        findings: duplicates(again, repeated),
        alone: [],
        isLast: false,
        reference: last === undefined ? reference : placeOf(last),
        repeated: isWhole ? null : repeated + again.length
      }
    }
    const { groups, isLast, last } = wholeGroups(rows)
    const first = rows[0]
    if (last === undefined && first !== undefined) {
      const group = [...rows.filter(({ side }) => side === 0), ...yield* repository.ofReference(report, placeOf(first))]
      const matched = byReference(linesOf(group), itemsOf(group))
      const again = matched.findings.flatMap((finding) =>
        finding._tag === "Mismatch" && finding.type === "duplicate" ? [finding.nth + 1] : []
      )
      return {
        findings: matched.findings,
        alone: aloneOf(matched, group),
        isLast: false,
        reference: placeOf(rows.at(-1) ?? first),
        repeated: Math.max(0, ...again.slice(-1))
      }
    }
    const matched = groups.map((group) => ({ group, ...byReference(linesOf(group), itemsOf(group)) }))
    return {
      findings: matched.flatMap(({ findings }) => findings),
      alone: matched.flatMap((one) => aloneOf(one, one.group)),
      isLast,
      reference: last === undefined ? reference : placeOf(last),
      repeated: null
    }
  }
)

/** The next piece in the order of amounts and days. */
const nextDays = Effect.fnUntraced(
  function*(repository: ComparisonStore["repository"], report: Report, { items, lines, unknown }: ComparisonPosition) {
    const [stated, booked] = [yield* repository.byDay(report, 0, lines), yield* repository.byDay(report, 1, items)]
    const [moreLines, moreItems] = [stated.length === CHUNK, booked.length === CHUNK]
    const matched = matchDays({ lines: linesOf(stated), items: itemsOf(booked), moreLines, moreItems, unknown: unknown ?? undefined })
    const [line, item] = [stated[matched.lines - 1], booked[matched.items - 1]]
    return {
      findings: matched.findings,
      isLast: !moreLines && !moreItems,
      lines: line === undefined ? lines : dayPlaceOf(line),
      items: item === undefined ? items : dayPlaceOf(item),
      unknown: matched.unknown ?? null
    }
  }
)

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
    return repository.write(report, { found, stated, moves: movesOf(findings, isSettled) })
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
          phase: isLast ? "amount" : phase,
          reached: { ...reached, reference, repeated },
          tally: tally.state()
        }
        return Effect.as(Effect.andThen(repository.markAlone(report, alone), write), next)
      }
      case "amount": {
        const { findings, isLast, items, lines, unknown } = yield* nextDays(repository, report, reached)
        const tally = new FindingTally(progress.tally)
        const write = yield* keep(books, report, findings, tally)
        return Effect.as(write, {
          ...progress,
          phase: isLast ? "done" : phase,
          reached: { ...reached, lines, items, unknown },
          tally: tally.state()
        })
      }
      case "done":
        return Effect.succeed(progress)
    }
  }
)
