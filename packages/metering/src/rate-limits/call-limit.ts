/**
 * The limits of calls of tools in a minute: of a key, of an agent key by its policy, and of a network that calls without a key. The gate
 * answers 429 `RATE_LIMITED` above them: `rateRefusal` in paywall's `gate/checks.ts`. `http/rate-limit.ts` of the kernel decides, and lists
 * all limits.
 */
import type { AgentChainLink, ToolCaller } from "@svc/accounts/access/model"
import { perPeriod, takeToken } from "@svc/kernel/http/rate-limit"
import { wholeNumber } from "@svc/kernel/parts/settings"
import { networkOf } from "@svc/kernel/values/network"
import { Config, Context, Effect, Layer } from "effect"
import { RateLimiterStore } from "effect/persistence/RateLimiter"

const range = { minimum: 1, maximum: 1_000_000 }

export const CallLimitSettings = Config.all({
  key: wholeNumber("TOOLS_CALLS_PER_MINUTE", { ...range, usual: 60 }),
  anonymous: wholeNumber("TOOLS_ANONYMOUS_CALLS_PER_MINUTE", { ...range, usual: 20 })
})

const MINUTE = 60_000

export class CallLimit extends Context.Service<CallLimit, {
  /** Takes one call. The seconds to wait when it is one too many; a limiter that is down lets calls pass. */
  readonly take: (caller: ToolCaller | undefined, address: string | undefined) => Effect.Effect<number | undefined>
}>()("@svc/metering/CallLimit") {
  static readonly layer = Layer.effect(
    CallLimit,
    Effect.gen(function*() {
      const settings = yield* CallLimitSettings
      const store = yield* RateLimiterStore

      /** The seconds to wait, where the bucket has no token left. */
      const takeOf = (key: string, perMinute: number): Effect.Effect<number | undefined> =>
        Effect.map(takeToken(store, perPeriod(perMinute, MINUTE), "Calls of tools")(`tools:${key}`), ({ retryAfter }) => retryAfter)

      /**
       * A call counts at each level, so that an agent does not call more often by giving keys to helpers. What a level refuses costs those
       * above it nothing.
       */
      const ofChain = Effect.fnUntraced(function*(chain: ReadonlyArray<AgentChainLink>) {
        for (const { id, rate_limit_per_minute = settings.key } of chain) {
          // No token ever comes into a bucket that holds none.
          const wait = rate_limit_per_minute === 0 ? MINUTE / 1000 : yield* takeOf(id, rate_limit_per_minute)
          if (wait !== undefined) return wait
        }
        return undefined
      })

      return CallLimit.of({
        take: (caller, address) => {
          if (caller === undefined) return takeOf(networkOf(address ?? "unknown"), settings.anonymous)
          const { credential } = caller
          return credential.kind === "agent_key" ? ofChain(credential.chain) : takeOf(credential.id, settings.key)
        }
      })
    })
  )
}
