/** How many calls a minute: of a key, of an agent key by its policy, and of a network that calls without one. */
import type { AgentChainLink, ToolCaller } from "@svc/accounts/access/model"
import { wholeNumber } from "@svc/kernel/parts/settings"
import { Config, Context, Duration, Effect, Layer } from "effect"
import { RateLimiterStore } from "effect/persistence/RateLimiter"

const range = { minimum: 1, maximum: 1_000_000 }

export const CallLimitSettings = Config.all({
  key: wholeNumber("TOOLS_CALLS_PER_MINUTE", { ...range, usual: 60 }),
  anonymous: wholeNumber("TOOLS_ANONYMOUS_CALLS_PER_MINUTE", { ...range, usual: 20 })
})

const MINUTE = 60_000

/** The network of an address: a /24 of IPv4, a /48 of IPv6. Who has one address of it has them all. */
export const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/u, "")
  return plain.includes(":") ? plain.split(":").slice(0, 3).join(":") : plain.split(".").slice(0, 3).join(".")
}

export class CallLimit extends Context.Service<CallLimit, {
  /** Takes one call. The seconds to wait when it is one too many; a limiter that is down lets calls pass. */
  readonly take: (caller: ToolCaller | undefined, address: string | undefined) => Effect.Effect<number | undefined>
}>()("@svc/metering/CallLimit") {
  static readonly layer = Layer.effect(
    CallLimit,
    Effect.gen(function*() {
      const settings = yield* CallLimitSettings
      const store = yield* RateLimiterStore

      const bucket = (key: string, perMinute: number): Effect.Effect<number | undefined> => {
        const refill = MINUTE / perMinute
        return Effect.matchEffect(
          store.tokenBucket({ key, tokens: 1, limit: perMinute, refillRate: Duration.millis(refill), allowOverflow: false }),
          {
            onSuccess: ([left]) => Effect.succeed(left < 0 ? Math.max(1, Math.ceil(-left * refill / 1000)) : undefined),
            onFailure: (error) =>
              Effect.as(Effect.logWarning("Calls of tools are not limited: the store of the rate limits does not answer", error), undefined)
          }
        )
      }

      /**
       * A call counts at each level, so that an agent does not call more often by giving keys to helpers. What a level refuses costs those
       * above it nothing.
       */
      const ofChain = Effect.fnUntraced(function*(chain: ReadonlyArray<AgentChainLink>) {
        for (const { id, rate_limit_per_minute = settings.key } of chain) {
          // No token ever comes into a bucket that holds none.
          const wait = rate_limit_per_minute === 0 ? MINUTE / 1000 : yield* bucket(`tools:${id}`, rate_limit_per_minute)
          if (wait !== undefined) return wait
        }
        return undefined
      })

      return CallLimit.of({
        take: (caller, address) => {
          if (caller === undefined) return bucket(`tools:${networkOf(address ?? "unknown")}`, settings.anonymous)
          const { credential } = caller
          return credential.kind === "agent_key" ? ofChain(credential.chain) : bucket(`tools:${credential.id}`, settings.key)
        }
      })
    })
  )
}
