/**
 * Which line of a statement is which event of the ledger. First by what the provider calls it; what finds nobody that way, by type, amount and
 * currency on dates at most three days apart. Pure, and the same whatever order lines come in.
 */
import type { MismatchType } from "../../mismatches/model.ts"
import { type Correction, type Item, type Line, type Movement, TOLERANCE } from "../model.ts"

/** What a line, an item of the ledger or both came to. A reversal: the statement says what the ledger said before it was corrected. */
export type Finding =
  | { readonly _tag: "Match"; readonly line: Line; readonly item: Item }
  | { readonly _tag: "Reversal"; readonly line: Line | undefined; readonly item: Item; readonly correction: Correction }
  | { readonly _tag: "Mismatch"; readonly type: MismatchType; readonly line: Line | undefined; readonly item: Item | undefined; readonly nth: number }

/** What was found, and what is still alone. */
export interface Matched {
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
    const found = lines[best]
    if (found === undefined) break
    const closer = rank(line, item) - rank(found, item) || apart(line, item) - apart(found, item)
    if (closer < 0) best = at
  }
  return best
}

/** `known`: as many of them were accepted before, and have found their lines. */
const duplicates = (lines: ReadonlyArray<Line>, known = 0): ReadonlyArray<Finding> =>
  lines.map((line, nth) => ({ _tag: "Mismatch", type: "duplicate", line, item: undefined, nth: known + nth }))

/** Events before corrections that have none, each in the order in which it was made. */
const inOrder = (a: Item, b: Item): number =>
  (a.sequence_id ?? Number.MAX_SAFE_INTEGER) - (b.sequence_id ?? Number.MAX_SAFE_INTEGER) || ((a.correction?.id ?? "") < (b.correction?.id ?? "") ? -1 : 1)

/**
 * Lines and items of one type that have one reference. Each item takes the line that differs least from it; what lines are left say again
 * what was said. Where only one side knows the reference, one of each goes on alone. A statement that tells of the reference, and less often than
 * the ledger since somebody accepted more, disproves that correction where it covers its day; one that does not tell of it says nothing.
 */
export const byReference = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): Matched => {
  const left = lines.toSorted(byContent)
  if (items.length === 0) return { findings: duplicates(left.slice(1)), lines: left.slice(0, 1), items: [] }
  const findings: Array<Finding> = []
  const alone: Array<Item> = []
  for (const item of items.toSorted(inOrder)) {
    const [line] = left.length === 0 ? [] : left.splice(nearest(left, item), 1)
    if (line !== undefined) findings.push(findingOf(line, item))
    else if (item.sequence_id !== null) alone.push(item)
    else if (item.correction !== undefined && item.expected && lines.length > 0) findings.push({ _tag: "Reversal", line: undefined, item, correction: item.correction })
  }
  const accepted = items.filter(({ sequence_id }) => sequence_id === null).length
  return { findings: [...findings, ...duplicates(left, accepted === items.length ? accepted - 1 : accepted)], lines: [], items: alone }
}

/** How many before it in this order happened at the same moment. */
const nthAt = (lines: ReadonlyArray<Line>): ReadonlyArray<Finding> => {
  let nth = 0
  return lines.map((line, at) => {
    const before = lines[at - 1]
    nth = before?.at === line.at && before.provider_reference === line.provider_reference ? nth + 1 : 0
    return { _tag: "Mismatch", type: "missing_internal", line, item: undefined, nth }
  })
}

const byReferenceText = (a: Line, b: Line): number => (a.provider_reference ?? "") < (b.provider_reference ?? "") ? -1 : a.provider_reference === b.provider_reference ? 0 : 1

/**
 * Lines and events of one type, amount and currency that found nobody by their reference: the earliest that lie close enough belong together,
 * which leaves as few alone as can be. Nobody is left to match the rest: the other side misses it.
 */
export const byAmount = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const unknown: Array<Line> = []
  const missed: Array<Item> = []
  const said = lines.toSorted((a, b) => a.at - b.at || byReferenceText(a, b))
  // What an earlier report has seen is nobody's any more, and nothing is missing of it.
  const booked = items.filter(({ open }) => open).toSorted((a, b) => a.at - b.at || inOrder(a, b))
  let at = 0
  for (const line of said) {
    for (let item = booked[at]; item !== undefined && item.at < line.at - TOLERANCE; item = booked[++at]) missed.push(item)
    const item = booked[at]
    if (item === undefined || item.at > line.at + TOLERANCE) unknown.push(line)
    else {
      findings.push(findingOf(line, item))
      at++
    }
  }
  missed.push(...booked.slice(at))
  return [
    ...findings,
    ...nthAt(unknown),
    ...missed.filter(({ expected }) => expected).map((item): Finding => ({ _tag: "Mismatch", type: "missing_external", line: undefined, item, nth: 0 }))
  ]
}

const isNamed = ({ provider_reference }: Movement): boolean => provider_reference !== null

const referenceKey = ({ provider_reference, type }: Movement): string => `${type}/${provider_reference}`
const amountKey = ({ amount, currency, type }: Movement): string => `${type}/${currency}/${amount}`

/** Both steps over whole lists: what the service does piece by piece. */
export const reconcile = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const alone = { lines: lines.filter((line) => !isNamed(line)), items: items.filter((item) => !isNamed(item)) }
  const said = Map.groupBy(lines.filter(isNamed), referenceKey)
  const booked = Map.groupBy(items.filter(isNamed), referenceKey)
  for (const key of new Set([...said.keys(), ...booked.keys()])) {
    const matched = byReference(said.get(key) ?? [], booked.get(key) ?? [])
    findings.push(...matched.findings)
    alone.lines.push(...matched.lines)
    alone.items.push(...matched.items)
  }
  const unknown = Map.groupBy(alone.lines, amountKey)
  const missed = Map.groupBy(alone.items, amountKey)
  for (const key of new Set([...unknown.keys(), ...missed.keys()])) findings.push(...byAmount(unknown.get(key) ?? [], missed.get(key) ?? []))
  return findings
}
