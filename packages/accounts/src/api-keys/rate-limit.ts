/** How many requests a key may make: a bucket of tokens that refills at a steady rate. */
import { wholeNumber } from "@svc/kernel/settings"
import { Config, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { RateLimiterStore, layerStoreMemory, layerStoreRedis } from "effect/persistence/RateLimiter"

const range = { minimum: 1, maximum: 1_000_000 }

/** Requests a second, and how many may come at once after a pause. */
export const RateLimitSettings = Config.all({
  perSecond: wholeNumber("RATE_LIMIT_PER_SECOND", { ...range, usual: 100 }),
  burst: wholeNumber("RATE_LIMIT_BURST", { ...range, usual: 200 })
})

/** Where a key stands after a request. Times are whole seconds. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** Until the bucket is full again. */
  readonly reset: number
  /** Until the next request may come; set only when this one was too many. */
  readonly retryAfter: number | undefined
}

const seconds = (millis: number) => Math.max(1, Math.ceil(millis / 1000))

export class RequestLimit extends Context.Service<RequestLimit, {
  /** Takes one token of the key's bucket. Never fails: a limiter that is down lets requests pass. */
  readonly take: (keyId: string) => Effect.Effect<Standing>
}>()("@svc/accounts/RequestLimit") {
  static readonly layer = Layer.effect(RequestLimit, Effect.gen(function*() {
    const { burst, perSecond } = yield* RateLimitSettings
    // The store and not the `RateLimiter` above it: a refusal is an answer here, and must not cost more than one.
    const store = yield* RateLimiterStore
    const refillMillis = 1000 / perSecond
    const refillRate = Duration.millis(refillMillis)

    const standing = ([left, elapsed]: readonly [number, number]): Standing => ({
      limit: burst,
      remaining: Math.max(0, Math.floor(left)),
      reset: seconds(Math.ceil(burst - Math.max(0, left)) * refillMillis - elapsed),
      retryAfter: left < 0 ? seconds(Math.ceil(-left) * refillMillis - elapsed) : undefined
    })
    const unlimited = (error: unknown) =>
      Effect.as(
        Effect.logWarning("Requests are not limited: the store of the rate limits does not answer", error),
        { limit: burst, remaining: burst, reset: 1, retryAfter: undefined }
      )

    return RequestLimit.of({
      take: (keyId) =>
        Effect.matchEffect(store.tokenBucket({ key: keyId, tokens: 1, limit: burst, refillRate, allowOverflow: false }), {
          onSuccess: (taken) => Effect.succeed(standing(taken)),
          onFailure: unlimited
        })
    })
  }))
}

/**
 * Buckets in the memory of each process, or in Redis for all of them when `REDIS_URL` is set. The Redis
 * driver is loaded only then.
 */
export const layerStore = Layer.unwrap(Effect.gen(function*() {
  const url = yield* Config.option(Config.Redacted("REDIS_URL"))
  if (Option.isNone(url)) return layerStoreMemory
  const NodeRedis = yield* Effect.promise(() => import("@effect/platform-node/NodeRedis"))
  return layerStoreRedis({ prefix: "svc:rate:" }).pipe(Layer.provide(NodeRedis.layer({ url: Redacted.value(url.value) })))
}))
