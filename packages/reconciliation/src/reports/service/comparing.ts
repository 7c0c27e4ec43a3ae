/** Compares what a report has laid out, piece by piece: neither side is ever in memory whole. */
import { Effect } from "effect"
import type { Item, Line, Report } from "../model.ts"
import { BEGINNING, CHUNK, type Laid, type Moves, type Place, placeOf, type ReportRepository } from "../repository.ts"
import { byAmount, byReference, type Finding } from "../rules/matching.ts"
import { type Difference, mismatchOf, type Outcome, subjectOf, Tally } from "../rules/report.ts"

type Repository = ReportRepository["Service"]

/** The next rows in some order. */
type Next = (after: Place) => Effect.Effect<ReadonlyArray<Laid>>

const linesOf = (laid: ReadonlyArray<Laid>): ReadonlyArray<Line> => laid.flatMap((one) => one.side === 0 ? [one.line] : [])
const itemsOf = (laid: ReadonlyArray<Laid>): ReadonlyArray<Item> => laid.flatMap((one) => one.side === 1 ? [one.item] : [])

const isDifference = (finding: Finding): finding is Difference => finding._tag === "Mismatch"

/** What the ledger's rows become by these findings. */
const movesOf = (findings: ReadonlyArray<Finding>, isSettled: (finding: Finding) => boolean): Moves => {
  const moves = { matched: new Array<number>(), mismatched: new Array<number>(), unreconciled: new Array<number>() }
  for (const finding of findings) {
    if (finding.item === undefined) continue
    const to = finding._tag === "Match" || isSettled(finding) ? "matched" : finding.type === "missing_external" ? "unreconciled" : "mismatched"
    moves[to].push(finding.item.sequence_id)
  }
  return moves
}

/** Rows in groups that are equal in what `key` says; a group may go over from one piece to the next. */
const inGroups = Effect.fnUntraced(function*(next: Next, key: (place: Place) => string, use: (groups: ReadonlyArray<ReadonlyArray<Laid>>) => Effect.Effect<void>) {
  let after = BEGINNING
  let open: Array<Laid> = []
  let openKey: string | undefined
  while (true) {
    const piece = yield* next(after)
    const groups: Array<ReadonlyArray<Laid>> = []
    for (const laid of piece) {
      after = placeOf(laid)
      const own = key(after)
      if (own !== openKey && open.length > 0) {
        groups.push(open)
        open = []
      }
      openKey = own
      open.push(laid)
    }
    const isLast = piece.length < CHUNK
    if (isLast && open.length > 0) groups.push(open)
    if (groups.length > 0) yield* use(groups)
    if (isLast) return
    // Others have their turn between two pieces.
    yield* Effect.yieldNow
  }
})

/** Compares everything, keeps the mismatches, moves the ledger's rows, and gives what it comes to. */
export const compare = Effect.fnUntraced(function*(repository: Repository, report: Report): Effect.fn.Return<Outcome> {
  const tally = new Tally()

  const keep = Effect.fnUntraced(function*(findings: ReadonlyArray<Finding>) {
    const subjects = new Map<Finding, string>(findings.filter(isDifference).map((finding) => [finding, subjectOf(report.source, finding)]))
    const decided = yield* repository.decided(report.merchant_id, Array.from(subjects.values()))
    const isSettled = (finding: Finding): boolean => decided.has(subjects.get(finding) ?? "")
    for (const finding of findings) tally.add(finding, isSettled(finding))
    const found = findings.filter(isDifference).filter((finding) => !isSettled(finding)).map((finding) => mismatchOf(report, finding))
    const stated = findings.flatMap(({ line }) => line === undefined || line.provider_reference === null ? [] : [{ type: line.type, provider_reference: line.provider_reference }])
    yield* repository.write(report, { found, stated, moves: movesOf(findings, isSettled) })
  })

  yield* repository.begin(report)
  yield* repository.layLedger(report)
  yield* inGroups((after) => repository.byReference(report, after), ({ provider_reference, type }) => `${type}/${provider_reference}`, Effect.fnUntraced(function*(groups) {
    const matched = groups.map((group) => byReference(linesOf(group), itemsOf(group)))
    const alone = matched.flatMap(({ items, lines }) => [...lines.map((line): Laid => ({ side: 0, line })), ...items.map((item): Laid => ({ side: 1, item }))])
    yield* repository.markAlone(report, alone)
    yield* keep(matched.flatMap(({ findings }) => findings))
  }))
  yield* inGroups((after) => repository.byAmount(report, after), ({ amount, currency, type }) => `${type}/${currency}/${amount}`, (groups) =>
    keep(groups.flatMap((group) => byAmount(linesOf(group), itemsOf(group)))))
  return tally.outcome()
})
