/**
 * From the secret of a request to its key. Keys are remembered for a few seconds, so that the usual
 * request asks no database; what changes a key or its account makes this process forget it at once,
 * and the others as soon as Postgres has told them.
 */
import { PgClient } from "@effect/sql-pg"
import type { ActorIdentity } from "@svc/kernel/parts/actor"
import { Cache, Context, Deferred, Effect, Exit, Layer, Queue, Schedule } from "effect"
import type { AccountFacts, AgentChainLink, Caller, Person } from "../access/model.ts"
import { isLimited } from "../access/permits.ts"
import type { AgentPolicy } from "../agent-keys/model.ts"
import { type AgentCredential, AgentKeyRepository } from "../agent-keys/repository.ts"
import { linkOf, meet } from "../agent-keys/rules.ts"
import type { Credential } from "./repository.ts"
import { ApiKeyRepository, CHANNEL } from "./repository.ts"
import { hashSecret, sameHash } from "./secret.ts"

/** How long a process that Postgres cannot reach may still accept a revoked key. */
const REMEMBERED = "5 seconds"
const CAPACITY = 20_000

/** A key of an account, as requests meet it. */
export interface MerchantKey {
  readonly _tag: "Merchant"
  readonly id: string
  /** Whether the account has a clock of its own. Where that stands is never remembered. */
  readonly clocked: boolean
  /** Whether something is forbidden to the account, so that each request is looked at. */
  readonly limited: boolean
  readonly caller: Caller["Service"]
  /** The actor of the key's requests, for the audit log. */
  readonly actor: ActorIdentity
}
/** A key of the operator, or a person of the installation in its place. */
export interface OperatorKey {
  readonly _tag: "Operator"
  readonly id: string
  readonly actor: ActorIdentity
  /** With the scopes of their role, which say what they read of accounts. */
  readonly person?: Person & { readonly scopes: ReadonlySet<string> }
}
/** A key of an account that opens the tool server only. */
export interface ToolKey {
  readonly _tag: "Tool"
  readonly id: string
  readonly clocked: boolean
  readonly account: AccountFacts
}
/** A key of a software agent. Whether its time is over is asked anew for each call. */
export interface KnownAgentKey {
  readonly _tag: "Agent"
  readonly id: string
  readonly clocked: boolean
  readonly account: AccountFacts
  /** What holds now: its own policy within those of the keys it was cut from. */
  readonly policy: AgentPolicy
  readonly chain: ReadonlyArray<AgentChainLink>
  /** The first end of a key of its chain, Unix milliseconds; Infinity when none ends by itself. */
  readonly ends: number
}
export type KnownKey = MerchantKey | OperatorKey | ToolKey | KnownAgentKey

const toKnown = ({ account, clocked, id, kind, scopes }: Credential): KnownKey => {
  if (account === null || kind === "operator") return { _tag: "Operator", id, actor: { type: "operator_key", id } }
  if (kind === "tool") return { _tag: "Tool", id, clocked, account }
  const caller = { account, keyId: id, kind, scopes: new Set(scopes) }
  return { _tag: "Merchant", id, clocked, limited: isLimited(account), caller, actor: { type: "api_key", id } }
}

const toKnownAgent = ({ account, chain, clocked }: AgentCredential): KnownAgentKey => ({
  _tag: "Agent",
  id: chain[0].id,
  clocked,
  account,
  policy: chain.map(({ policy }) => policy).reduce(meet),
  chain: chain.map(linkOf),
  ends: Math.min(...chain.map(({ expires_at }) => expires_at?.epochMilliseconds ?? Infinity))
})

export class KnownKeys extends Context.Service<KnownKeys, {
  /**
   * The active key with this secret. Whatever the text, the work is the same: it is hashed and its hash
   * is looked up, so that neither a malformed, an unknown nor a revoked key stands out.
   */
  readonly find: (secret: string) => Effect.Effect<KnownKey | undefined>
  /** Forgets keys by their hashes, so that the next request reads them again. */
  readonly forget: (hashes: ReadonlyArray<string>) => Effect.Effect<void>
}>()("@svc/accounts/KnownKeys") {
  static readonly layer = Layer.effect(
    KnownKeys,
    Effect.gen(function*() {
      const repository = yield* ApiKeyRepository
      const agents = yield* AgentKeyRepository
      const pg = yield* PgClient.PgClient

      const lookup = Effect.fnUntraced(function*(hash: string) {
        const credential = yield* repository.authenticate(hash)
        if (credential !== undefined) return sameHash(credential.hash, hash) ? toKnown(credential) : undefined
        const agent = yield* agents.authenticate(hash)
        return agent !== undefined && sameHash(agent.hash, hash) ? toKnownAgent(agent) : undefined
      })
      const keys = yield* Cache.makeWith(lookup, {
        capacity: CAPACITY,
        // A secret that opens nothing is not remembered: guesses must not push real keys out.
        timeToLive: (exit) => Exit.isSuccess(exit) && exit.value !== undefined ? REMEMBERED : 0
        // A cache adds the context that it was made in to that of each look-up.
      }).pipe(Effect.setContext(Context.empty()))

      const tried = yield* Deferred.make<void>()
      // What was said while nobody listened is lost, so everything is read again once the line stands.
      const listen = Effect.scoped(Effect.gen(function*() {
        const changed = yield* pg.listen(CHANNEL)
        yield* Cache.invalidateAll(keys)
        yield* Deferred.succeed(tried, undefined)
        return yield* Effect.forever(Effect.flatMap(Queue.take(changed), ({ payload }) => Cache.invalidate(keys, payload)))
      }))
      yield* listen.pipe(
        Effect.tapError((error) =>
          Effect.logWarning("Changes of API keys by other processes are not heard; they take effect within seconds", error)
        ),
        Effect.tapError(() => Deferred.succeed(tried, undefined)),
        Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)),
        Effect.forkScoped
      )
      yield* Deferred.await(tried)

      return KnownKeys.of({
        find: (secret) => Cache.get(keys, hashSecret(secret)),
        forget: (hashes) => Effect.forEach(hashes, (hash) => Cache.invalidate(keys, hash), { discard: true })
      })
    })
  )
}
