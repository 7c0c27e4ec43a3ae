/** What can be done with accounts, over HTTP and from the command line alike. */
import { withActor } from "@svc/kernel/actor"
import { CURRENT_API_VERSION, Releases } from "@svc/kernel/api-version"
import { defaultSettings } from "./settings.ts"
import { type InvalidState, type NotFound, notFound, type ValidationError, type VersionConflict } from "@svc/kernel/errors"
import type { AccountFacts } from "../access/model.ts"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { type Contributions, contributions } from "@svc/kernel/contributions"
import { nextId } from "@svc/kernel/ids"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/pages"
import { now, realNow } from "@svc/kernel/time"
import { atVersion, lostRace, untilCommitted } from "@svc/kernel/versions"
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { KnownKeys } from "../api-keys/known-keys.ts"
import { ApiKeyRepository } from "../api-keys/repository.ts"
import { ApiKeys, type Issued } from "../api-keys/service.ts"
import { type AccountSuspended, Account, type AccountFilter, AccountId, type AccountMove, type AccountPatch, type CreateAccountRequest, INITIAL_CAPABILITIES, type TermsPatch } from "./model.ts"
import { AccountRepository, type OpenBalance } from "./repository.ts"
import { mayPin, move, setTerms, update } from "./rules.ts"

/** Says in words what stands against closing an account. */
export type ClosingCheck = (account: AccountId) => Effect.Effect<ReadonlyArray<string>>

/**
 * What packages above know to stand against closing: open disputes, subscriptions. Any number of them
 * `contribute`; all that is found is told at once. Balances are always checked.
 */
export class ClosingChecks extends Context.Service<ClosingChecks, Contributions<ClosingCheck>>()("@svc/accounts/ClosingChecks") {
  static readonly layer = Layer.sync(ClosingChecks, () => contributions<ClosingCheck>())
}

/** What follows from an account's settings as they are now. */
export type SettingsFollower = (account: Account) => Effect.Effect<void>

/** What packages above do when the merchant has changed the settings: any number of them `contribute`. Each comes to the same when it runs again. */
export class SettingsFollowers extends Context.Service<SettingsFollowers, Contributions<SettingsFollower>>()("@svc/accounts/SettingsFollowers") {
  static readonly layer = Layer.sync(SettingsFollowers, () => contributions<SettingsFollower>())
}

/** What is wrong with a change of the account that the merchant asks for, from what it is to what it would be; undefined when nothing is. */
export type PatchCheck = (account: Account, next: Account) => Effect.Effect<ValidationError | undefined>

/** What packages above know to stand against a change of an account: that what it refers to is not there. Any number of them `contribute`. */
export class PatchChecks extends Context.Service<PatchChecks, Contributions<PatchCheck>>()("@svc/accounts/PatchChecks") {
  static readonly layer = Layer.sync(PatchChecks, () => contributions<PatchCheck>())
}

const inWords = ({ available, currency, pending, reserved }: OpenBalance) =>
  `the ${currency} balance is not zero (available ${available}, pending ${pending}, reserved ${reserved}${available < 0 ? "; what the account owes is paid, or written off by the operator with POST /v1/write_offs" : ""})`

export class Accounts extends Context.Service<Accounts, {
  /** Opens an account without a key. Call it within a transaction that gives it what opens it. */
  readonly open: (request: CreateAccountRequest) => Effect.Effect<Account>
  /** Opens an account and makes its first secret key. Not idempotent: the secret is shown once and not kept. */
  readonly create: (request: CreateAccountRequest) => Effect.Effect<{ readonly account: Account; readonly key: Issued }>
  readonly get: (account: AccountId) => Effect.Effect<Account, NotFound>
  /** Every merchant's, newest first: for the operator. */
  readonly list: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>, ValidationError>
  /** What rules of other packages need to know of an account that is known to exist; dies when it does not. */
  readonly facts: (account: string) => Effect.Effect<AccountFacts>
  /** Changes what the merchant may change. With `version`, only if that is still the current one. */
  readonly update: (account: AccountId, patch: AccountPatch, version?: number) =>
    Effect.Effect<Account, NotFound | VersionConflict | InvalidState | AccountSuspended | ValidationError>
  /** Changes the fees, for captures from now on, and what is granted and forbidden, at once. With `version`, only if that is still the current one. */
  readonly setTerms: (account: AccountId, patch: TermsPatch, version?: number) => Effect.Effect<Account, NotFound | VersionConflict | InvalidState | ValidationError>
  /** Activates, suspends, reactivates or closes an account. Its keys follow at once. With `version`, only if that is still the current one. */
  readonly move: (account: AccountId, trigger: AccountMove, version?: number) => Effect.Effect<Account, NotFound | InvalidState | VersionConflict>
}>()("@svc/accounts/Accounts") {
  static readonly layer = Layer.effect(Accounts, Effect.gen(function*() {
    const within = withActor(yield* SqlClient.SqlClient)
    const releases = yield* Releases
    const repository = yield* AccountRepository
    const keys = yield* ApiKeys
    const keyRepository = yield* ApiKeyRepository
    const known = yield* KnownKeys
    const closingChecks = yield* ClosingChecks
    const settingsFollowers = yield* SettingsFollowers
    const patchChecks = yield* PatchChecks
    const { timeOf } = yield* accountTime

    const get = Effect.fn("Accounts.get")(function*(account: AccountId) {
      return (yield* repository.find(account)) ?? (yield* notFound("account"))
    })

    const open = Effect.fn("Accounts.open")(function*({ fee_tier_bps = null, name, sandbox, status = "active" }: CreateAccountRequest) {
      const at = yield* now
      const account = new Account({
        id: AccountId.make(yield* nextId("acct")),
        name,
        status,
        sandbox,
        api_key_prefix: null,
        capabilities: INITIAL_CAPABILITIES,
        restrictions: [],
        fee_tier_bps,
        payout_destination: null,
        payout_method: null,
        settlement_asset: null,
        webhook_url: null,
        settings: defaultSettings,
        api_version: CURRENT_API_VERSION,
        created_at: at,
        updated_at: at,
        version: 1
      })
      yield* Effect.orDie(within(repository.insert(account)))
      return account
    })

    const create = Effect.fn("Accounts.create")(function*(request: CreateAccountRequest) {
      const opened = yield* within(Effect.gen(function*() {
        const account = yield* open(request)
        return { account, key: yield* keys.issue({ accountId: account.id, kind: "secret", name: "First key", scopes: [] }) }
      })).pipe(Effect.orDie)
      return { account: new Account({ ...opened.account, api_key_prefix: opened.key.record.prefix }), key: opened.key }
    })

    /** Writes what was decided and makes every process read the account anew. */
    const commit = Effect.fnUntraced(function*(account: Account) {
      const hashes = yield* within(Effect.gen(function*() {
        return (yield* repository.replace(account)) ? yield* keyRepository.announce(account.id) : undefined
      })).pipe(Effect.orDie)
      if (hashes === undefined) return false
      yield* known.forget(hashes)
      return true
    })

    /** Loads, decides and commits, unless another change came between. */
    const change = Effect.fnUntraced(function*<E>(
      id: AccountId,
      decide: (account: Account) => Effect.Effect<Account, E>
    ): Effect.fn.Return<Account, E | NotFound | CommitRefused> {
      const account = yield* get(id)
      const decided = yield* decide(account)
      return decided === account || (yield* commit(decided)) ? decided : yield* lostRace()
    })

    return Accounts.of({
      open,
      create,
      get,
      list: Effect.fn("Accounts.list")(function*(filter: AccountFilter, page: PageRequest) {
        return yield* repository.list(filter, yield* Effect.fromResult(checkPage(page)))
      }),
      facts: (account) => Effect.orDie(get(AccountId.make(account))),
      update: Effect.fn("Accounts.update")(function*(id: AccountId, patch: AccountPatch, version?: number) {
        const at = yield* now
        yield* Effect.fromResult(mayPin(releases, patch.api_version, yield* realNow))
        const updated = yield* untilCommitted("account", change(id, Effect.fnUntraced(function*(account) {
          const next = yield* Effect.fromResult(Result.flatMap(atVersion("account", account, version), (current) => update(current, patch, at)))
          for (const check of patchChecks.all()) {
            const wrong = yield* check(account, next)
            if (wrong !== undefined) return yield* wrong
          }
          return next
        })))
        if (patch.settings !== undefined) yield* Effect.forEach(settingsFollowers.all(), (follow) => follow(updated), { discard: true })
        return updated
      }),
      setTerms: Effect.fn("Accounts.setTerms")(function*(id: AccountId, patch: TermsPatch, version?: number) {
        const at = yield* timeOf(id)
        yield* Effect.fromResult(mayPin(releases, patch.api_version, yield* realNow))
        return yield* untilCommitted("account", change(id, (account) =>
          Effect.fromResult(Result.flatMap(atVersion("account", account, version), (current) => setTerms(current, patch, at)))))
      }),
      move: Effect.fn("Accounts.move")(function*(id: AccountId, trigger: AccountMove, version?: number) {
        const at = yield* timeOf(id)
        return yield* untilCommitted("account", change(id, Effect.fnUntraced(function*(account) {
          yield* Effect.fromResult(atVersion("account", account, version))
          const obstacles = trigger === "close"
            ? [
              ...(yield* repository.openBalances(id)).map(inWords),
              ...(yield* Effect.forEach(closingChecks.all(), (check) => check(id))).flat()
            ]
            : []
          return yield* Effect.fromResult(move(account, trigger, obstacles, at))
        })))
      })
    })
  }))
}
