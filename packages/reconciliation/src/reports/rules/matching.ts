/**
 * Which line of a statement is which event of the ledger. First by what the provider calls it; what finds nobody that way, by type, amount
 * and currency on dates at most three days apart. Pure, and the same whatever order lines come in.
 */
import type { MismatchType } from "../../mismatches/model.ts"
import { type Correction, type Item, type Line, type Movement, TOLERANCE, type Unknown } from "../model.ts"

/** What a line, an item of the ledger or both came to. A reversal: the statement says what the ledger said before it was corrected. */
export type Finding =
  | { readonly _tag: "Match"; readonly line: Line; readonly item: Item }
  | { readonly _tag: "Reversal"; readonly line: Line | undefined; readonly item: Item; readonly correction: Correction }
  | {
    readonly _tag: "Mismatch"
    readonly type: MismatchType
    readonly line: Line | undefined
    readonly item: Item | undefined
    readonly nth: number
  }

/** The findings so far, and the lines and items without a partner. */
export interface MatchResult {
  readonly findings: ReadonlyArray<Finding>
  readonly lines: ReadonlyArray<Line>
  readonly items: ReadonlyArray<Item>
}

type Content = Pick<Movement, "amount" | "currency" | "at">

const apart = (line: Content, item: Content): number => Math.abs(line.at - item.at)

/** How the two differ; undefined when they agree. */
const difference = (line: Content, item: Content): MismatchType | undefined => {
  if (line.currency !== item.currency) return "currency"
  if (line.amount !== item.amount) return "amount"
  return apart(line, item) > TOLERANCE ? "timing" : undefined
}

/** What the ledger says of an item, with its correction; undefined where that took it away. */
export const contentOf = (item: Item): Content | undefined => item.correction === undefined ? item : item.correction.content ?? undefined

/** Whether the statement says what the event said before it was corrected. Of one that was taken for missing, its amount suffices. */
const disproves = (line: Line, item: Item): boolean => {
  if (item.correction === undefined || item.sequence_id === null) return false
  const differs = difference(line, item)
  return differs === undefined || (differs === "timing" && item.correction.content === null)
}

const findingOf = (line: Line, item: Item): Finding => {
  const content = contentOf(item)
  const differs = content === undefined ? "missing_internal" : difference(line, content)
  // What only the provider knows is known again by its reference, on whatever day a file puts it.
  if (differs === undefined || (differs === "timing" && item.sequence_id === null)) return { _tag: "Match", line, item }
  if (item.correction !== undefined && disproves(line, item)) return { _tag: "Reversal", line, item, correction: item.correction }
  return { _tag: "Mismatch", type: differs, line, item, nth: 0 }
}

/** The less a finding asks of anybody, the lower. */
const ranks: ReadonlyArray<MismatchType | "Match" | "Reversal"> = ["Match", "Reversal", "timing", "amount", "currency", "missing_internal"]
const rank = (line: Line, item: Item): number => {
  const finding = findingOf(line, item)
  return ranks.indexOf(finding._tag === "Mismatch" ? finding.type : finding._tag)
}

/** An order of movements that does not know in which order they came. */
export const byContent = (a: Movement, b: Movement): number =>
  a.at - b.at || a.amount - b.amount || (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0)

/** The line that differs least from the event, by its place in the list. */
const nearest = (lines: ReadonlyArray<Line>, item: Item): number => {
  let best = 0
  for (const [at, line] of lines.entries()) {
    const nearestLine = lines[best]
    if (nearestLine === undefined) break
    const closer = rank(line, item) - rank(nearestLine, item) || apart(line, item) - apart(nearestLine, item)
    if (closer < 0) best = at
  }
  return best
}

/** Lines that say again what was said. `known`: so many were before them. */
export const duplicates = (lines: ReadonlyArray<Line>, known = 0): ReadonlyArray<Finding> =>
  lines.map((line, nth) => ({ _tag: "Mismatch", type: "duplicate", line, item: undefined, nth: known + nth }))

/** The finding of an item that the statement ought to have, and has not. */
export const missing = (item: Item): Finding => ({ _tag: "Mismatch", type: "missing_external", line: undefined, item, nth: 0 })

/** Events before corrections that have none, each in the order in which it was made. */
const inOrder = (a: Item, b: Item): number =>
  (a.sequence_id ?? Number.MAX_SAFE_INTEGER) - (b.sequence_id ?? Number.MAX_SAFE_INTEGER) ||
  ((a.correction?.id ?? "") < (b.correction?.id ?? "") ? -1 : 1)

/**
 * Lines and items of one type that have one reference. Each item takes the line that differs least from it; what lines are left say again
 * what was said. Where only one side knows the reference, one of each goes on alone. A statement that tells of the reference, and less
 * often than the ledger since somebody accepted more, disproves that correction where it covers its day. One that does not tell of it says
 * nothing, but of a movement that the ledger has by an accepted line alone: there the provider's word is missing.
 */
export const byReference = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): MatchResult => {
  const left = lines.toSorted(byContent)
  if (items.length === 0) return { findings: duplicates(left.slice(1)), lines: left.slice(0, 1), items: [] }
  const findings: Array<Finding> = []
  const alone: Array<Item> = []
  for (const item of items.toSorted(inOrder)) {
    const [line] = left.length === 0 ? [] : left.splice(nearest(left, item), 1)
    if (line !== undefined) findings.push(findingOf(line, item))
    else if (item.sequence_id !== null) alone.push(item)
    else if (item.correction !== undefined && item.expected && lines.length > 0) {
      findings.push({ _tag: "Reversal", line: undefined, item, correction: item.correction })
    } else if (item.expected && item.open) findings.push(missing(item))
  }
  const accepted = items.filter(({ sequence_id }) => sequence_id === null).length
  return { findings: [...findings, ...duplicates(left, accepted === items.length ? accepted - 1 : accepted)], lines: [], items: alone }
}

/** Lines and items in the order of {@link byDay}, as many as one piece has. */
export interface DayPiece {
  readonly lines: ReadonlyArray<Line>
  readonly items: ReadonlyArray<Item>
  /** Whether more of them follow. */
  readonly moreLines: boolean
  readonly moreItems: boolean
  readonly unknown: Unknown | undefined
}

/** The findings of a piece, and how many lines and items they used. */
export interface DayMatchResult {
  readonly findings: ReadonlyArray<Finding>
  readonly lines: number
  readonly items: number
  readonly unknown: Unknown | undefined
}

const isNamed = ({ provider_reference }: Movement): boolean => provider_reference !== null

const inTextOrder = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

/** Movements of one kind, currency and amount stand together. */
const byKind = (a: Movement, b: Movement): number =>
  inTextOrder(a.type, b.type) || inTextOrder(a.currency, b.currency) || a.amount - b.amount

/**
 * The order in which movements are compared by their amounts and days, and in which the rows are read; it does not know in which order they
 * came.
 */
export const byDay = (a: Movement, b: Movement): number =>
  byKind(a, b) || a.at - b.at || inTextOrder(a.provider_reference ?? "", b.provider_reference ?? "")

/** A line without a reference and the event that an earlier report found for it. */
export interface StatedAgain {
  readonly line: Line
  readonly item: Item
  readonly finding: Finding
}

/** What of a piece was stated before, and how many lines and items are looked at. */
export interface StatedAgainResult {
  readonly pairs: ReadonlyArray<StatedAgain>
  readonly lines: number
  readonly items: number
}

/**
 * Lines without a reference that an earlier statement had: each belongs to the event that it was found for then, so that the same file
 * again finds the same. Lines come in the order of {@link byDay}, items in that order, too, but by the moment at which their line was
 * stated.
 */
export const matchStatedAgain = ({ items, lines }: Pick<DayPiece, "items" | "lines">): StatedAgainResult => {
  const pairs: Array<StatedAgain> = []
  let [line, item] = [0, 0]
  while (true) {
    const [stated, booked] = [lines[line], items[item]]
    if (stated === undefined || booked === undefined) return { pairs, lines: line, items: item }
    const order = byKind(stated, booked) || stated.at - (booked.stated_at ?? 0)
    if (order === 0 && !isNamed(stated)) pairs.push({ line: stated, item: booked, finding: findingOf(stated, booked) })
    if (order <= 0) line++
    if (order > 0 || (order === 0 && !isNamed(stated))) item++
  }
}

/**
 * Lines and items that found nobody by their reference: of one type, amount and currency the earliest that lie close enough belong
 * together, which leaves as few alone as can be. Nobody is left to match the rest: the other side misses it. What a later piece may still
 * decide is left to that.
 */
export const matchDays = ({ items, lines, moreItems, moreLines, unknown }: DayPiece): DayMatchResult => {
  const findings: Array<Finding> = []
  let last = unknown
  let [line, item] = [0, 0]
  while (true) {
    const [stated, booked] = [lines[line], items[item]]
    if ((stated === undefined && (moreLines || booked === undefined)) || (booked === undefined && moreItems)) break
    const kind = stated === undefined ? 1 : booked === undefined ? -1 : byKind(stated, booked)
    const days = stated === undefined || booked === undefined ? 0 : booked.at - stated.at
    if (booked !== undefined && (kind > 0 || (kind === 0 && days < -TOLERANCE))) {
      item++
      if (booked.expected) findings.push(missing(booked))
    } else if (stated !== undefined && (kind < 0 || days > TOLERANCE)) {
      line++
      last = { line: stated, nth: last !== undefined && byDay(last.line, stated) === 0 ? last.nth + 1 : 0 }
      findings.push({ _tag: "Mismatch", type: "missing_internal", line: stated, item: undefined, nth: last.nth })
    } else if (stated !== undefined && booked !== undefined) {
      line++
      item++
      findings.push(findingOf(stated, booked))
    }
  }
  return { findings, lines: line, items: item, unknown: last }
}

/** The same over whole lists. What an earlier report has seen is nobody's any more, and nothing is missing of it. */
export const byAmount = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): ReadonlyArray<Finding> =>
  matchDays({
    lines: lines.toSorted(byDay),
    items: items.filter(({ open }) => open).toSorted((a, b) => byDay(a, b) || inOrder(a, b)),
    moreLines: false,
    moreItems: false,
    unknown: undefined
  }).findings

/** The same over whole lists. */
const statedAgain = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): ReadonlyArray<StatedAgain> =>
  matchStatedAgain({
    lines: lines.toSorted(byDay),
    items: items.filter(({ stated_at }) => stated_at !== undefined)
      .toSorted((a, b) => byKind(a, b) || (a.stated_at ?? 0) - (b.stated_at ?? 0) || inOrder(a, b))
  }).pairs

const referenceKey = ({ provider_reference, type }: Movement): string => `${type}/${provider_reference}`

/** All steps over whole lists: what the service does piece by piece. */
export const reconcile = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const alone = { lines: lines.filter((line) => !isNamed(line)), items: items.filter((item) => !isNamed(item)) }
  const linesByReference = Map.groupBy(lines.filter(isNamed), referenceKey)
  const booked = Map.groupBy(items.filter(isNamed), referenceKey)
  for (const key of new Set([...linesByReference.keys(), ...booked.keys()])) {
    const matched = byReference(linesByReference.get(key) ?? [], booked.get(key) ?? [])
    findings.push(...matched.findings)
    alone.lines.push(...matched.lines)
    alone.items.push(...matched.items)
  }
  const again = statedAgain(alone.lines, alone.items)
  const [statedLines, statedItems] = [new Set(again.map(({ line }) => line)), new Set(again.map(({ item }) => item))]
  const rest = byAmount(alone.lines.filter((line) => !statedLines.has(line)), alone.items.filter((item) => !statedItems.has(item)))
  return [...findings, ...again.map(({ finding }) => finding), ...rest]
}
