/** What can be done with accounts, over HTTP and from the command line alike. */
import { accountTime } from "@svc/kernel/clocks/account-time"
import { withActor } from "@svc/kernel/parts/actor"
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { Releases } from "@svc/kernel/resource/api-version"
import { type InvalidState, type NotFound, notFound, type ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { atVersion, lostRace, untilCommitted } from "@svc/kernel/resource/versions"
import { nextId } from "@svc/kernel/values/ids"
import { now, realNow } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { KnownKeys } from "../api-keys/known-keys.ts"
import { ApiKeyRepository } from "../api-keys/repository.ts"
import { ApiKeys, type IssuedApiKey } from "../api-keys/service.ts"
import {
  type Account,
  type AccountFilter,
  AccountId,
  type AccountMove,
  type AccountPatch,
  type AccountSuspended,
  type CreateAccountRequest,
  type TermsPatch
} from "./model.ts"
import { AccountRepository } from "./repository.ts"
import * as rules from "./rules.ts"

/** Says in words what stands against closing an account. */
export type ClosingCheck = (account: AccountId) => Effect.Effect<ReadonlyArray<string>>

/**
 * What packages above know to stand against closing: balances, open disputes, subscriptions. Any number of them
 * `contribute`; all that is found is told at once.
 */
export class ClosingChecks extends Context.Service<ClosingChecks, Contributions<ClosingCheck>>()("@svc/accounts/ClosingChecks") {
  static readonly layer = Layer.sync(ClosingChecks, () => contributions<ClosingCheck>())
}

/** What follows from an account's settings as they are now. */
export type SettingsFollower = (account: Account) => Effect.Effect<void>

/**
 * What packages above do when the merchant has changed the settings: any number of them `contribute`. Each comes to the same when it runs
 * again.
 */
export class SettingsFollowers
  extends Context.Service<SettingsFollowers, Contributions<SettingsFollower>>()("@svc/accounts/SettingsFollowers")
{
  static readonly layer = Layer.sync(SettingsFollowers, () => contributions<SettingsFollower>())
}

/**
 * What is wrong with a change of the account that the merchant asks for, from what it is to what it would be; undefined when nothing is.
 */
export type PatchCheck = (account: Account, next: Account) => Effect.Effect<ValidationError | undefined>

/**
 * What packages above know to stand against a change of an account: that what it refers to is not there. Any number of them `contribute`.
 */
export class PatchChecks extends Context.Service<PatchChecks, Contributions<PatchCheck>>()("@svc/accounts/PatchChecks") {
  static readonly layer = Layer.sync(PatchChecks, () => contributions<PatchCheck>())
}

export class Accounts extends Context.Service<Accounts, {
  /** Opens an account without a key. Call it within a transaction that gives it what opens it. */
  readonly open: (request: CreateAccountRequest) => Effect.Effect<Account>
  /** Opens the live account of a sandbox, without a key. Call it within a transaction that gives it what opens it. */
  readonly openLive: (sandbox: Account) => Effect.Effect<Account>
  /** Opens an account and makes its first secret key. Not idempotent: the secret is shown once and not kept. */
  readonly create: (request: CreateAccountRequest) => Effect.Effect<{ readonly account: Account; readonly key: IssuedApiKey }>
  readonly get: (account: AccountId) => Effect.Effect<Account, NotFound>
  /** Every merchant's, newest first: for the operator. */
  readonly list: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>, ValidationError>
  /** An account that is known to exist, as it was last committed, for rules of other packages; dies when it does not exist. */
  readonly facts: (account: string) => Effect.Effect<Account>
  /** Changes what the merchant may change. With `version`, only if that is still the current one. */
  readonly update: (
    account: AccountId,
    patch: AccountPatch,
    version?: number
  ) => Effect.Effect<Account, NotFound | VersionConflict | InvalidState | AccountSuspended | ValidationError>
  /**
   * Changes the fees, for captures from now on, and what is granted and forbidden, at once. With `version`, only if that is still the
   * current one.
   */
  readonly setTerms: (
    account: AccountId,
    patch: TermsPatch,
    version?: number
  ) => Effect.Effect<Account, NotFound | VersionConflict | InvalidState | ValidationError>
  /**
   * Activates, suspends, reactivates or closes an account. Its keys follow at once. With `version`, only if that is still the current one.
   */
  readonly move: (
    account: AccountId,
    trigger: AccountMove,
    version?: number
  ) => Effect.Effect<Account, NotFound | InvalidState | VersionConflict>
}>()("@svc/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function*() {
      const within = withActor(yield* SqlClient.SqlClient)
      const releases = yield* Releases
      const repository = yield* AccountRepository
      const keys = yield* ApiKeys
      const keyRepository = yield* ApiKeyRepository
      const knownKeys = yield* KnownKeys
      const closingChecks = yield* ClosingChecks
      const settingsFollowers = yield* SettingsFollowers
      const patchChecks = yield* PatchChecks
      const { timeOf } = yield* accountTime

      const get = Effect.fn("Accounts.get")(function*(account: AccountId) {
        return (yield* repository.find(account)) ?? (yield* notFound("account"))
      })

      const insert = Effect.fnUntraced(function*(opened: (id: AccountId, at: DateTime.Utc) => Account) {
        const account = opened(AccountId.make(yield* nextId("acct")), yield* now)
        yield* Effect.orDie(within(repository.insert(account)))
        return account
      })

      const open = Effect.fn("Accounts.open")((request: CreateAccountRequest) => insert((id, at) => rules.open(id, request, at)))

      const create = Effect.fn("Accounts.create")(function*(request: CreateAccountRequest) {
        const { account, key } = yield* within(Effect.gen(function*() {
          const account = yield* open(request)
          return { account, key: yield* keys.issue({ accountId: account.id, kind: "secret", name: "First key", scopes: [] }) }
        })).pipe(Effect.orDie)
        return { account: { ...account, api_key_prefix: key.record.prefix }, key }
      })

      /** Writes the next version and has every process read the account anew. False when another change came between. */
      const replace = Effect.fnUntraced(function*(account: Account) {
        const hashes = yield* within(Effect.gen(function*() {
          return (yield* repository.replace(account)) ? yield* keyRepository.announce(account.id) : undefined
        })).pipe(Effect.orDie)
        if (hashes === undefined) return false
        yield* knownKeys.forget(hashes)
        return true
      })

      /** Loads, decides on the version that the caller read, and writes; once more when another change came between. */
      const change = <E>(id: AccountId, version: number | undefined, decide: (account: Account) => Effect.Effect<Account, E>) =>
        untilCommitted(
          "account",
          Effect.gen(function*() {
            const account = yield* Effect.fromResult(atVersion("account", yield* get(id), version))
            const next = yield* decide(account)
            return next === account || (yield* replace(next)) ? next : yield* lostRace()
          })
        )

      const mayPin = Effect.fnUntraced(function*(version: string | undefined) {
        yield* Effect.fromResult(rules.mayPin(releases, version, yield* realNow))
      })

      const updated = Effect.fnUntraced(function*(account: Account, patch: AccountPatch, at: DateTime.Utc) {
        const next = yield* Effect.fromResult(rules.update(account, patch, at))
        for (const check of patchChecks.all()) {
          const refusal = yield* check(account, next)
          if (refusal !== undefined) return yield* refusal
        }
        return next
      })

      const decideMove = Effect.fnUntraced(function*(account: Account, trigger: AccountMove, at: DateTime.Utc) {
        const checks = trigger === "close" ? closingChecks.all() : []
        const obstacles = (yield* Effect.forEach(checks, (check) => check(account.id))).flat()
        return yield* Effect.fromResult(rules.move(account, trigger, obstacles, at))
      })

      return Accounts.of({
        open,
        openLive: Effect.fn("Accounts.openLive")((sandbox: Account) => insert((id, at) => rules.openLive(id, sandbox, at))),
        create,
        get,
        list: Effect.fn("Accounts.list")(function*(filter: AccountFilter, page: PageRequest) {
          return yield* repository.list(filter, yield* Effect.fromResult(checkPage(page)))
        }),
        facts: Effect.fnUntraced(function*(account: string) {
          return (yield* repository.committed(AccountId.make(account))) ?? (yield* Effect.die(new Error(`There is no account ${account}.`)))
        }),
        update: Effect.fn("Accounts.update")(function*(id: AccountId, patch: AccountPatch, version?: number) {
          const at = yield* now
          yield* mayPin(patch.api_version)
          const account = yield* change(id, version, (account) => updated(account, patch, at))
          if (patch.settings !== undefined) yield* Effect.forEach(settingsFollowers.all(), (follow) => follow(account), { discard: true })
          return account
        }),
        setTerms: Effect.fn("Accounts.setTerms")(function*(id: AccountId, patch: TermsPatch, version?: number) {
          const at = yield* timeOf(id)
          yield* mayPin(patch.api_version)
          return yield* change(id, version, (account) => Effect.fromResult(rules.setTerms(account, patch, at)))
        }),
        move: Effect.fn("Accounts.move")(function*(id: AccountId, trigger: AccountMove, version?: number) {
          const at = yield* timeOf(id)
          return yield* change(id, version, (account) => decideMove(account, trigger, at))
        })
      })
    })
  )
}
