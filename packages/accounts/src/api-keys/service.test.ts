import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { makeId } from "@svc/kernel/values/ids"
import { services as all } from "@svc/testkit/services"
import { until } from "@svc/testkit/until"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountId } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import { AgentKeyRepository } from "../agent-keys/repository.ts"
import { KnownKeys } from "./known-keys.ts"
import { ApiKeyId } from "./model.ts"
import { ApiKeyRepository, CHANNEL } from "./repository.ts"
import { hashSecret } from "./secret.ts"
import { ApiKeys, type IssuedApiKey } from "./service.ts"

const services = Layer.provideMerge(ApiKeyRepository.layer, all)
/** The memory of a second process on the same database. */
const secondProcess = Effect.map(
  Layer.build(Layer.fresh(KnownKeys.layer.pipe(Layer.provide([ApiKeyRepository.layer, AgentKeyRepository.layer])))),
  Context.get(KnownKeys)
)

const firstPage = { page: 1, per_page: 20 }
const open = Effect.gen(function*() {
  const accounts = yield* Accounts
  return yield* accounts.create({ name: "Acme", sandbox: true })
})
const secretOf = ({ secret }: IssuedApiKey) => Redacted.value(secret)
const macrotask = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** Asks until the key is no longer known. The test's clock stands, so no remembered key can run out meanwhile. */
const untilForgotten = (keys: KnownKeys["Service"], secret: string) =>
  Effect.repeat(Effect.andThen(macrotask, keys.find(secret)), { until: (key) => key === undefined })

layer(services)("ApiKeys", (it) => {
  it.effect("stores the hash of a secret, never the secret", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT k.*, k::text AS everything FROM api_keys k WHERE id = ${key.record.id}`
      assert.strictEqual(row?.["hash"], hashSecret(secretOf(key)))
      assert.notInclude(String(row?.["everything"]), secretOf(key))
      assert.strictEqual(row?.["account_id"], account.id)
    }))

  it.effect("issues keys that open their account with their reach", () =>
    Effect.gen(function*() {
      const { account } = yield* open
      const [keys, known] = [yield* ApiKeys, yield* KnownKeys]
      const restricted = yield* keys.issue({ accountId: account.id, kind: "restricted", name: "Reports", scopes: ["ledger:read"] })
      const found = yield* known.find(secretOf(restricted))
      assert.strictEqual(found?._tag, "Merchant")
      if (found?._tag !== "Merchant") return
      assert.deepStrictEqual([...found.caller.scopes ?? []], ["ledger:read"])
      assert.deepInclude(found.caller, { keyId: restricted.record.id, kind: "restricted" })
      assert.deepInclude(found.caller.account, { id: account.id, sandbox: true, status: "active", fee_tier_bps: null })
      const operator = yield* keys.issue({ accountId: null, kind: "operator", name: "Console", scopes: [] })
      assert.deepInclude(yield* known.find(secretOf(operator)), { _tag: "Operator", id: operator.record.id })
    }))

  it.effect("refuses scopes that do not fit the kind, unknown accounts and closed ones", () =>
    Effect.gen(function*() {
      const { account } = yield* open
      const [accounts, keys] = [yield* Accounts, yield* ApiKeys]
      const issue = (accountId: AccountId, kind: "secret" | "restricted", scopes: ReadonlyArray<"account:read">) =>
        Effect.map(Effect.flip(keys.issue({ accountId, kind, name: "x", scopes })), ({ _tag }) => _tag)
      assert.strictEqual(yield* issue(account.id, "restricted", []), "ValidationError")
      assert.strictEqual(yield* issue(account.id, "secret", ["account:read"]), "ValidationError")
      assert.strictEqual(yield* issue(AccountId.make(makeId("acct", 0)), "secret", []), "NotFound")
      yield* accounts.move(account.id, "close")
      assert.strictEqual(yield* issue(account.id, "secret", []), "InvalidState")
    }))

  it.effect("revokes once: repeating changes nothing", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const keys = yield* ApiKeys
      yield* TestClock.adjust("1 second")
      const revoked = yield* keys.revoke(account.id, key.record.id)
      assert.strictEqual(revoked.status, "revoked")
      assert.strictEqual(revoked.version, 2)
      assert.isNotNull(revoked.revoked_at)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* keys.revoke(account.id, key.record.id), revoked)
      assert.deepStrictEqual(yield* keys.get(account.id, key.record.id), revoked)
    }))

  it.effect("many revoking at once end the key once", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const keys = yield* ApiKeys
      const all = yield* Effect.all(Array.from({ length: 20 }, () => keys.revoke(account.id, key.record.id)), { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(all.map(({ status, version }) => `${status} ${version}`)), new Set(["revoked 2"]))
    }))

  it.effect("keeps accounts apart: another's key is as unknown as none", () =>
    Effect.gen(function*() {
      const [mine, other] = [yield* open, yield* open]
      const keys = yield* ApiKeys
      const unknown = ApiKeyId.make(makeId("key", 0))
      for (const ask of [keys.get, keys.revoke]) {
        const foreign = yield* Effect.flip(ask(mine.account.id, other.key.record.id))
        assert.deepStrictEqual(foreign, yield* Effect.flip(ask(mine.account.id, unknown)))
      }
      const repository = yield* ApiKeyRepository
      for (const owner of [mine.account.id, null]) {
        assert.isUndefined(yield* repository.revoke(owner, other.key.record.id, other.key.record.created_at))
      }
      assert.strictEqual((yield* keys.get(other.account.id, other.key.record.id)).status, "active")
      const operator = yield* keys.issue({ accountId: null, kind: "operator", name: "Console", scopes: [] })
      assert.strictEqual((yield* Effect.flip(keys.get(mine.account.id, operator.record.id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(keys.get(null, mine.key.record.id)))._tag, "NotFound")
      assert.deepStrictEqual((yield* keys.list(mine.account.id, firstPage)).data.map(({ id }) => id), [mine.key.record.id])
    }))

  it.effect("lists newest first, by pages and by cursors alike", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const keys = yield* ApiKeys
      const made = yield* Effect.forEach(Array.from({ length: 6 }), (_, n) =>
        keys.issue({ accountId: account.id, kind: "secret", name: `key ${n}`, scopes: [] }))
      const ids = [key, ...made].map(({ record }) =>
        record.id
      ).reverse()
      const idsOf = (page: { readonly data: ReadonlyArray<{ readonly id: ApiKeyId }> }) => page.data.map(({ id }) => id)
      const list = (page: { readonly page?: number; readonly after?: string; readonly before?: string }) =>
        keys.list(account.id, { per_page: 3, ...page })

      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => list({ page }))
      assert.deepStrictEqual(pages.map(idsOf), [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6), []])
      assert.deepStrictEqual(pages.map((page) => page.has_more), [true, true, false, false])
      assert.deepStrictEqual(pages.map((page) => page.total), [7, 7, 7, 7])

      assert.deepStrictEqual(idsOf(yield* list({ after: ids[1] ?? "" })), ids.slice(2, 5))
      assert.deepStrictEqual(idsOf(yield* list({ before: ids[5] ?? "" })), ids.slice(2, 5))
      assert.deepInclude(yield* list({ before: ids[2] ?? "" }), { has_more: false })
      assert.strictEqual((yield* Effect.flip(list({ after: "a", before: "b" })))._tag, "ValidationError")
    }))
})

layer(services)("KnownKeys", (it) => {
  it.effect("remembers a key for seconds and asks again after them", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const [known, sql] = [yield* KnownKeys, yield* SqlClient.SqlClient]
      assert.isDefined(yield* known.find(secretOf(key)))
      // Behind the service's back, so nobody is told.
      yield* sql`UPDATE accounts SET status = 'suspended' WHERE id = ${account.id}`
      const status = Effect.map(known.find(secretOf(key)), (found) => found?._tag === "Merchant" ? found.caller.account.status : found)
      yield* TestClock.adjust("4999 millis")
      assert.strictEqual(yield* status, "active")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* status, "suspended")
    }))

  it.effect("does not remember what opened nothing", () =>
    Effect.gen(function*() {
      const [known, keys, sql] = [yield* KnownKeys, yield* ApiKeys, yield* SqlClient.SqlClient]
      const { record, secret } = yield* keys.issue({ accountId: null, kind: "operator", name: "Console", scopes: [] })
      yield* sql`UPDATE api_keys SET hash = reverse(hash) WHERE id = ${record.id}`
      assert.isUndefined(yield* known.find(Redacted.value(secret)))
      yield* sql`UPDATE api_keys SET hash = reverse(hash) WHERE id = ${record.id}`
      assert.isDefined(yield* known.find(Redacted.value(secret)))
    }))

  it.effect("hears of revocations and suspensions in another process", () =>
    Effect.gen(function*() {
      const [accounts, keys] = [yield* Accounts, yield* ApiKeys]
      const other = yield* secondProcess
      const { account, key } = yield* open
      assert.isDefined(yield* other.find(secretOf(key)))
      yield* accounts.move(account.id, "suspend")
      const statuses = Effect.map(
        other.find(secretOf(key)),
        (found) => found?._tag === "Merchant" ? found.caller.account.status : undefined
      )
      yield* Effect.repeat(Effect.andThen(macrotask, statuses), { until: (status) => status === "suspended" })
      yield* keys.revoke(account.id, key.record.id)
      yield* untilForgotten(other, secretOf(key))
    }))

  it.effect("listens again after the connection broke, and forgets what it may have missed", () =>
    Effect.gen(function*() {
      const [known, sql, pg] = [yield* KnownKeys, yield* SqlClient.SqlClient, yield* PgClient.PgClient]
      const [first, second] = [yield* open, yield* open]
      for (const { key } of [first, second]) assert.isDefined(yield* known.find(secretOf(key)))
      yield* sql`UPDATE api_keys SET status = 'revoked' WHERE id = ${first.key.record.id}`
      const broken =
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'LISTEN%'`
      assert.isAtLeast(broken.length, 1)
      // A millisecond at a time, 4 seconds at most: the memory of a key alone would last longer.
      const isForgotten = Effect.map(known.find(secretOf(first.key)), (key) => key === undefined)
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("1 millis"), Effect.andThen(macrotask, isForgotten)), {
        until: (is) => is,
        times: 4000
      })
      yield* until("what was missed is forgotten", isForgotten)
      assert.isDefined(yield* known.find(secretOf(second.key)))
      yield* sql`UPDATE api_keys SET status = 'revoked' WHERE id = ${second.key.record.id}`
      assert.isDefined(yield* known.find(secretOf(second.key)), "still remembered")
      yield* pg.notify(CHANNEL, hashSecret(secretOf(second.key)))
      yield* untilForgotten(known, secretOf(second.key))
    }))
})
