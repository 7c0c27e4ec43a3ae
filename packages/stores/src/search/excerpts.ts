/** What of a document is shown: the passage that a query is found in, and sentences that answer it, with where they stand. */
import type { Citation } from "./model.ts"
import { tokensOf, WORD } from "./tokens.ts"

const SNIPPET = 240
const SENTENCE = 400
const SENTENCES = 3
/** So much of a document is looked through. */
const READ = 20_000

interface Found {
  readonly start: number
  readonly end: number
  readonly terms: ReadonlyArray<string>
}

/** The words of most texts need no normal form, which takes longer than all the rest. */
const PLAIN = /^[\x00-\x7f]*$/

/** Where words of the query stand in a text. */
const occurrences = (text: string, terms: { readonly has: (term: string) => boolean }): ReadonlyArray<Found> =>
  Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index }): ReadonlyArray<Found> => {
    const tokens = (PLAIN.test(word) ? [word.toLowerCase()] : tokensOf(word)).filter((token) => terms.has(token))
    return tokens.length === 0 ? [] : [{ start: index, end: index + word.length, terms: tokens }]
  })

/** The first of the passages that hold the most different words of the query; the beginning where none stands in it. */
const passage = (found: ReadonlyArray<Found>): { readonly start: number; readonly end: number } => {
  const inside = new Map<string, number>()
  const count = (one: Found | undefined, by: 1 | -1): void => {
    for (const term of one?.terms ?? []) {
      const now = (inside.get(term) ?? 0) + by
      if (now === 0) inside.delete(term)
      else inside.set(term, now)
    }
  }
  let best = { start: 0, end: 0, different: 0 }
  for (let first = 0, after = 0; first < found.length; first++) {
    const start = found[first]?.start ?? 0
    // One word may be longer than a snippet.
    for (; after === first || (after < found.length && (found[after]?.end ?? 0) - start <= SNIPPET); after++) count(found[after], 1)
    if (inside.size > best.different) {
      best = { start, end: Math.min(found[after - 1]?.end ?? start, start + SNIPPET), different: inside.size }
    }
    count(found[first], -1)
  }
  return best
}

/** Not in the middle of a word; a run of characters without spaces is cut all the same. */
const atWord = (text: string, at: number, step: -1 | 1): number => {
  for (let moved = 0; moved < 30; moved++) {
    const here = at + moved * step
    if (here <= 0 || here >= text.length || /\s/u.test(text[here - 1] ?? " ")) return Math.max(0, Math.min(text.length, here))
  }
  // Between two halves of one character there is no place.
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at + 1 : at
}

export const snippetOf = (content: string, terms: { readonly has: (term: string) => boolean }): string => {
  const { end, start } = passage(occurrences(content.slice(0, READ), terms))
  const room = Math.max(0, SNIPPET - (end - start))
  const from = atWord(content, Math.max(0, start - Math.floor(room / 3)), 1)
  const to = atWord(content, Math.min(content.length, from + SNIPPET), -1)
  const shown = content.slice(from, Math.max(to, end)).replace(/\s+/gu, " ").trim()
  return `${from > 0 ? "…" : ""}${shown}${Math.max(to, end) < content.length ? "…" : ""}`
}

const SENTENCE_ENDS = /[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)/gu

interface Source {
  readonly doc_id: string
  readonly url?: string
  readonly content: string
}

interface Sentence {
  readonly source: Source
  readonly start: number
  readonly text: string
  readonly worth: number
}

const sentencesOf = (source: Source, weights: ReadonlyMap<string, number>): ReadonlyArray<Sentence> =>
  Array.from(source.content.slice(0, READ).matchAll(SENTENCE_ENDS)).flatMap(({ 0: piece, index }): ReadonlyArray<Sentence> => {
    const text = piece.trim()
    if (text.length > SENTENCE) return []
    const different = new Set(occurrences(text, weights).flatMap(({ terms }) => terms))
    const worth = Array.from(different).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
    return worth === 0 ? [] : [{ source, start: index + piece.indexOf(text), text, worth }]
  })

export interface SearchAnswer {
  readonly answer: string
  readonly citations: ReadonlyArray<Citation>
}

/**
 * The sentences of the documents, best document first, that hold most of the query's words by weight, word for word. A sentence that holds
 * less than half of what the best one holds is left out. An empty answer where no sentence holds a word.
 */
export const answerOf = (sources: ReadonlyArray<Source>, weights: ReadonlyMap<string, number>): SearchAnswer => {
  // The sort is stable: of equals the one of the better document comes first.
  const ordered = sources.flatMap((source) => sentencesOf(source, weights)).sort((one, other) => other.worth - one.worth)
  const unique = Array.from(
    ordered.reduce((first, one) => first.has(one.text) ? first : first.set(one.text, one), new Map<string, Sentence>()).values()
  )
  const sentences = unique.filter(({ worth }) => worth * 2 >= (unique[0]?.worth ?? 0)).slice(0, SENTENCES)
  let answer = ""
  const citations = sentences.map(({ source: { doc_id, url }, start: source_start, text }): Citation => {
    if (answer !== "") answer += " "
    const start = answer.length
    answer += text
    return {
      start,
      end: answer.length,
      doc_id,
      ...(url === undefined ? {} : { url }),
      source_start,
      source_end: source_start + text.length
    }
  })
  return { answer, citations }
}
