/** The verbs of an agent key: load, decide, commit. */
import {
  type Forbidden,
  type InvalidState,
  type NotFound,
  notFound,
  ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, type Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AccountFacts, type Caller, ToolScopes } from "../../access/model.ts"
import { mayManage, reachOf } from "../../access/rules.ts"
import { KnownKeys } from "../../api-keys/known-keys.ts"
import { drawSecret } from "../../api-keys/secret.ts"
import {
  type AgentKey,
  AgentKeyId,
  type AgentKeyPatch,
  type AgentPolicy,
  EXPIRE,
  type IssueAgentKeyRequest,
  type UsedKey
} from "../model.ts"
import { AgentKeyRepository } from "../repository.ts"
import { commitOf } from "../road.ts"
import * as rules from "../rules.ts"

export interface IssuedAgentKey {
  readonly key: AgentKey
  /** Shown once: only its hash is stored. */
  readonly token: Redacted.Redacted<string>
}

interface Request {
  readonly account: Pick<AccountFacts, "id" | "sandbox" | "status">
  readonly request: IssueAgentKeyRequest
}

/** Fails when the issuer of a key may not give it this policy. */
type PolicyCheck<E> = (policy: AgentPolicy) => Result.Result<void, E>

/** What an update depends on: the version that was read, and the calling key. */
export interface UpdatedBy {
  readonly version?: number | undefined
  readonly by?: Caller["Service"]
}

/** The same bytes for what does not exist and what belongs to somebody else. */
const noSuchParent = new ValidationError({
  code: "parent_id",
  message: "parent_id: no such agent key for this account. Give the id of one, or leave the field out"
})

export class AgentKeys extends Context.Service<AgentKeys, {
  /**
   * Makes a key for the account, or cuts it from `parent_id`. Not idempotent: the token is shown once and not kept, so a repeated call
   * makes another key.
   */
  readonly issue: (
    account: Pick<AccountFacts, "id" | "sandbox" | "status">,
    request: IssueAgentKeyRequest
  ) => Effect.Effect<IssuedAgentKey, ValidationError | InvalidState | VersionConflict>
  /** The same on the authority of the calling key, which must cover the new one. */
  readonly create: (
    caller: Caller["Service"],
    request: IssueAgentKeyRequest
  ) => Effect.Effect<IssuedAgentKey, ValidationError | InvalidState | VersionConflict | Forbidden>
  readonly get: (account: string, id: AgentKeyId) => Effect.Effect<UsedKey, NotFound>
  /** Newest first, those that have ended included. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<UsedKey>, ValidationError>
  /** The active keys cut from this one, at every level, oldest first. */
  readonly below: (account: string, id: AgentKeyId) => Effect.Effect<ReadonlyArray<UsedKey>>
  /**
   * Changes name or policy, for calls from now on. With `version`, only if that is still the current one; with `by`, only if that key
   * covers the new policy.
   */
  readonly update: (
    account: string,
    id: AgentKeyId,
    patch: AgentKeyPatch,
    on?: UpdatedBy
  ) => Effect.Effect<UsedKey, NotFound | ValidationError | InvalidState | VersionConflict | Forbidden>
  /** Ends a key and all cut from it, at once in this process and within moments in the others. What has ended stays as it is. */
  readonly revoke: (account: string, id: AgentKeyId) => Effect.Effect<UsedKey, NotFound | VersionConflict>
  /** For the timer: ends a key whose time is over, with all cut from it. */
  readonly expire: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/accounts/AgentKeys") {
  static readonly layer = Layer.effect(
    AgentKeys,
    Effect.gen(function*() {
      const committer = yield* Committer
      const knownKeys = yield* KnownKeys
      const random = yield* SecureRandom.SecureRandom
      const repository = yield* AgentKeyRepository
      const tools = yield* ToolScopes

      const get = Effect.fn("AgentKeys.get")(function*(account: string, id: AgentKeyId) {
        return (yield* repository.find(account, id)) ?? (yield* notFound(rules.NAME))
      })

      /** Has every process read these keys anew. */
      const changed = Effect.fnUntraced(function*(account: string, keys: ReadonlyArray<AgentKey>) {
        const hashes = keys.map(({ hash }) => hash)
        yield* knownKeys.forget(hashes)
        yield* repository.announce(account, hashes)
      })

      const parentOf = Effect.fnUntraced(function*(account: string, id: AgentKeyId | undefined) {
        if (id === undefined) return {}
        const { key } = (yield* repository.find(account, id)) ?? (yield* noSuchParent)
        return { parent: { key, cuts: yield* repository.countCuts(account, id) } }
      })

      /** Fails when the calling key may not give an agent key this policy. */
      const checkFor = (caller: Caller["Service"]): PolicyCheck<Forbidden> => {
        const issuer = { reach: reachOf(caller), tools }
        return (policy) => mayManage(issuer, { kind: "agent", policy })
      }

      const issueAs = Effect.fnUntraced(function*<E>({ account, request }: Request, check: PolicyCheck<E>) {
        const { hash, secret: token } = yield* Effect.provideService(
          drawSecret(`agk_${account.sandbox ? "test" : "live"}_`),
          SecureRandom.SecureRandom,
          random
        )
        const id = AgentKeyId.make(yield* nextId("agk"))
        return yield* untilCommitted(
          rules.NAME,
          Effect.gen(function*() {
            const decision = yield* Effect.fromResult(
              rules.issue({ id, hash, account, request, at: yield* now, ...(yield* parentOf(account.id, request.parent_id)) })
            )
            yield* Effect.fromResult(check(decision.key.policy))
            yield* committer.commit(commitOf(decision, "agent_key.issue"))
            return { key: decision.key, token } satisfies IssuedAgentKey
          })
        )
      })

      const keysBelow = (account: string, id: AgentKeyId) =>
        Effect.map(repository.below(account, id), (usedKeys) => usedKeys.map(({ key }) => key))

      const update = Effect.fn("AgentKeys.update")((
        account: string,
        id: AgentKeyId,
        patch: AgentKeyPatch,
        { by, version }: UpdatedBy = {}
      ) =>
        untilCommitted(
          rules.NAME,
          Effect.gen(function*() {
            const current = yield* get(account, id)
            const above = current.key.parent_id === null ? undefined : (yield* get(account, current.key.parent_id)).key
            const decision = yield* Effect.fromResult(rules.update(current.key, above, patch, { at: yield* now, expected: version }))
            if (decision === undefined) return current
            if (by !== undefined && patch.policy !== undefined) yield* Effect.fromResult(checkFor(by)(decision.key.policy))
            yield* committer.commit(commitOf(decision, "agent_key.update"))
            yield* changed(account, [current.key, ...(yield* keysBelow(account, id))])
            return { ...current, key: decision.key }
          })
        )
      )

      const end = (account: string, id: AgentKeyId, status: "revoked" | "expired") =>
        untilCommitted(
          rules.NAME,
          Effect.gen(function*() {
            const [current, at] = [yield* get(account, id), yield* now]
            if (status === "expired" && !rules.isOver(current.key, at)) return current
            const decision = rules.end(current.key, yield* keysBelow(account, id), status, at)
            if (decision === undefined) return current
            yield* committer.commit(commitOf(decision, status === "revoked" ? "agent_key.revoke" : EXPIRE))
            yield* changed(account, decision.ends)
            return { ...current, key: decision.key }
          })
        )

      return AgentKeys.of({
        issue: Effect.fn("AgentKeys.issue")((account, request) => issueAs({ account, request }, () => Result.void)),
        create: Effect.fn("AgentKeys.create")((caller, request) => issueAs({ account: caller.account, request }, checkFor(caller))),
        get,
        below: Effect.fn("AgentKeys.below")(repository.below),
        update,
        list: Effect.fn("AgentKeys.list")(function*(account: string, page: PageRequest) {
          return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
        }),
        revoke: Effect.fn("AgentKeys.revoke")((account: string, id: AgentKeyId) => end(account, id, "revoked")),
        expire: Effect.fn("AgentKeys.expire")((account: string, id: string) => Effect.asVoid(end(account, AgentKeyId.make(id), "expired")))
      })
    })
  )
}
