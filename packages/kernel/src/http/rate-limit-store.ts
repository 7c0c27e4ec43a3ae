/**
 * Keeps the buckets of `rate-limit.ts` in the memory of a process. Effect's store keeps each bucket for ever, and callers can make up new
 * keys of buckets, such as the network of a caller without an API key. A full bucket limits as a new one does, so this store removes it.
 */
import { Duration, Effect, Layer } from "effect"
import { layerStoreMemory, RateLimiterStore } from "effect/persistence/RateLimiter"

interface Bucket {
  tokens: number
  /** Milliseconds. */
  lastRefill: number
  /** From when on it is as if it had never been. */
  fullAt: number
}

/** Buckets that each use of any looks at. With two, there are never many more than twice those that are not full. */
const LOOKED_AT = 2

/** The most that are kept: some 20 MB. Beyond them the oldest is let go though it is not full, which forgives what was taken of it. */
const MOST = 100_000

export class RateLimitBuckets {
  readonly #buckets = new Map<string, Bucket>()
  #next = this.#buckets.entries()

  get size(): number {
    return this.#buckets.size
  }

  /**
   * Takes tokens as `RateLimiterStore.tokenBucket` says: what is left, less than nothing when it was too many, and the milliseconds since
   * the last token came.
   */
  take(
    { allowOverflow, key, limit, refillRate, tokens }: Parameters<RateLimiterStore["Service"]["tokenBucket"]>[0],
    now: number
  ): readonly [remaining: number, elapsedMillis: number] {
    this.#letGo(now)
    const refill = Duration.toMillis(refillRate)
    const bucket = this.#buckets.get(key) ?? this.#make(key, limit, now)
    const come = Math.floor((now - bucket.lastRefill) / refill)
    if (come > 0) {
      bucket.tokens = Math.min(limit, bucket.tokens + come)
      bucket.lastRefill += come * refill
    }
    if (bucket.tokens >= limit) bucket.lastRefill = now
    const left = bucket.tokens - tokens
    if (allowOverflow || left >= 0) bucket.tokens = left
    bucket.fullAt = bucket.lastRefill + Math.ceil(limit - bucket.tokens) * refill
    return [left, Math.max(0, now - bucket.lastRefill)]
  }

  #make(key: string, limit: number, now: number): Bucket {
    const oldest = this.#buckets.size < MOST ? undefined : this.#buckets.keys().next().value
    if (oldest !== undefined) this.#buckets.delete(oldest)
    const newBucket = { tokens: limit, lastRefill: now, fullAt: now }
    this.#buckets.set(key, newBucket)
    return newBucket
  }

  /** Looks at a few, from where it stopped the last time: a sweep of all at once would make requests wait. */
  #letGo(now: number): void {
    for (let n = 0; n < LOOKED_AT; n++) {
      const { done, value } = this.#next.next()
      if (done === true) return void (this.#next = this.#buckets.entries())
      if (value[1].fullAt <= now) this.#buckets.delete(value[0])
    }
  }
}

/** Effect's store in memory, but that full buckets are let go. */
export const layer = Layer.effect(
  RateLimiterStore,
  Effect.map(RateLimiterStore, (effects) => {
    const buckets = new RateLimitBuckets()
    return RateLimiterStore.of({
      ...effects,
      tokenBucket: (options) => Effect.clockWith((clock) => Effect.sync(() => buckets.take(options, clock.currentTimeMillisUnsafe())))
    })
  })
).pipe(Layer.provide(layerStoreMemory))
