/** What all texts of a corpus have in common is taken out of vectors, so that what tells them apart counts (Mu and Viswanath, 2018). */
import { normalized } from "./hash-ngram.ts"

type Vector = ReadonlyArray<number>

export const meanOf = (vectors: ReadonlyArray<Vector>): Vector => {
  const sums = Array.from(vectors[0] ?? [], () => 0)
  for (const vector of vectors) for (const [at, value] of vector.entries()) sums[at] = (sums[at] ?? 0) + value
  return sums.map((sum) => sum / vectors.length)
}

/** The vector without the mean, at length 1; undefined where nothing is left. */
export const withoutMean = (vector: Vector, mean: Vector): Vector | undefined =>
  normalized(vector.map((value, at) => value - (mean[at] ?? 0)))
