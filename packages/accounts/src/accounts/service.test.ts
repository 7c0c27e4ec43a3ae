import { assert, layer } from "@effect/vitest"
import { contribute } from "@svc/kernel/parts/contributions"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { makeId } from "@svc/kernel/values/ids"
import { services } from "@svc/testkit/services"
import { DateTime, Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { KnownKeys } from "../api-keys/known-keys.ts"
import { ApiKeys } from "../api-keys/service.ts"
import { AccountId, AccountSuspended } from "./model.ts"
import { Accounts, ClosingChecks } from "./service.ts"

const open = Effect.gen(function*() {
  const accounts = yield* Accounts
  return yield* accounts.create({ name: "Acme", sandbox: true })
})

layer(services)("Accounts", (it) => {
  it.effect("opens an account with an empty ledger and a key that works", () =>
    Effect.gen(function*() {
      const [accounts, known, sql] = [yield* Accounts, yield* KnownKeys, yield* SqlClient.SqlClient]
      yield* TestClock.adjust("1 second")
      const { account, key } = yield* accounts.create({ name: "Acme", sandbox: false, fee_tier_bps: 150 })
      assert.deepStrictEqual(yield* accounts.get(account.id), account)
      assert.deepInclude(account, { name: "Acme", status: "active", sandbox: false, fee_tier_bps: 150, webhook_url: null, version: 1 })
      assert.strictEqual(DateTime.formatIso(account.created_at), "1970-01-01T00:00:01.000Z")
      const heads = yield* sql`SELECT ledger_seq, ledger_hash, event_seq FROM account_heads WHERE account_id = ${account.id}`
      assert.deepStrictEqual([...heads], [{ ledger_seq: 0, ledger_hash: "0".repeat(64), event_seq: 0 }])
      const secret = Redacted.value(key.secret)
      assert.isTrue(secret.startsWith("sk_live_"))
      assert.isTrue(secret.startsWith(account.api_key_prefix ?? "none"))
      const found = yield* known.find(secret)
      assert.strictEqual(found?._tag === "Merchant" ? found.caller.account.id : found?._tag, account.id)
      assert.deepInclude(yield* accounts.facts(account.id), { id: account.id, fee_tier_bps: 150 })
    }))

  it.effect("opens nothing when a part of it fails", () =>
    Effect.gen(function*() {
      const [accounts, sql] = [yield* Accounts, yield* SqlClient.SqlClient]
      const count = sql`SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM account_heads) AS heads`
      const before = yield* count
      yield* sql`ALTER TABLE api_keys ADD CONSTRAINT no_keys CHECK (id = '') NOT VALID`
      const exit = yield* Effect.exit(accounts.create({ name: "Acme", sandbox: true }))
      yield* sql`ALTER TABLE api_keys DROP CONSTRAINT no_keys`
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(yield* count, before)
    }))

  it.effect("derives the key's prefix and the webhook address", () =>
    Effect.gen(function*() {
      const [accounts, keys, sql] = [yield* Accounts, yield* ApiKeys, yield* SqlClient.SqlClient]
      const { account, key } = yield* open
      const prefix = Effect.map(accounts.get(account.id), (read) => read.api_key_prefix)
      const second = yield* keys.issue({ accountId: account.id, kind: "secret", name: "second", scopes: [] })
      yield* keys.issue({ accountId: account.id, kind: "restricted", name: "third", scopes: ["account:read"] })
      assert.strictEqual(yield* prefix, second.record.prefix, "the newest secret key")
      yield* keys.revoke(account.id, second.record.id)
      assert.strictEqual(yield* prefix, key.record.prefix)
      yield* keys.revoke(account.id, key.record.id)
      assert.isNull(yield* prefix)
      yield* sql`INSERT INTO webhook_endpoints (account_id, url, secret, schedule, created_at, updated_at, version)
        VALUES (${account.id}, 'https://example.com/hook', 's', 'standard', now(), now(), 1)`
      assert.strictEqual((yield* accounts.get(account.id)).webhook_url, "https://example.com/hook")
    }))

  it.effect("updates what is named, at the version that was read", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account } = yield* open
      yield* TestClock.adjust("1 second")
      const updated = yield* accounts.update(account.id, { payout_method: "usdc_wallet", settlement_asset: "USDC" }, 1)
      assert.deepInclude(updated, { name: "Acme", payout_method: "usdc_wallet", settlement_asset: "USDC", version: 2 })
      assert.deepStrictEqual(yield* accounts.get(account.id), updated)
      assert.isTrue(DateTime.isGreaterThan(updated.updated_at, account.updated_at))
      const refused = yield* Effect.flip(accounts.update(account.id, { name: "late" }, 1))
      assert.instanceOf(refused, VersionConflict)
      assert.strictEqual((yield* accounts.get(account.id)).name, "Acme")
      assert.deepStrictEqual(yield* accounts.update(account.id, {}), updated)
    }))

  it.effect("loses no update, and with a version only one of many succeeds", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account } = yield* open
      const racers = Array.from({ length: 12 }, (_, n) => `name ${n}`)
      const results = yield* Effect.forEach(racers, (name) => Effect.result(accounts.update(account.id, { name }, 1)), {
        concurrency: "unbounded"
      })
      const won = results.filter(Result.isSuccess)
      assert.strictEqual(won.length, 1)
      for (const result of results) if (Result.isFailure(result)) assert.instanceOf(result.failure, VersionConflict)
      assert.deepStrictEqual(yield* accounts.get(account.id), won[0]?.success)

      // Different fields, no version: both must be there at the end.
      yield* Effect.all([accounts.update(account.id, { name: "both" }), accounts.update(account.id, { payout_method: "usdc_wallet" })], {
        concurrency: 2
      })
      assert.deepInclude(yield* accounts.get(account.id), { name: "both", payout_method: "usdc_wallet", version: 4 })
    }))

  it.effect("suspends and reactivates, and its keys know at once", () =>
    Effect.gen(function*() {
      const [accounts, known] = [yield* Accounts, yield* KnownKeys]
      const { account, key } = yield* open
      const status = Effect.map(known.find(Redacted.value(key.secret)), (found) =>
        found?._tag === "Merchant" ? found.caller.account.status : undefined)
      assert.strictEqual(yield* status, "active")
      yield* accounts.move(account.id, "suspend")
      assert.strictEqual(yield* status, "suspended")
      assert.instanceOf(yield* Effect.flip(accounts.update(account.id, { payout_destination: "ti_thief" })), AccountSuspended)
      assert.instanceOf(yield* Effect.flip(accounts.move(account.id, "suspend")), InvalidState)
      yield* accounts.move(account.id, "reactivate")
      assert.strictEqual(yield* status, "active")
    }))

  it.effect("activates an account that was opened pending", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account } = yield* accounts.create({ name: "Acme", sandbox: false, status: "pending" })
      assert.strictEqual(account.status, "pending")
      assert.strictEqual((yield* accounts.move(account.id, "activate")).status, "active")
    }))

  it.effect("closes only when all balances are zero, and for good", () =>
    Effect.gen(function*() {
      const [accounts, sql] = [yield* Accounts, yield* SqlClient.SqlClient]
      const { account } = yield* open
      const balance = (available: number, pending: number, reserved: number) =>
        sql`INSERT INTO balance_accounts (account_id, currency, id, available, pending, reserved, updated_at)
          VALUES (${account.id}, 'EUR', ${makeId("ba", 0)}, ${available}, ${pending}, ${reserved}, now())
          ON CONFLICT (account_id, currency) DO UPDATE SET available = excluded.available, pending = excluded.pending, reserved = excluded.reserved`
      for (const [available, pending, reserved] of [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]] as const) {
        yield* balance(available, pending, reserved)
        const refused = yield* Effect.flip(accounts.move(account.id, "close"))
        assert.instanceOf(refused, InvalidState)
        assert.include(refused.message, `available ${available}, pending ${pending}, reserved ${reserved}`)
      }
      yield* balance(0, 0, 0)
      assert.strictEqual((yield* accounts.move(account.id, "close")).status, "closed")
      for (const trigger of ["activate", "suspend", "reactivate", "close"] as const) {
        assert.instanceOf(yield* Effect.flip(accounts.move(account.id, trigger)), InvalidState)
      }
      assert.instanceOf(yield* Effect.flip(accounts.update(account.id, { name: "again" })), InvalidState)
    }))

  it.effect("knows nothing of an account that does not exist", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const id = AccountId.make(makeId("acct", 0))
      assert.instanceOf(yield* Effect.flip(accounts.get(id)), NotFound)
      assert.instanceOf(yield* Effect.flip(accounts.move(id, "suspend")), NotFound)
      assert.instanceOf(yield* Effect.flip(accounts.update(id, { name: "x" })), NotFound)
    }))
})

/** Two parts of packages above. The second needs a service of the package that it contributes to. */
const disputes = contribute(ClosingChecks, Effect.succeed([() => Effect.succeed(["1 dispute is open"])]))
const subscriptions = contribute(
  ClosingChecks,
  Effect.map(Accounts, (accounts) => [
    (account: AccountId) => Effect.map(Effect.orDie(accounts.get(account)), ({ name }) => [`${name} has 2 active subscriptions`])
  ])
)

const withChecks = Layer.merge(disputes, subscriptions).pipe(Layer.provideMerge(services))

layer(withChecks)("what other packages hold against closing", (it) => {
  it.effect("stands in the way, all of it", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account } = yield* open
      const refused = yield* Effect.flip(accounts.move(account.id, "close"))
      assert.include(refused.message, "1 dispute is open")
      assert.include(refused.message, `${account.name} has 2 active subscriptions`)
    }))
})
