/** Places as text, such as `src/index.ts:12-18`. */
import type { Span } from "../facts/model.ts"
import type { Citation, Evidence } from "./model.ts"

/** More places than these say no more. */
const MOST_PLACES = 3

export const placeOf = ({ end_line, path, start_line }: Span): string =>
  start_line === end_line ? `${path}:${start_line}` : `${path}:${start_line}-${end_line}`

const isSame = (one: Span, other: Span): boolean =>
  one.start_line === other.start_line && one.end_line === other.end_line && one.path === other.path

/** Every place once, the first of each fact before the second of any. A symbol may have thousands of callers: the first few are enough. */
export const spansOf = (evidence: Evidence): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let isLeft = true
  for (let at = 0; isLeft; at++) {
    isLeft = false
    for (const fact of evidence) {
      const span = fact.evidence[at]
      if (span === undefined) continue
      isLeft = true
      if (spans.some((one) => isSame(one, span))) continue
      spans.push(span)
      if (spans.length === MOST_PLACES) return spans
    }
  }
  return spans
}

export const placesOf = (evidence: Evidence): ReadonlyArray<string> => spansOf(evidence).map(placeOf)

export const citationsAt = (at: Citation["at"], evidence: Evidence): ReadonlyArray<Citation> =>
  spansOf(evidence).map((span) => ({ at, ...span }))
