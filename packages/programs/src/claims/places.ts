/** Places as text, such as `src/index.ts:12-18`. */
import type { Span } from "../facts/model.ts"
import type { Citation, Evidence } from "./model.ts"

/** More places than these say no more. */
const MOST_PLACES = 3

export const placeOf = ({ end_line, path, start_line }: Span): string =>
  start_line === end_line ? `${path}:${start_line}` : `${path}:${start_line}-${end_line}`

/** Every place once, the first of each fact before the second of any. */
export const spansOf = (evidence: Evidence): ReadonlyArray<Span> => {
  const seen = new Set<string>()
  const depth = Math.max(...evidence.map((fact) => fact.evidence.length))
  return Array.from({ length: depth }, (_, at) => evidence.flatMap((fact) => fact.evidence[at] ?? [])).flat()
    .filter((span) => !seen.has(placeOf(span)) && seen.add(placeOf(span)))
    .slice(0, MOST_PLACES)
}

export const placesOf = (evidence: Evidence): ReadonlyArray<string> => spansOf(evidence).map(placeOf)

export const citationsAt = (at: Citation["at"], evidence: Evidence): ReadonlyArray<Citation> =>
  spansOf(evidence).map((span) => ({ at, ...span }))
