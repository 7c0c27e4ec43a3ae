/** Agent keys on a real database: their rows, their callers, how revoking and expiry reach the keys below, and their counted uses. */
import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { runDue, TimerHandlers } from "@svc/kernel/timers/timers"
import { makeId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { AccountFacts } from "../access/model.ts"
import { Accounts } from "../accounts/service.ts"
import { KnownKeys } from "../api-keys/known-keys.ts"
import { ApiKeyRepository } from "../api-keys/repository.ts"
import { hashSecret } from "../api-keys/secret.ts"
import { layerRoad } from "../fixture.ts"
import { accounts } from "../layer.ts"
import { TestClocks } from "../test-clocks/service.ts"
import { ToolCallers } from "../tool-callers/service.ts"
import { AgentKeyId, type AgentPolicy, type IssueAgentKeyRequest, MAX_CUTS } from "./model.ts"
import { AgentKeyRepository } from "./repository.ts"
import { AgentKeys, type IssuedAgentKey } from "./service/agent-keys.ts"
import { AgentKeyUses } from "./service/uses.ts"

const services = Layer.effect(TimerHandlers, accounts.timers).pipe(
  Layer.provideMerge(accounts.services),
  Layer.provide(layerRoad),
  Layer.provideMerge(Database.layer.pipe(Layer.provide(layerDatabase))),
  Layer.provide(SecureRandom.layerWebCrypto)
)

const open = Effect.fnUntraced(function*(sandbox = true) {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox })).account
})
const issue = Effect.fnUntraced(function*(account: AccountFacts, more: Partial<IssueAgentKeyRequest> = {}) {
  return yield* (yield* AgentKeys).issue(account, { name: "Agent", ...more })
})
const cut = (account: AccountFacts, { key }: IssuedAgentKey, policy: AgentPolicy = {}) => issue(account, { parent_id: key.id, policy })
const tokenOf = ({ token }: IssuedAgentKey) => Redacted.value(token)
const callerOf = Effect.fnUntraced(function*(issued: IssuedAgentKey) {
  return yield* (yield* ToolCallers).find(tokenOf(issued))
})
const isRefused = (issued: IssuedAgentKey) => Effect.map(Effect.result(callerOf(issued)), ({ _tag }) => _tag === "Failure")
const statusOf = Effect.fnUntraced(function*({ key }: IssuedAgentKey) {
  return (yield* (yield* AgentKeys).get(key.account_id, key.id)).key.status
})
const macrotask = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

layer(services, { timeout: "60 seconds" })("AgentKeys", (it) => {
  it.effect("stores the hash of a token, never the token", () =>
    Effect.gen(function*() {
      const issued = yield* issue(yield* open())
      const token = tokenOf(issued)
      assert.match(token, /^agk_test_[0-9A-Za-z]{32}$/)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT k.hash, k::text AS everything FROM agent_keys k WHERE id = ${issued.key.id}`
      assert.strictEqual(row?.["hash"], hashSecret(token))
      assert.notInclude(String(row?.["everything"]), token)
      assert.match(tokenOf(yield* issue(yield* open(false))), /^agk_live_/)
    }))

  it.effect("says who calls with a key: its policy within those above it, and the budgets of each level", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const first = yield* issue(account, {
        policy: { allowed_tools: ["get_quote", "ping_payment"], rate_limit_per_minute: 9, budgets: { day: 100 } }
      })
      const second = yield* cut(account, first, { budgets: { day: 50, hour: 10 } })
      const third = yield* cut(account, second, { allowed_tools: ["ping_payment"], max_amount_minor_cents: 5 })
      const caller = yield* callerOf(third)
      assert.deepInclude(caller.account, { id: account.id, sandbox: true, status: "active" })
      const chain = [
        { id: third.key.id, budgets: { day: 50, hour: 10 }, rate_limit_per_minute: 9 },
        { id: second.key.id, budgets: { day: 50, hour: 10 }, rate_limit_per_minute: 9 },
        { id: first.key.id, budgets: { day: 100 }, rate_limit_per_minute: 9 }
      ]
      const policy = {
        allowed_tools: ["ping_payment"],
        max_amount_minor_cents: 5,
        rate_limit_per_minute: 9,
        budgets: { day: 50, hour: 10 }
      }
      assert.deepStrictEqual(caller.credential, { kind: "agent_key", id: third.key.id, policy, chain })
      // The owner takes a permission from the first key: all keys below lose the permission at once.
      yield* (yield* AgentKeys).update(account.id, first.key.id, { policy: { allowed_tools: ["get_quote"], budgets: { day: 20 } } })
      const { credential } = yield* callerOf(third)
      assert(credential.kind === "agent_key")
      assert.deepStrictEqual(credential.policy, { ...policy, allowed_tools: [], budgets: { day: 20, hour: 10 } })
      assert.deepStrictEqual(credential.chain[2], { id: first.key.id, budgets: { day: 20 } })
    }))

  it.effect("ends what was cut from a key with it, and nothing else", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const first = yield* issue(account)
      const [left, right] = [yield* cut(account, first), yield* cut(account, first)]
      const below = yield* cut(account, left)
      const apart = yield* issue(account)
      for (const one of [first, left, right, below, apart]) yield* callerOf(one)
      const keys = yield* AgentKeys
      yield* keys.revoke(account.id, left.key.id)
      assert.deepStrictEqual(yield* Effect.forEach([first, left, right, below, apart], statusOf), [
        "active",
        "revoked",
        "active",
        "revoked",
        "active"
      ])
      assert.deepStrictEqual(yield* Effect.forEach([first, left, right, below, apart], isRefused), [false, true, false, true, false])
      const { key: again } = yield* keys.revoke(account.id, left.key.id)
      assert.deepInclude(again, { status: "revoked", version: (yield* keys.get(account.id, left.key.id)).key.version })
      yield* keys.revoke(account.id, first.key.id)
      assert.deepStrictEqual(yield* Effect.forEach([first, left, right, below, apart], statusOf), [
        "revoked",
        "revoked",
        "revoked",
        "revoked",
        "active"
      ])
      const sql = yield* SqlClient.SqlClient
      const timers = yield* sql`SELECT resource_id FROM timers WHERE account_id = ${account.id}`
      assert.deepStrictEqual(timers.map((row) => row["resource_id"]), [apart.key.id], "nothing waits for what has ended")
    }))

  it.effect("is refused from the moment it ends, and its timer ends it with what was cut from it", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const first = yield* issue(account)
      const below = yield* cut(account, first)
      yield* callerOf(below)
      yield* TestClock.adjust("23 hours")
      assert.isFalse(yield* isRefused(below))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([yield* isRefused(first), yield* isRefused(below), yield* statusOf(first)], [true, true, "active"])
      yield* runDue(yield* DateTime.now, { account_id: account.id })
      assert.deepStrictEqual([yield* statusOf(first), yield* statusOf(below)], ["expired", "expired"])
      const { key } = yield* (yield* AgentKeys).revoke(account.id, first.key.id)
      assert.strictEqual(key.status, "expired")
    }))

  it.effect("goes by the clock of its account", () =>
    Effect.gen(function*() {
      const account = yield* open()
      yield* (yield* TestClocks).create(account)
      const sql = yield* SqlClient.SqlClient
      const issued = yield* issue(account)
      assert.strictEqual((yield* callerOf(issued)).clocked, true)
      yield* TestClock.adjust("25 hours")
      assert.isFalse(yield* isRefused(issued), "the world's day means nothing to it")
      yield* sql`UPDATE account_clocks SET present = present + interval '25 hours' WHERE account_id = ${account.id}`
      assert.isTrue(yield* isRefused(issued))
    }))

  it.effect("never has more keys cut from it than it may, nor one that outlives it, whoever asks at once", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const first = yield* issue(account)
      const tries = yield* Effect.forEach(Array.from({ length: MAX_CUTS + 8 }), () => Effect.result(cut(account, first)), {
        concurrency: "unbounded"
      })
      assert.lengthOf(tries.filter(({ _tag }) => _tag === "Success"), MAX_CUTS)
      const other = yield* issue(account)
      const [cuts] = yield* Effect.all([
        Effect.forEach(Array.from({ length: 8 }), () => Effect.result(cut(account, other)), { concurrency: "unbounded" }),
        (yield* AgentKeys).revoke(account.id, other.key.id)
      ], { concurrency: "unbounded" })
      assert.isNotEmpty(cuts)
      const sql = yield* SqlClient.SqlClient
      assert.isEmpty(
        yield* sql`SELECT id FROM agent_keys WHERE account_id = ${account.id} AND parent_id = ${other.key.id} AND status = 'active'`
      )
    }))

  it.effect("has nobody else's keys to cut from, and finds nobody else's", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* open(), yield* open()]
      const { key } = yield* issue(theirs)
      const unknown = AgentKeyId.make(makeId("agk", 0))
      const refusals = yield* Effect.forEach([key.id, unknown], (parent_id) => Effect.flip(issue(mine, { parent_id })))
      assert.deepStrictEqual(refusals.map((error) => [error._tag, error.message]), [["ValidationError", refusals[1]?.message], [
        "ValidationError",
        refusals[1]?.message
      ]])
      const keys = yield* AgentKeys
      for (const id of [key.id, unknown]) {
        assert.strictEqual((yield* Effect.flip(keys.get(mine.id, id)))._tag, "NotFound")
        assert.strictEqual((yield* Effect.flip(keys.revoke(mine.id, id)))._tag, "NotFound")
      }
    }))

  it.effect("follows its account at once", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const issued = yield* issue(account)
      assert.strictEqual((yield* callerOf(issued)).account.status, "active")
      yield* (yield* Accounts).move(account.id, "suspend")
      assert.strictEqual((yield* callerOf(issued)).account.status, "suspended")
      yield* (yield* Accounts).move(account.id, "close")
      assert.strictEqual((yield* Effect.flip(issue({ ...account, status: "closed" })))._tag, "InvalidState")
    }))

  it.effect("is forgotten by other processes soon after it was revoked", () =>
    Effect.scoped(Effect.gen(function*() {
      const other = Context.get(
        yield* Layer.build(Layer.fresh(KnownKeys.layer.pipe(Layer.provide([ApiKeyRepository.layer, AgentKeyRepository.layer])))),
        KnownKeys
      )
      const account = yield* open()
      const first = yield* issue(account)
      const below = yield* cut(account, first)
      assert.strictEqual((yield* other.find(tokenOf(below)))?._tag, "Agent")
      yield* (yield* AgentKeys).revoke(account.id, first.key.id)
      // The test's clock stands still, so no remembered key runs out meanwhile.
      yield* Effect.repeat(Effect.andThen(macrotask, other.find(tokenOf(below))), { until: (key) => key === undefined })
    })))
})

layer(services, { timeout: "60 seconds" })("the uses of agent keys", (it) => {
  it.effect("are counted together and written within a second, in the account's time", () =>
    Effect.gen(function*() {
      const [uses, keys] = [yield* AgentKeyUses, yield* AgentKeys]
      const account = yield* open()
      const [one, other] = [yield* issue(account), yield* issue(account)]
      const found = ({ key }: IssuedAgentKey) => Effect.map(keys.get(account.id, key.id), (used) => used.uses)
      yield* uses.used(account.id, one.key.id)
      yield* TestClock.adjust("10 millis")
      yield* Effect.forEach([one, one, other], ({ key }) => uses.used(account.id, key.id))
      assert.deepStrictEqual(yield* found(one), { calls: 0, last_used_at: null })
      const at = yield* DateTime.now
      yield* uses.flush
      assert.deepStrictEqual(yield* found(one), { calls: 3, last_used_at: at })
      assert.deepStrictEqual((yield* keys.list(account.id, { per_page: 10 })).data.map(({ uses: { calls } }) => calls), [1, 3])
      yield* TestClock.adjust("1 hour")
      yield* uses.used(account.id, one.key.id)
      yield* TestClock.adjust("1 second")
      yield* Effect.repeat(Effect.andThen(macrotask, found(one)), { until: ({ calls }) => calls === 4 })
    }))

  it.effect("are added up over processes, and not lost when the database does not take them at first", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const { key } = yield* issue(account)
      const [sql, keys] = [yield* SqlClient.SqlClient, yield* AgentKeys]
      yield* Effect.scoped(Effect.gen(function*() {
        const processes = yield* Effect.forEach([1, 2], () =>
          Effect.map(Layer.build(Layer.fresh(AgentKeyUses.layer.pipe(Layer.provide(AgentKeyRepository.layer)))), Context.get(AgentKeyUses)))
        yield* sql`ALTER TABLE agent_key_uses RENAME TO away`
        for (const { flush, used } of processes) {
          yield* used(account.id, key.id)
          yield* flush
        }
        yield* sql`ALTER TABLE away RENAME TO agent_key_uses`
        // A process writes the counts that are left when it stops.
        for (const { used } of processes) {
          yield* used(account.id, key.id)
        }
      }))
      assert.strictEqual((yield* keys.get(account.id, key.id)).uses.calls, 4)
    }))
})
