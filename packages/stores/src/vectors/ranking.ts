/** Which vectors are nearest to a query: each is compared with it, in the precision of double numbers. */
import { Effect } from "effect"
import type { PackedVectors } from "./packed.ts"

/** Vectors that are compared before others run: about a millisecond. */
const STEP = 2_048

/** Candidates looked at when near duplicates are left out; in a namespace of copies fewer results than were asked for come back. */
const MOST_CANDIDATES = 4_096

/** The usual constant of reciprocal rank fusion, and how many of the nearest take part in it. */
const FUSION = 60
const FUSED = 100

const MILLIS_A_DAY = 86_400_000

export interface RankingOptions {
  readonly count: number
  /** Ids that may be found; all without it. */
  readonly allowed?: ReadonlySet<string>
  /** After so many days a score counts half; one that is not above zero stays, because halving would raise it. */
  readonly recency?: { readonly halfLifeDays: number; readonly now: number }
  /** Ids in the order of another ranking. */
  readonly sparse?: ReadonlyArray<string>
  /** Leaves out what is this near, or nearer, to a better one. */
  readonly dedup?: number
}

export interface RankedVector {
  readonly place: number
  readonly cosine: number
  readonly score: number
}

/** What a cosine counts, by the place of its vector. */
type Weigh = (cosine: number, place: number) => number

const weighing = (packed: PackedVectors, { recency }: RankingOptions): Weigh => {
  if (recency === undefined) return (cosine) => cosine
  const { halfLifeDays, now } = recency
  return (cosine, place) => cosine <= 0 ? cosine : cosine * 2 ** (-Math.max(0, now - packed.at(place)) / (halfLifeDays * MILLIS_A_DAY))
}

const best = (one: { readonly score: number }, other: { readonly score: number }): number => other.score - one.score

/** The places that may be found, as a mask; undefined for all. */
const maskOf = (packed: PackedVectors, allowed: ReadonlySet<string> | undefined): Uint8Array | undefined => {
  if (allowed === undefined) return undefined
  const mask = new Uint8Array(packed.size)
  for (const id of allowed) {
    const place = packed.place(id)
    if (place !== undefined) mask[place] = 1
  }
  return mask
}

/** The best of all, best first. Lets others run between two steps. */
const nearest = Effect.fnUntraced(
  function*(packed: PackedVectors, query: Float32Array, count: number, mask: Uint8Array | undefined, weigh: Weigh) {
    const candidates: Array<RankedVector> = []
    let least = -Infinity
    for (let place = 0; place < packed.size; place++) {
      if (place % STEP === STEP - 1) yield* Effect.yieldNow
      if (mask?.[place] === 0) continue
      const cosine = packed.product(place, query)
      const score = weigh(cosine, place)
      if (score <= least) continue
      candidates.push({ place, cosine, score })
      if (candidates.length < count * 2) continue
      candidates.sort(best).length = count
      least = candidates[count - 1]?.score ?? least
    }
    return candidates.sort(best).slice(0, count)
  }
)

/** The two rankings in one: each adds the reciprocal of an item's place in it. */
const fused = (
  packed: PackedVectors,
  query: Float32Array,
  dense: ReadonlyArray<RankedVector>,
  sparse: ReadonlyArray<number>
): ReadonlyArray<RankedVector> => {
  const scores = new Map<number, number>()
  for (const places of [dense.map(({ place }) => place), sparse]) {
    for (const [n, place] of places.entries()) scores.set(place, (scores.get(place) ?? 0) + 1 / (FUSION + n + 1))
  }
  return Array.from(scores, ([place, score]) => ({ place, score, cosine: packed.product(place, query) })).sort((one, other) =>
    best(one, other) || other.cosine - one.cosine
  )
}

const distinct = Effect.fnUntraced(
  function*(packed: PackedVectors, ordered: ReadonlyArray<RankedVector>, threshold: number, count: number) {
    const distinctVectors: Array<RankedVector> = []
    for (const [n, one] of ordered.entries()) {
      if (distinctVectors.length === count) break
      if (!distinctVectors.some(({ place }) => packed.product(place, packed.vector(one.place)) >= threshold)) distinctVectors.push(one)
      if (n % 64 === 63) yield* Effect.yieldNow
    }
    return distinctVectors
  }
)

export const rank = Effect.fnUntraced(
  function*(packed: PackedVectors, query: Float32Array, wanted: RankingOptions): Effect.fn.Return<ReadonlyArray<RankedVector>> {
    const { count, dedup, sparse } = wanted
    const mask = maskOf(packed, wanted.allowed)
    const weigh = weighing(packed, wanted)
    const sparsePlaces = sparse?.map((id) => packed.place(id)).filter((place) => place !== undefined && mask?.[place] !== 0) ?? []
    const places = Array.from(new Set(sparsePlaces)).filter((place) => place !== undefined)
    for (let take = sparse === undefined ? count : Math.max(count, FUSED);; take *= 4) {
      const dense = yield* nearest(packed, query, take, mask, weigh)
      const ordered = sparse === undefined ? dense : fused(packed, query, dense.slice(0, FUSED), places)
      const kept = dedup === undefined ? ordered.slice(0, count) : yield* distinct(packed, ordered, dedup, count)
      if (kept.length === count || dense.length < take || take >= MOST_CANDIDATES || sparse !== undefined) return kept
    }
  }
)
