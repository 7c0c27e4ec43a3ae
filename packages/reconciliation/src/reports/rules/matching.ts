/**
 * Which line of a statement is which event of the ledger. First by what the provider calls it; what finds nobody that way, by type, amount and
 * currency on dates at most three days apart. Pure, and the same whatever order lines come in.
 */
import type { MismatchType } from "../../mismatches/model.ts"
import { type Item, type Line, type Movement, TOLERANCE } from "../model.ts"

/** What a line, an event or both came to. */
export type Finding =
  | { readonly _tag: "Match"; readonly line: Line; readonly item: Item }
  | { readonly _tag: "Mismatch"; readonly type: MismatchType; readonly line: Line | undefined; readonly item: Item | undefined; readonly nth: number }

/** What was found, and what is still alone. */
export interface Matched {
  readonly findings: ReadonlyArray<Finding>
  readonly lines: ReadonlyArray<Line>
  readonly items: ReadonlyArray<Item>
}

const apart = (line: Movement, item: Movement): number => Math.abs(line.at - item.at)

/** How the two differ; undefined when they agree. */
const difference = (line: Line, item: Item): MismatchType | undefined => {
  if (line.currency !== item.currency) return "currency"
  if (line.amount !== item.amount) return "amount"
  return apart(line, item) > TOLERANCE ? "timing" : undefined
}

/** The less they differ, the lower. */
const ranks: ReadonlyArray<MismatchType | undefined> = [undefined, "timing", "amount", "currency"]
const rank = (line: Line, item: Item): number => ranks.indexOf(difference(line, item))

/** An order of movements that does not know in which order they came. */
export const byContent = (a: Movement, b: Movement): number =>
  a.at - b.at || a.amount - b.amount || (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0)

const findingOf = (line: Line, item: Item): Finding => {
  const type = difference(line, item)
  return type === undefined ? { _tag: "Match", line, item } : { _tag: "Mismatch", type, line, item, nth: 0 }
}

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

const duplicates = (lines: ReadonlyArray<Line>): ReadonlyArray<Finding> =>
  lines.map((line, nth) => ({ _tag: "Mismatch", type: "duplicate", line, item: undefined, nth }))

/**
 * Lines and events of one type that have one reference. Each event takes the line that differs least from it; what lines are left say again
 * what was said. Where only one side knows the reference, one of each goes on alone.
 */
export const byReference = (lines: ReadonlyArray<Line>, items: ReadonlyArray<Item>): Matched => {
  const left = lines.toSorted(byContent)
  if (items.length === 0) return { findings: duplicates(left.slice(1)), lines: left.slice(0, 1), items: [] }
  const findings: Array<Finding> = []
  const alone: Array<Item> = []
  for (const item of items.toSorted((a, b) => a.sequence_id - b.sequence_id)) {
    const [line] = left.length === 0 ? [] : left.splice(nearest(left, item), 1)
    if (line === undefined) alone.push(item)
    else findings.push(findingOf(line, item))
  }
  return { findings: [...findings, ...duplicates(left)], lines: [], items: alone }
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
  const booked = items.filter(({ open }) => open).toSorted((a, b) => a.at - b.at || a.sequence_id - b.sequence_id)
  let at = 0
  for (const line of said) {
    for (let item = booked[at]; item !== undefined && item.at < line.at - TOLERANCE; item = booked[++at]) missed.push(item)
    const item = booked[at]
    if (item === undefined || item.at > line.at + TOLERANCE) unknown.push(line)
    else {
      findings.push({ _tag: "Match", line, item })
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
