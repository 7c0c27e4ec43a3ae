/** What joining and leaving documents change in the postings. */
import { BLOCK, pack, type Posting, unpack } from "./packing.ts"
import type { PostingsRow } from "./ranking.ts"
import { countTokens, tokensOf } from "./tokens.ts"

/** By term and block, the document's place in the block and what stands there now; undefined for nothing. */
export type IndexChanges = Map<string, Map<number, Map<number, Posting | undefined>>>

interface Worded {
  readonly number: number
  readonly title: string
  readonly content: string
}

/** The words by which a document is found: of its title and of its content. */
export const wordsOf = ({ content, title }: Omit<Worded, "number">): ReadonlyArray<string> => [...tokensOf(title), ...tokensOf(content)]

const put = (changes: IndexChanges, term: string, number: number, posting: Posting | undefined): void => {
  const blocks = changes.get(term) ?? new Map<number, Map<number, Posting | undefined>>()
  const block = Math.floor(number / BLOCK)
  const places = blocks.get(block) ?? new Map<number, Posting | undefined>()
  places.set(number % BLOCK, posting)
  blocks.set(block, places)
  changes.set(term, blocks)
}

/** What a document that is taken out leaves is decided first, so that one which is replaced stands as it is now. */
export const changesOf = (leaving: ReadonlyArray<Worded>, joining: ReadonlyArray<Worded>): IndexChanges => {
  const changes: IndexChanges = new Map()
  for (const one of leaving) for (const term of countTokens(wordsOf(one)).keys()) put(changes, term, one.number, undefined)
  for (const one of joining) {
    const words = wordsOf(one)
    for (const [term, count] of countTokens(words)) put(changes, term, one.number, { at: one.number % BLOCK, count, length: words.length })
  }
  return changes
}

/** The rows as they are now, those without a document left out. */
export const applied = (changes: IndexChanges, before: ReadonlyArray<PostingsRow>): ReadonlyArray<PostingsRow> => {
  const postingsByKey = new Map(before.map(({ block, postings, term }) => [`${block} ${term}`, postings]))
  const rows: Array<PostingsRow> = []
  for (const [term, blocks] of changes) {
    for (const [block, places] of blocks) {
      const kept = unpack(postingsByKey.get(`${block} ${term}`) ?? new Uint8Array()).filter(({ at }) => !places.has(at))
      const added = Array.from(places.values()).filter((posting) => posting !== undefined)
      if (kept.length + added.length > 0) {
        rows.push({
          term,
          block,
          postings: pack([...kept, ...added].sort((one, other) => one.at - other.at))
        })
      }
    }
  }
  return rows
}
