/**
 * Compares what a report has laid out, piece by piece: neither side is ever in memory whole. A piece is one transaction, which also says how far
 * the comparison has come, so whoever takes it up goes on where it stood.
 */
import { Effect } from "effect"
import type { Mismatches } from "../../mismatches/service.ts"
import type { Item, Line, Report } from "../model.ts"
import type { ComparisonRepository, Moves } from "../repository/comparison.ts"
import { BEGINNING, CHUNK, type Laid, type Place, placeOf } from "../repository/laid.ts"
import type { Progress } from "../repository/progress.ts"
import { byAmount, byReference, type Finding, type Matched } from "../rules/matching.ts"
import { type Difference, mismatchOf, subjectOf, Tally } from "../rules/report.ts"

/** Where lines and mismatches are, and how a correction is taken back. */
export interface Books {
  readonly repository: ComparisonRepository["Service"]
  readonly reverse: Mismatches["Service"]["reverse"]
}

/** The next rows in some order. */
type Next = (after: Place) => Effect.Effect<ReadonlyArray<Laid>>

/** What a piece writes, and how far the comparison has come with it. */
type Piece = Effect.Effect<Progress>

const linesOf = (laid: ReadonlyArray<Laid>): ReadonlyArray<Line> => laid.flatMap((one) => one.side === 0 ? [one.line] : [])
const itemsOf = (laid: ReadonlyArray<Laid>): ReadonlyArray<Item> => laid.flatMap((one) => one.side === 0 ? [] : [one.item])

const isDifference = (finding: Finding): finding is Difference => finding._tag === "Mismatch"

/** What the ledger's rows become by these findings. */
const movesOf = (findings: ReadonlyArray<Finding>, isSettled: (finding: Finding) => boolean): Moves => {
  const moves = { matched: new Array<number>(), mismatched: new Array<number>(), unreconciled: new Array<number>() }
  for (const finding of findings) {
    const sequence_id = finding.item?.sequence_id ?? null
    if (sequence_id === null) continue
    const to = finding._tag !== "Mismatch" || isSettled(finding) ? "matched" : finding.type === "missing_external" ? "unreconciled" : "mismatched"
    moves[to].push(sequence_id)
  }
  return moves
}

/** Whole groups of rows that are equal in what `key` says, and the last row of them; undefined when none follow. */
const nextGroups = Effect.fnUntraced(function*(next: Next, key: (place: Place) => string, place: Place) {
  const laid: Array<Laid> = []
  let last = place
  while (true) {
    const rows = yield* next(last)
    for (const row of rows) laid.push(row)
    const ended = laid.at(-1)
    const grouped = (whole: ReadonlyArray<Laid>) => Array.from(Map.groupBy(whole, (one) => key(placeOf(one))).values())
    if (rows.length < CHUNK || ended === undefined) return { groups: grouped(laid), last: undefined }
    // The last group may go on, so it belongs to the next piece, unless it is the only one.
    last = placeOf(ended)
    const open = key(last)
    const whole = laid.slice(0, laid.findIndex((one) => key(placeOf(one)) === open))
    const end = whole.at(-1)
    if (end !== undefined) return { groups: grouped(whole), last: placeOf(end) }
  }
})

/** Keeps findings: takes back what they disprove, and says what is to be written. */
const keep = Effect.fnUntraced(function*({ repository, reverse }: Books, report: Report, findings: ReadonlyArray<Finding>, tally: Tally) {
  for (const finding of findings) if (finding._tag === "Reversal") yield* Effect.orDie(reverse(report.merchant_id, finding.correction.id, report.id))
  const subjects = new Map<Finding, string>(findings.filter(isDifference).map((finding) => [finding, subjectOf(report.source, finding)]))
  const decided = yield* repository.decided(report.merchant_id, Array.from(subjects.values()))
  const isSettled = (finding: Finding): boolean => decided.has(subjects.get(finding) ?? "")
  for (const finding of findings) tally.add(finding, isSettled(finding))
  const found = findings.filter(isDifference).filter((finding) => !isSettled(finding)).map((finding) => mismatchOf(report, finding))
  const stated = findings.flatMap(({ line }) => line === undefined || line.provider_reference === null ? [] : [{ type: line.type, provider_reference: line.provider_reference }])
  return repository.write(report, { found, stated, moves: movesOf(findings, isSettled) })
})

const referenceOf = ({ provider_reference, type }: Place): string => `${type}/${provider_reference}`
const amountOf = ({ amount, currency, type }: Place): string => `${type}/${currency}/${amount}`

const aloneOf = ({ items, lines }: Matched, group: ReadonlyArray<Laid>): ReadonlyArray<Laid> => {
  const [left, missed] = [new Set(lines), new Set(items)]
  return group.filter((one) => one.side === 0 ? left.has(one.line) : missed.has(one.item))
}

/** The next piece. What is read and taken back happens here, what is written in the effect that this gives. */
export const nextPiece = Effect.fnUntraced(function*(books: Books, report: Report, progress: Progress): Effect.fn.Return<Piece> {
  const { repository } = books
  const { event_id, phase, place } = progress
  switch (phase) {
    case "ledger":
      return Effect.gen(function*() {
        if (event_id === "") yield* repository.forget(report)
        const last = yield* repository.layEvents(report, event_id)
        return last === undefined ? { ...progress, phase: "named" } : { ...progress, event_id: last }
      })
    case "named": {
      const rows = yield* repository.byReference(report, place)
      const last = rows.length < CHUNK ? undefined : rows.at(-1)
      return Effect.as(
        repository.layNamed(report, rows.filter(({ side }) => side === 0)),
        last === undefined ? { ...progress, phase: "corrections", place: BEGINNING } : { ...progress, place: placeOf(last) }
      )
    }
    case "corrections":
      return Effect.as(repository.layCorrections(report), { ...progress, phase: "reference" })
    case "reference": {
      const { groups, last } = yield* nextGroups((after) => repository.byReference(report, after), referenceOf, place)
      const matched = groups.map((group) => ({ group, ...byReference(linesOf(group), itemsOf(group)) }))
      const tally = new Tally(progress.tally)
      const write = yield* keep(books, report, matched.flatMap(({ findings }) => findings), tally)
      const next: Progress = { ...progress, ...(last === undefined ? { phase: "amount", place: BEGINNING } : { place: last }), tally: tally.state() }
      return Effect.as(Effect.andThen(repository.markAlone(report, matched.flatMap((one) => aloneOf(one, one.group))), write), next)
    }
    case "amount": {
      const { groups, last } = yield* nextGroups((after) => repository.byAmount(report, after), amountOf, place)
      const tally = new Tally(progress.tally)
      const write = yield* keep(books, report, groups.flatMap((group) => byAmount(linesOf(group), itemsOf(group))), tally)
      return Effect.as(write, { ...progress, ...(last === undefined ? { phase: "done" } : { place: last }), tally: tally.state() })
    }
    case "done":
      return Effect.succeed(progress)
  }
})
