/** What the next piece of a comparison finds: read from where it stands, and nothing written. */
import { Effect } from "effect"
import type { Item, Line, Report } from "../model.ts"
import type { ComparisonRepository } from "../repository/comparison.ts"
import { CHUNK, type ComparisonRow, dayPlaceOf, placeOf, type ReferencePlace, statedPlaceOf } from "../repository/laid.ts"
import type { ComparisonPosition } from "../repository/progress.ts"
import { byReference, duplicates, type Finding, matchDays, type MatchResult, matchStatedAgain } from "../rules/matching.ts"

const linesOf = (laid: ReadonlyArray<ComparisonRow>): ReadonlyArray<Line> => laid.flatMap((one) => one.side === 0 ? [one.line] : [])
export const itemsOf = (laid: ReadonlyArray<ComparisonRow>): ReadonlyArray<Item> => laid.flatMap((one) => one.side === 0 ? [] : [one.item])

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
export const nextReferences = Effect.fnUntraced(
  function*(
    repository: ComparisonRepository["Service"],
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

/** The next piece of the lines without a reference that an earlier statement had. */
export const nextStatedAgain = Effect.fnUntraced(
  function*(repository: ComparisonRepository["Service"], report: Report, { items, lines }: ComparisonPosition) {
    const booked = yield* repository.statedAgain(report, items)
    const stated = booked.length === 0 ? [] : yield* repository.byDay(report, 0, lines)
    const matched = matchStatedAgain({ lines: linesOf(stated), items: itemsOf(booked) })
    const [line, item] = [stated[matched.lines - 1], booked[matched.items - 1]]
    const pairs = { lines: new Set(matched.pairs.map((pair) => pair.line)), items: new Set(matched.pairs.map((pair) => pair.item)) }
    return {
      findings: matched.pairs.map(({ finding }) => finding),
      found: [...stated, ...booked].filter((row) => row.side === 0 ? pairs.lines.has(row.line) : pairs.items.has(row.item)),
      isLast: (matched.lines === stated.length && stated.length < CHUNK) || (matched.items === booked.length && booked.length < CHUNK),
      lines: line === undefined ? lines : dayPlaceOf(line),
      items: item === undefined ? items : statedPlaceOf(item)
    }
  }
)

/** The next piece in the order of amounts and days. */
export const nextDays = Effect.fnUntraced(
  function*(repository: ComparisonRepository["Service"], report: Report, { items, lines, unknown }: ComparisonPosition) {
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
