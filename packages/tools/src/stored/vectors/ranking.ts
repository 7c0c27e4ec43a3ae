/** Which vectors are nearest to a query. The scan finds candidates in the precision of float4, and these are ranked in that of double numbers. */
import { Effect } from "effect"
import { dot, type Packed } from "./packed.ts"

/** What float4 sums may put in the wrong order at the edge. */
const MARGIN = 32

/** Candidates looked at when near duplicates are left out; in a namespace of copies fewer results than were asked for come back. */
const MOST_CANDIDATES = 4_096

/** The usual constant of reciprocal rank fusion, and how many of the nearest take part in it. */
const FUSION = 60
const FUSED = 100

const MILLIS_A_DAY = 86_400_000

export interface Wanted {
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

export interface Ranked {
  readonly place: number
  readonly cosine: number
  readonly score: number
}

/** What a cosine counts, by the place of its vector. */
type Weigh = (cosine: number, place: number) => number

const weighing = (packed: Packed, { recency }: Wanted): Weigh => {
  if (recency === undefined) return (cosine) => cosine
  const { halfLifeDays, now } = recency
  return (cosine, place) => cosine <= 0 ? cosine : cosine * 2 ** (-Math.max(0, now - packed.at(place)) / (halfLifeDays * MILLIS_A_DAY))
}

const best = (one: { readonly score: number }, other: { readonly score: number }): number => other.score - one.score

/** The places that may be found, as a mask; undefined for all. */
const maskOf = (packed: Packed, allowed: ReadonlySet<string> | undefined): Uint8Array | undefined => {
  if (allowed === undefined) return undefined
  const mask = new Uint8Array(packed.size)
  for (const id of allowed) {
    const place = packed.place(id)
    if (place !== undefined) mask[place] = 1
  }
  return mask
}

/** The best of all, best first. Lets others run between two steps of the scan. */
const nearest = Effect.fnUntraced(function*(packed: Packed, query: Float32Array, count: number, mask: Uint8Array | undefined, weigh: Weigh) {
  const kept = count + MARGIN
  const found: Array<{ readonly place: number; readonly score: number }> = []
  let least = -Infinity
  for (let n = 0; n < packed.steps; n++) {
    const { first, products } = packed.step(query, n)
    for (let at = 0; at < products.length; at++) {
      if (mask?.[first + at] === 0) continue
      const score = weigh(products[at] ?? 0, first + at)
      if (score <= least) continue
      found.push({ place: first + at, score })
      if (found.length < kept * 2) continue
      found.sort(best).length = kept
      least = found[kept - 1]?.score ?? least
    }
    yield* Effect.yieldNow
  }
  const exactly = found.sort(best).slice(0, kept).map(({ place }): Ranked => {
    const cosine = dot(packed.vector(place), query)
    return { place, cosine, score: weigh(cosine, place) }
  })
  return exactly.sort(best).slice(0, count)
})

/** Both rankings in one: each gives the reciprocal of the place in it. */
const fused = (packed: Packed, query: Float32Array, dense: ReadonlyArray<Ranked>, sparse: ReadonlyArray<number>): ReadonlyArray<Ranked> => {
  const scores = new Map<number, number>()
  for (const places of [dense.map(({ place }) => place), sparse]) {
    for (const [n, place] of places.entries()) scores.set(place, (scores.get(place) ?? 0) + 1 / (FUSION + n + 1))
  }
  return Array.from(scores, ([place, score]) => ({ place, score, cosine: dot(packed.vector(place), query) })).sort((one, other) => best(one, other) || other.cosine - one.cosine)
}

const distinct = Effect.fnUntraced(function*(packed: Packed, ordered: ReadonlyArray<Ranked>, threshold: number, count: number) {
  const kept: Array<Ranked> = []
  for (const [n, one] of ordered.entries()) {
    if (kept.length === count) break
    if (!kept.some(({ place }) => dot(packed.vector(place), packed.vector(one.place)) >= threshold)) kept.push(one)
    if (n % 64 === 63) yield* Effect.yieldNow
  }
  return kept
})

export const rank = Effect.fnUntraced(function*(packed: Packed, query: Float32Array, wanted: Wanted): Effect.fn.Return<ReadonlyArray<Ranked>> {
  const { count, dedup, sparse } = wanted
  const mask = maskOf(packed, wanted.allowed)
  const weigh = weighing(packed, wanted)
  const known = sparse?.map((id) => packed.place(id)).filter((place) => place !== undefined && mask?.[place] !== 0) ?? []
  const places = Array.from(new Set(known)).filter((place) => place !== undefined)
  for (let take = sparse === undefined ? count : Math.max(count, FUSED);; take *= 4) {
    const dense = yield* nearest(packed, query, take, mask, weigh)
    const ordered = sparse === undefined ? dense : fused(packed, query, dense.slice(0, FUSED), places)
    const kept = dedup === undefined ? ordered.slice(0, count) : yield* distinct(packed, ordered, dedup, count)
    if (kept.length === count || dense.length < take || take >= MOST_CANDIDATES || sparse !== undefined) return kept
  }
})
