/**
 * The limits of requests with an API key: of each key, and of all keys of an account together. `authorization.ts` answers 429
 * `rate_limited` above them.
 */
import { type RateLimitState, takeToken } from "@svc/kernel/http/rate-limit"
import * as Memory from "@svc/kernel/http/rate-limit-store"
import { wholeNumber } from "@svc/kernel/parts/settings"
import { Config, Context, Data, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { Redis } from "effect/persistence"
import { layerStoreRedis, RateLimiterStore } from "effect/persistence/RateLimiter"

const range = { minimum: 1, maximum: 1_000_000 }

/** Requests a second, and how many may come at once after a pause. */
interface Limit {
  readonly perSecond: number
  readonly burst: number
}

const limitOf = (name: string, usual: Limit): Config.Config<Limit> =>
  Config.all({
    perSecond: wholeNumber(`${name}_PER_SECOND`, { ...range, usual: usual.perSecond }),
    burst: wholeNumber(`${name}_BURST`, { ...range, usual: usual.burst })
  })

/** What each key may do, and what all keys of one account may do together: as much as one key unless set. */
export const RateLimitSettings = limitOf("RATE_LIMIT", { perSecond: 100, burst: 200 }).pipe(
  Config.flatMap((key) => Config.map(limitOf("RATE_LIMIT_ACCOUNT", key), (account) => ({ key, account })))
)

/** The key that a request counts for, and its account unless the key is the operator's. */
export interface CountedKey {
  readonly keyId: string
  readonly accountId?: string
}

const tighter = (own: RateLimitState, shared: RateLimitState): RateLimitState =>
  shared.retryAfter !== undefined || shared.remaining < own.remaining ? shared : own

export class RequestLimit extends Context.Service<RequestLimit, {
  /**
   * Takes one token of the key's bucket and one of its account's; the state is that of the emptier. What the key's own
   * bucket refuses costs the account nothing. Never fails: a limiter that is down lets requests pass.
   */
  readonly take: (counted: CountedKey) => Effect.Effect<RateLimitState>
  /** How the cache is that all processes share: undefined where there is none, and each limits by its own memory. */
  readonly cache: Effect.Effect<"up" | "down" | undefined>
}>()("@svc/accounts/RequestLimit") {
  static readonly layer = Layer.effect(
    RequestLimit,
    Effect.gen(function*() {
      const limits = yield* RateLimitSettings
      // The store and not the `RateLimiter` above it: a refusal is an answer here, and must not cost more than one.
      const store = yield* RateLimiterStore
      const bucketsOf = ({ burst, perSecond }: Limit) => takeToken(store, { burst, refillMillis: 1000 / perSecond }, "Requests")
      const ofKeys = bucketsOf(limits.key)
      const ofAccounts = bucketsOf(limits.account)
      // Else the account's bucket is never fuller than the key's, and says all.
      const both = limits.account.perSecond > limits.key.perSecond || limits.account.burst > limits.key.burst

      const url = yield* Config.option(Config.Redacted("REDIS_URL"))
      const asked = store.tokenBucket({ key: "health", tokens: 0, limit: 1, refillRate: Duration.seconds(1), allowOverflow: false }).pipe(
        Effect.timeout("2 seconds"),
        Effect.match({ onSuccess: () => "up" as const, onFailure: () => "down" as const })
      )

      return RequestLimit.of({
        cache: Option.isNone(url) ? Effect.undefined : asked,
        take: ({ accountId, keyId }) => {
          if (accountId === undefined) return ofKeys(keyId)
          if (!both) return ofAccounts(accountId)
          return Effect.flatMap(
            ofKeys(keyId),
            (own) =>
              own.retryAfter === undefined ? Effect.map(ofAccounts(accountId), (shared) => tighter(own, shared)) : Effect.succeed(own)
          )
        }
      })
    })
  )
}

/** The Redis of `REDIS_URL` cannot be used: why, and what to do. */
class RedisUnreachable extends Data.TaggedError("RedisUnreachable")<{ readonly message: string }> {}

const redisUnreachable = ({ cause }: { readonly cause: unknown }) => {
  // Node joins the attempts at the addresses of a name in one error without a message.
  const failure = cause instanceof AggregateError ? cause.errors[0] : cause
  return new RedisUnreachable({
    message: `REDIS_URL cannot be reached: ${
      failure instanceof Error ? failure.message : String(failure)
    }. Start that Redis, or leave it unset to keep limits in memory.`
  })
}

/**
 * Buckets in the memory of each process, or in Redis for all of them when `REDIS_URL` is set. Both let a
 * bucket go once it is full again. The Redis driver is loaded only then.
 */
export const layerStore = Layer.unwrap(Effect.gen(function*() {
  const url = yield* Config.option(Config.Redacted("REDIS_URL"))
  if (Option.isNone(url)) return Memory.layer
  const NodeRedis = yield* Effect.promise(() => import("@effect/platform-node/NodeRedis"))
  return layerStoreRedis({ prefix: "svc:rate:" }).pipe(Layer.provide(
    NodeRedis.layer({ url: Redacted.value(url.value) }).pipe(
      Layer.catchTag(
        "RedisError",
        (error) => Layer.effectContext<Redis.Redis, RedisUnreachable, never>(Effect.fail(redisUnreachable(error)))
      )
    )
  ))
}))
