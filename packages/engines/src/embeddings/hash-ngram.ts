/**
 * Vectors without a model: words and their parts are hashed into dimensions (Weinberger et al., 2009, "Feature Hashing"). Texts that share
 * words lie close together; what they mean nobody knows.
 */

export const MODEL = "hash-ngram-v1"
export const DIMENSIONS = 384

/** Characters of a part. Words are marked at both ends, so that `<ca` is another part than the `ca` of `scar`. */
const [SHORTEST, LONGEST] = [2, 4]

const TOKEN = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu

/** FNV-1a, of UTF-16 units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The last bits of FNV are weak, and decide the dimension.
  return (hash ^ (hash >>> 15)) >>> 0
}

/** How often each word and each part stands in a text. */
const featuresOf = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const add = (feature: string) => void counts.set(feature, (counts.get(feature) ?? 0) + 1)
  for (const [token] of text.normalize("NFKC").toLowerCase().matchAll(TOKEN)) {
    add(` ${token}`)
    const marked = `<${token}>`
    for (let length = SHORTEST; length <= LONGEST; length++) {
      for (let at = 0; at + length <= marked.length; at++) add(marked.slice(at, at + length))
    }
  }
  return counts
}

/** The same direction with length 1; undefined for a vector without a direction. */
export const normalized = (vector: ReadonlyArray<number>): ReadonlyArray<number> | undefined => {
  const length = Math.hypot(...vector)
  return length < 1e-9 ? undefined : vector.map((value) => value / length)
}

/** A vector of length 1; undefined for a text of white space. */
export const hashNgram = (text: string, dimensions: number = DIMENSIONS): ReadonlyArray<number> | undefined => {
  const vector: Array<number> = Array.from({ length: dimensions }, () => 0)
  for (const [feature, count] of featuresOf(text)) {
    const hash = hashOf(feature)
    const dimension = (hash >>> 1) % dimensions
    // Features that meet in a dimension cancel each other as often as they add up. A word often repeated counts little more than once.
    vector[dimension] = (vector[dimension] ?? 0) + (hash & 1 ? 1 : -1) * (1 + Math.log(count))
  }
  return normalized(vector)
}
