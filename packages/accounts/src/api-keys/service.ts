/** What can be done with API keys, over HTTP and from the command line alike. */
import { accountTime } from "@svc/kernel/clocks/account-time"
import { withActor } from "@svc/kernel/parts/actor"
import { type Forbidden, InvalidState, type NotFound, notFound, ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { nextId } from "@svc/kernel/values/ids"
import { now, standingAt } from "@svc/kernel/values/time"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { type ApiKeyScope, type Caller, KnownScopes } from "../access/model.ts"
import { mayManage, reachOf } from "../access/rules.ts"
import { AccountId } from "../accounts/model.ts"
import { AccountRepository } from "../accounts/repository.ts"
import { KnownKeys } from "./known-keys.ts"
import { type ApiKey, ApiKeyId, type ApiKeyKind, type CreateApiKeyRequest, scopesIssue } from "./model.ts"
import { ApiKeyRepository } from "./repository.ts"
import { checkScopes, reachOfKey } from "./rules.ts"
import { makeSecret } from "./secret.ts"

/** A key to make. `operator` keys, and no others, have no account. */
export interface NewKey {
  readonly accountId: AccountId | null
  readonly kind: ApiKeyKind
  readonly name: string
  /** At least one for a restricted key, none for the others. */
  readonly scopes: ReadonlyArray<ApiKeyScope>
}

export interface IssuedApiKey {
  readonly record: ApiKey
  /** Shown once: only its hash is stored. */
  readonly secret: Redacted.Redacted<string>
}

export class ApiKeys extends Context.Service<ApiKeys, {
  /**
   * Makes a key on nobody's authority but the operator's. Not idempotent: the secret is not kept, so a
   * repeated call makes another key.
   */
  readonly issue: (key: NewKey) => Effect.Effect<IssuedApiKey, NotFound | InvalidState | ValidationError>
  /** Makes a key on the authority of the calling one, which must cover it. */
  readonly create: (
    caller: Caller["Service"],
    request: CreateApiKeyRequest
  ) => Effect.Effect<IssuedApiKey, Forbidden | NotFound | InvalidState | ValidationError>
  /** The keys of an account, or of the operator for null; newest first. */
  readonly list: (account: AccountId | null, page: PageRequest) => Effect.Effect<Page<ApiKey>, ValidationError>
  readonly get: (account: AccountId | null, id: ApiKeyId) => Effect.Effect<ApiKey, NotFound>
  /**
   * Ends a key, at once in this process and within moments in the others. Ending it again changes
   * nothing. `by` is the calling key, which must cover it; the operator's own tools leave it out.
   */
  readonly revoke: (account: AccountId | null, id: ApiKeyId, by?: Caller["Service"]) => Effect.Effect<ApiKey, NotFound | Forbidden>
}>()("@svc/accounts/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function*() {
      const within = withActor(yield* SqlClient.SqlClient)
      const repository = yield* ApiKeyRepository
      const accounts = yield* AccountRepository
      const knownKeys = yield* KnownKeys
      const random = yield* SecureRandom.SecureRandom
      const knownScopes = yield* KnownScopes
      const { timeOf } = yield* accountTime
      /** The present moment of the account; of the world for the operator's keys, which belong to no account. */
      const timeAt = (account: AccountId | null) => account === null ? now : timeOf(account)

      /** Whether keys of this account are live or test. The operator's are neither. */
      const isSandbox = Effect.fnUntraced(function*(id: AccountId | null) {
        if (id === null) return false
        const account = yield* accounts.find(id)
        if (account === undefined) return yield* notFound("account")
        if (account.status === "closed") {
          return yield* new InvalidState({
            message: "The account is closed, so it takes no new keys.",
            details: { state: account.status, allowed: [] }
          })
        }
        return account.sandbox
      })

      const issue = Effect.fn("ApiKeys.issue")(function*({ accountId, kind, name, scopes }: NewKey) {
        const problem = scopesIssue(kind, scopes)
        if (problem !== undefined) return yield* new ValidationError({ code: "scopes", message: `scopes: ${problem}` })
        yield* Effect.fromResult(checkScopes(scopes, knownScopes))
        const { hash, prefix, secret } = yield* makeSecret(kind, yield* isSandbox(accountId)).pipe(
          Effect.provideService(SecureRandom.SecureRandom, random)
        )
        const at = yield* timeAt(accountId)
        const record: ApiKey = {
          id: ApiKeyId.make(yield* standingAt(at.epochMilliseconds)(nextId("key"))),
          account_id: accountId,
          kind,
          name,
          prefix,
          hash,
          scopes,
          status: "active",
          created_at: at,
          updated_at: at,
          revoked_at: null,
          version: 1
        }
        yield* Effect.orDie(within(repository.insert(accountId, record)))
        return { record, secret }
      })

      const get = Effect.fn("ApiKeys.get")(function*(account: AccountId | null, id: ApiKeyId) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("API key"))
      })

      /** An API key opens no tools by its scopes, so those of tools do not matter here. */
      const issuerOf = (caller: Caller["Service"]) => ({ reach: reachOf(caller), tools: undefined })

      const create = Effect.fn("ApiKeys.create")(function*(caller: Caller["Service"], { kind, name, scopes = [] }: CreateApiKeyRequest) {
        yield* Effect.fromResult(mayManage(issuerOf(caller), reachOfKey({ kind, scopes })))
        return yield* issue({ accountId: AccountId.make(caller.account.id), kind, name, scopes })
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function*(account: AccountId | null, id: ApiKeyId, by?: Caller["Service"]) {
        const key = yield* get(account, id)
        if (by !== undefined) yield* Effect.fromResult(mayManage(issuerOf(by), reachOfKey(key)))
        if (key.status === "revoked") return key
        const revokedKey = yield* Effect.orDie(within(repository.revoke(account, id, yield* timeAt(account))))
        yield* knownKeys.forget([key.hash])
        return revokedKey ?? (yield* get(account, id))
      })

      return ApiKeys.of({
        issue,
        create,
        get,
        revoke,
        list: Effect.fn("ApiKeys.list")(function*(account: AccountId | null, page: PageRequest) {
          return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
        })
      })
    })
  )
}
