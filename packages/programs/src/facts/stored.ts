/**
 * Facts of one file as text: how they leave the child that reads, how they are kept, and how they come to the child that makes artifacts.
 * A fact is a list: its kind, subject and value, then the first and the last line of each of its places. Names of members and the path,
 * which all places of a file share, would be more than half of the text.
 */
import { parseJson } from "@svc/kernel/values/json"
import type { AnyFact, Fact, FactKind, FileFacts, Span } from "./model.ts"

type StoredFact = readonly [kind: FactKind, subject: string, value: Fact["value"], ...lines: ReadonlyArray<number>]

const PLACES = 3

const storedFact = ({ evidence, kind, subject, value }: AnyFact): StoredFact => {
  const [{ end_line, start_line }] = evidence
  return evidence.length === 1
    ? [kind, subject, value, start_line, end_line]
    : [kind, subject, value, ...evidence.flatMap((span) => [span.start_line, span.end_line])]
}

export const factsText = (facts: ReadonlyArray<AnyFact>): string => JSON.stringify(facts.map(storedFact))

const factOf = (path: string, stored: StoredFact): AnyFact => {
  const [kind, subject, value] = stored
  const evidence: Array<Span> = []
  for (let at = PLACES; at < stored.length; at += 2) {
    evidence.push({ path, start_line: stored[at] as number, end_line: stored[at + 1] as number })
  }
  // The kind names the value, which the compiler cannot see.
  return { kind, subject, value, evidence } as unknown as AnyFact
}

export const factsFromText = (path: string, text: string): FileFacts => ({
  path,
  facts: (parseJson(text) as ReadonlyArray<StoredFact>).map((stored) => factOf(path, stored))
})
