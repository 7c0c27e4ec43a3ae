/** The limits of requests without a key, by the network of the caller: 429 `rate_limited` above them. */
import { perPeriod, takeToken } from "@svc/kernel/http/rate-limit"
import { RateLimited } from "@svc/kernel/resource/errors"
import { networkOf } from "@svc/kernel/values/network"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimiterStore } from "effect/persistence/RateLimiter"

/** What is limited, and how often it may happen. */
export interface NetworkPace {
  readonly what: string
  readonly perHour: number
}

const HOUR = 3_600_000

export class NetworkLimit extends Context.Service<NetworkLimit, {
  /** Takes one from what the network of the request may do in an hour; all of it may come at once. A limiter that is down lets it pass. */
  readonly take: (
    pace: NetworkPace,
    request: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">
  ) => Effect.Effect<void, RateLimited>
}>()("@svc/metering/NetworkLimit") {
  static readonly layer = Layer.effect(
    NetworkLimit,
    Effect.gen(function*() {
      const store = yield* RateLimiterStore
      return NetworkLimit.of({
        take: Effect.fn("NetworkLimit.take")(
          function*({ perHour, what }: NetworkPace, { remoteAddress }: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">) {
            const network = networkOf(Option.getOrElse(remoteAddress, () => "unknown"))
            const take = takeToken(store, perPeriod(perHour, HOUR), `Requests of the kind "${what}"`)
            const { retryAfter: retry_after } = yield* take(`tools:${what}:${network}`)
            if (retry_after === undefined) return
            return yield* new RateLimited({
              message: `Too many requests of this kind from your network: ${perHour} an hour. Wait ${retry_after} s and send again.`,
              details: { retry_after }
            })
          }
        )
      })
    })
  )
}
