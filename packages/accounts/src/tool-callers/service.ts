/**
 * Who calls the tool server. The usual call asks no database: keys are remembered as `KnownKeys` remembers them, so that a revoked one
 * is refused at once in the process that revoked it and within moments in the others.
 */
import { accountTime } from "@svc/kernel/clocks/account-time"
import type { Forbidden } from "@svc/kernel/resource/errors"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Schema } from "effect"
import { type ApiKeyScope, lacksScope, type ToolCaller } from "../access/model.ts"
import { KnownKeys } from "../api-keys/known-keys.ts"

/** The token opens no tools. `detail` says why, and which key to use; it is the same for every token that is not known. */
export class ToolKeyRefused extends Schema.TaggedError<ToolKeyRefused>()("ToolKeyRefused", { detail: Schema.String }) {}

const KINDS: ReadonlyArray<readonly [brand: string, what: string]> = [
  ["sk_", "a secret key"],
  ["rk_", "a restricted key"],
  ["ok_", "an operator key"]
]

/** By how it begins alone: whether a key of the payments API is a current one is not told here. */
const misplaced = (token: string): ToolKeyRefused | undefined => {
  const kind = KINDS.find(([brand]) => token.startsWith(brand))
  return kind === undefined ? undefined : new ToolKeyRefused({
    detail: `It is ${
      kind[1]
    } of the payments API, which opens no tools. Use a key of the tool server, svck_…, or an agent key, agk_…; with a secret key, POST /v1/api_keys of the payments API makes the one, and POST /v1/agent_keys the other.`
  })
}

const unknown = new ToolKeyRefused({ detail: "It is malformed, unknown, revoked or expired." })

export class ToolCallers extends Context.Service<ToolCallers, {
  /**
   * The caller behind the token of a header: `Authorization: Bearer` or `X-Svc-Key`, without the word before it. Fails for what opens no
   * tools; an agent key has to be within its time, by the account's clock. Does not count the call, and does not look at the account's
   * status.
   */
  readonly find: (token: string) => Effect.Effect<ToolCaller, ToolKeyRefused>
  /** The same for routes that are no tools. A key of the payments API opens them too: a secret one, or a restricted one with the scope. */
  readonly findWith: (token: string, scope: ApiKeyScope) => Effect.Effect<ToolCaller, ToolKeyRefused | Forbidden>
}>()("@svc/accounts/ToolCallers") {
  static readonly layer = Layer.effect(
    ToolCallers,
    Effect.gen(function*() {
      const knownKeys = yield* KnownKeys
      const { timeOf } = yield* accountTime

      const find = Effect.fnUntraced(function*(token: string): Effect.fn.Return<ToolCaller, ToolKeyRefused> {
        const wrong = misplaced(token)
        if (wrong !== undefined) return yield* wrong
        const key = yield* knownKeys.find(token)
        if (key === undefined || key._tag === "Operator" || key._tag === "Merchant") return yield* unknown
        const { account, clocked, id } = key
        if (key._tag === "Tool") return { account, clocked, credential: { kind: "api_key", id } }
        const present = key.ends === Infinity ? undefined : yield* clocked ? timeOf(account.id) : now
        if (present !== undefined && present.epochMilliseconds >= key.ends) return yield* unknown
        return { account, clocked, credential: { kind: "agent_key", id, policy: key.policy, chain: key.chain } }
      })

      const findWith = Effect.fnUntraced(
        function*(token: string, scope: ApiKeyScope): Effect.fn.Return<ToolCaller, ToolKeyRefused | Forbidden> {
          const key = yield* knownKeys.find(token)
          if (key?._tag !== "Merchant") return yield* find(token)
          const { caller: { account, scopes, kind }, clocked, id } = key
          if (kind === "restricted" && scopes?.has(scope) !== true) return yield* lacksScope(scope)
          return { account, clocked, credential: { kind: "api_key", id } }
        }
      )

      return ToolCallers.of({ find, findWith })
    })
  )
}
