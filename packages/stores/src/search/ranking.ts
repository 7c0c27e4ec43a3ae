/** BM25, as Lucene has it: how well documents answer a query, by how rare its words are and how often each document holds them. */
import { BLOCK, each, sizeOf } from "./packing.ts"

/** How soon a word that is repeated counts no more, and how much long documents count less. The usual ones. */
export const K1 = 1.2
export const B = 0.75

export interface CollectionSize {
  readonly documents: number
  readonly tokens: number
}

export interface PostingsRow {
  readonly term: string
  readonly block: number
  readonly postings: Uint8Array
}

export interface RankedDocument {
  readonly number: number
  readonly score: number
}

/** What a word is worth that stands in so many of the documents. Above zero, also for one that stands in all. */
export const rarity = (documents: number, holding: number): number => Math.log(1 + (documents - holding + 0.5) / (holding + 0.5))

export const rarities = (rows: ReadonlyArray<PostingsRow>, { documents }: CollectionSize): ReadonlyMap<string, number> => {
  const holding = new Map<string, number>()
  for (const { postings, term } of rows) holding.set(term, (holding.get(term) ?? 0) + sizeOf(postings))
  return new Map(Array.from(holding, ([term, n]) => [term, rarity(documents, n)]))
}

const better = (one: RankedDocument, other: RankedDocument): number => other.score - one.score || one.number - other.number

/** The scores of one block, and the best of them put into what was found. */
const ofBlock = (
  scores: Float64Array,
  block: number,
  found: Array<RankedDocument>,
  count: number,
  allowed: ReadonlySet<number> | undefined
): void => {
  let least = found.length < count ? 0 : found[count - 1]?.score ?? 0
  for (let at = 0; at < BLOCK; at++) {
    const score = scores[at] ?? 0
    const number = block * BLOCK + at
    // Blocks come in the order of numbers, so of equals the earlier one is there already.
    if (score <= least || allowed?.has(number) === false) continue
    found.push({ number, score })
    if (found.length < count * 4) continue
    found.sort(better).length = count
    least = found[count - 1]?.score ?? 0
  }
  found.sort(better)
  if (found.length > count) found.length = count
}

/**
 * The best documents of all, best first; of equals the one that was indexed first. `counts` is the query's words, each as often as it
 * stands there.
 */
export const rank = (
  rows: ReadonlyArray<PostingsRow>,
  collection: CollectionSize,
  counts: ReadonlyMap<string, number>,
  count: number,
  allowed?: ReadonlySet<number>
): ReadonlyArray<RankedDocument> => {
  const weights = rarities(rows, collection)
  const average = collection.tokens / collection.documents
  const documents: Array<RankedDocument> = []
  const scores = new Float64Array(BLOCK)
  const ordered = rows.toSorted((one, other) => one.block - other.block)
  for (const [n, { block, postings, term }] of ordered.entries()) {
    const weight = (weights.get(term) ?? 0) * (counts.get(term) ?? 0) * (K1 + 1)
    each(postings, (at, times, length) => {
      scores[at] = (scores[at] ?? 0) + weight * times / (times + K1 * (1 - B + B * length / average))
    })
    if (ordered[n + 1]?.block === block) continue
    ofBlock(scores, block, documents, count, allowed)
    scores.fill(0)
  }
  return documents
}
