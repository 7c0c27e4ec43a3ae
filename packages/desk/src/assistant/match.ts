/** What a question is about: the topic or page whose words are most like its own. Pure. */
import type { Piece } from "./pages.ts"
import { type Question, wordsOf } from "./question.ts"
import type { Topic } from "./topic.ts"

/** Below this the answer is that it is not known. */
export const LEAST_CONFIDENCE = 0.35

/** Words that few texts have tell more than words that many have. */
export interface Rarity {
  readonly of: (word: string) => number
}

export const rarityIn = (texts: ReadonlyArray<ReadonlyArray<string>>): Rarity => {
  const counts = new Map<string, number>()
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { of: (word) => Math.log(1 + texts.length / (counts.get(word) ?? 0.5)) }
}

/** The cosine of two sets of words, weighed by how rare each word is: 1 for the same words, 0 for none in common. */
export const likeness = (one: ReadonlyArray<string>, other: ReadonlyArray<string>, { of }: Rarity): number => {
  const weight = (words: ReadonlyArray<string>) => words.reduce((sum, word) => sum + of(word) ** 2, 0)
  const shared = weight(one.filter((word) => other.includes(word)))
  return shared === 0 ? 0 : shared / Math.sqrt(weight(one) * weight(other))
}

/** The part of the question's words, by weight, that a text has. A page is longer than a question. */
const coverage = (asked: ReadonlyArray<string>, words: ReadonlyArray<string>, { of }: Rarity): number => {
  const weight = (some: ReadonlyArray<string>) => some.reduce((sum, word) => sum + of(word), 0)
  return weight(asked.filter((word) => words.includes(word))) / Math.max(weight(asked), 1e-9)
}

export interface Matched<A> {
  readonly item: A
  /** 0 to 1. */
  readonly confidence: number
}

const best = <A>(items: ReadonlyArray<A>, score: (item: A) => number): Matched<A> | undefined =>
  items.reduce<Matched<A> | undefined>((most, item) => {
    const confidence = score(item)
    return confidence > (most?.confidence ?? 0) ? { item, confidence } : most
  }, undefined)

export const matcherOf = (topics: ReadonlyArray<Topic>, pieces: ReadonlyArray<Piece>) => {
  const ways = topics.map((topic) => ({ topic, ways: topic.asked.map(wordsOf) }))
  const ofTopics = rarityIn(ways.map((each) => Array.from(new Set(each.ways.flat()))))
  const ofPieces = rarityIn(pieces.map(({ words }) => words))
  return {
    topic: ({ words }: Question): Matched<Topic> | undefined => {
      const most = best(ways, (one) => Math.max(...one.ways.map((way) => likeness(words, way, ofTopics))))
      return most === undefined ? undefined : { item: most.item.topic, confidence: most.confidence }
    },
    /** A heading counts for half of it. */
    piece: ({ words }: Question): Matched<Piece> | undefined =>
      best(pieces, (piece) => (coverage(words, piece.words, ofPieces) + coverage(words, wordsOf(piece.heading), ofPieces)) / 2)
  }
}
