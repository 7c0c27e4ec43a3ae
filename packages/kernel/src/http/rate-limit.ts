/**
 * Decides whether a request is within its rate limit, by buckets of tokens that refill at a steady rate. All rate limits use `takeToken`,
 * and answer 429 `rate_limited` where `retryAfter` is set:
 *
 * - requests with an API key: `refuseAboveRateLimit` in accounts' `api-keys/authorization.ts`, with the limits of `api-keys/rate-limit.ts`
 * - calls of tools, and requests without a key: metering's `rate-limits/`
 * - forms of pages: platform's `pages/limits.ts`
 *
 * `places.ts` answers 429 as well, for too many long requests at one time.
 */
import { Duration, Effect } from "effect"
import type { RateLimiterStore } from "effect/persistence/RateLimiter"

/** How many tokens a bucket holds, and how fast it refills. */
export interface TokenRate {
  readonly burst: number
  /** Milliseconds until a token comes back. */
  readonly refillMillis: number
}

/** All tokens of a period may be taken at once; they come back evenly within it. */
export const perPeriod = (tokens: number, periodMillis: number): TokenRate => ({ burst: tokens, refillMillis: periodMillis / tokens })

/** The rate limit of a caller after a request. Times are whole seconds. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** Until the bucket is full again. */
  readonly reset: number
  /** Until the next request may come; set only when this one was too many. */
  readonly retryAfter: number | undefined
}

const seconds = (millis: number): number => Math.max(1, Math.ceil(millis / 1000))

const stateOf = ({ burst, refillMillis }: TokenRate, left: number, elapsedMillis: number): RateLimitState => ({
  limit: burst,
  remaining: Math.max(0, Math.floor(left)),
  reset: seconds(Math.ceil(burst - Math.max(0, left)) * refillMillis - elapsedMillis),
  retryAfter: left < 0 ? seconds(Math.ceil(-left) * refillMillis - elapsedMillis) : undefined
})

/**
 * Takes one token of a bucket, by the bucket's key. A request that finds none takes none. Never fails: where the store does not answer, a
 * warning names `limited` (a plural, such as "Requests"), and the request passes.
 */
export const takeToken = (store: RateLimiterStore["Service"], rate: TokenRate, limited: string) => {
  const refillRate = Duration.millis(rate.refillMillis)
  const passed = { limit: rate.burst, remaining: rate.burst, reset: 1, retryAfter: undefined }
  return (key: string): Effect.Effect<RateLimitState> =>
    Effect.matchEffect(store.tokenBucket({ key, tokens: 1, limit: rate.burst, refillRate, allowOverflow: false }), {
      onSuccess: ([left, elapsedMillis]) => Effect.succeed(stateOf(rate, left, elapsedMillis)),
      onFailure: (error) =>
        Effect.as(Effect.logWarning(`${limited} are not limited: the store of the rate limits does not answer`, error), passed)
    })
}
