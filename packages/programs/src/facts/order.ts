/** One order for all facts, whatever order files came in and whatever language the machine speaks. */
import type { AnyFact } from "./model.ts"

/** By UTF-16 units, which no locale changes. */
export const byText = (one: string, other: string): number => one < other ? -1 : one > other ? 1 : 0

export const byPlace = (one: AnyFact, other: AnyFact): number => {
  const [a, b] = [one.evidence[0], other.evidence[0]]
  return byText(a.path, b.path) || a.start_line - b.start_line || a.end_line - b.end_line || byText(one.kind, other.kind) ||
    byText(one.subject, other.subject)
}
