/** Lines that hold words of a query, as `grep` finds them: without regard to capitals, and parts of words too. */
import type { SnapshotHit } from "./model.ts"

/** Different words of a query; the rest is not looked for. */
const MOST_WORDS = 16
/** Hits of an answer. */
const MOST_HITS = 50
/** Characters of a line that are shown. */
const SHOWN = 240

export const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(new Set(query.toLowerCase().split(/\s+/u).filter((word) => word !== ""))).slice(0, MOST_WORDS)

const compareText = (one: string, other: string): number => one < other ? -1 : one > other ? 1 : 0

const compare = (one: SnapshotHit, other: SnapshotHit): number =>
  // "content" stands before "artifact".
  other.words - one.words || compareText(other.source, one.source) || compareText(one.path, other.path) || one.line - other.line

/** The best of these: most words first, the source before artifacts, then by path and line. */
export const bestOf = (hits: ReadonlyArray<SnapshotHit>): ReadonlyArray<SnapshotHit> => hits.toSorted(compare).slice(0, MOST_HITS)

/** The best of one text. */
export const hitsIn = (
  words: ReadonlyArray<string>,
  { path, source, text }: { readonly source: SnapshotHit["source"]; readonly path: string; readonly text: string }
): ReadonlyArray<SnapshotHit> => {
  const lowered = text.toLowerCase()
  if (!words.some((word) => lowered.includes(word))) return []
  const hits: Array<SnapshotHit> = []
  const lines = text.split("\n")
  for (const [n, line] of lowered.split("\n").entries()) {
    const count = words.filter((word) => line.includes(word)).length
    if (count > 0) hits.push({ source, path, line: n + 1, text: lines[n] ?? "", words: count })
  }
  return bestOf(hits).map((hit) => ({ ...hit, text: hit.text.trim().slice(0, SHOWN).toWellFormed() }))
}
