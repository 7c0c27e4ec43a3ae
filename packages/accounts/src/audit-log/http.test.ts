import { assert, it as plainly, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { PaginatedList } from "@svc/kernel/resource/pages"
import { makeId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Client, layer as layerApi, open, operator, readError, reads, seen, type TestRequest } from "../fixture.ts"
import { AuditEntry } from "./model.ts"
import { differing } from "./rules.ts"

const services = layerApi.pipe(Layer.provideMerge(Database.layer), Layer.provide(layerDatabase))

const readList = reads(PaginatedList(AuditEntry, "AuditLog"))
const readEntry = reads(AuditEntry)

const logOf = Effect.fnUntraced(function*(key: TestRequest["key"], query = "") {
  const { send } = yield* Client
  const answer = yield* send("GET", `/v1/audit_log?per_page=100${query}`, key === undefined ? {} : { key })
  assert.strictEqual(answer.status, 200, answer.text)
  return readList(answer).data
})

plainly("shows of a field that holds fields those that differ, and moments as the rest of the API does", () => {
  const before = {
    status: "active",
    settings: { fee_bps: 290, payouts: { schedule: "manual", minimum: 100 }, routing: [] },
    ended_at: null
  }
  const after = {
    status: "closed",
    settings: { fee_bps: 290, payouts: { schedule: "daily", minimum: 100 }, routing: [1] },
    ended_at: "2026-01-01T12:00:00.5+00:00"
  }
  assert.deepStrictEqual(differing(before, after), {
    status: "active",
    settings: { payouts: { schedule: "manual" }, routing: [] },
    ended_at: null
  })
  assert.deepStrictEqual(differing(after, before), {
    status: "closed",
    settings: { payouts: { schedule: "daily" }, routing: [1] },
    ended_at: "2026-01-01T12:00:00.500Z"
  })
  assert.isNull(differing(null, after))
  assert.deepStrictEqual(differing(after, null), { ...after, ended_at: "2026-01-01T12:00:00.500Z" })
})

layer(services)("the audit log", (it) => {
  it.effect("says who changed what, from what to what, and nothing of what stayed", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      yield* send("PATCH", "/v1/account", { key: key.secret, body: { name: "Acme & Co", settings: { payouts: { schedule: "daily" } } } })
      yield* send("POST", `/v1/accounts/${account.id}/suspend`, { key: yield* operator })
      const [suspended, updated, keyed, opened, ...others] = yield* logOf(key.secret)
      assert.isEmpty(others)
      const common = { account_id: account.id, resource_type: "account", resource_id: account.id }
      assert.deepInclude(suspended, {
        ...common,
        action: "account.updated",
        actor_type: "operator_key",
        operation: "POST /v1/accounts/:id/suspend",
        before: { status: "active" },
        after: { status: "suspended" }
      })
      assert.deepInclude(updated, {
        ...common,
        actor_type: "api_key",
        actor_id: key.record.id,
        operation: "PATCH /v1/account",
        before: { name: "Acme", settings: { payouts: { schedule: "manual" } } },
        after: { name: "Acme & Co", settings: { payouts: { schedule: "daily" } } }
      })
      assert.deepInclude(keyed, { action: "api_key.created", resource_id: key.record.id, actor_type: "system", before: null })
      assert.deepInclude(keyed?.after, { hash: "hidden", prefix: key.record.prefix })
      assert.deepInclude(opened, { ...common, action: "account.created", before: null })
      assert.deepStrictEqual(readEntry(yield* send("GET", `/v1/audit_log/${String(suspended?.id)}`, { key: key.secret })), suspended)
    }))

  it.effect("has what was tried and refused in no entry, and what changed nothing neither", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key } = yield* open
      const before = yield* logOf(key.secret)
      for (const body of [{ name: "" }, { name: "Other", version: 7 }, { name: "Acme" }, {}]) {
        yield* send("PATCH", "/v1/account", { key: key.secret, body })
      }
      assert.deepStrictEqual(yield* logOf(key.secret), before)
    }))

  it.effect("is narrowed by action, resource, maker and time, and read by cursor", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      for (const name of ["One", "Two", "Three"]) yield* send("PATCH", "/v1/account", { key: key.secret, body: { name } })
      yield* send("POST", "/v1/api_keys", { key: key.secret, body: { name: "Reports", kind: "restricted", scopes: ["ledger:read"] } })
      const all = yield* logOf(key.secret)
      assert.strictEqual(all.length, 6)
      const count = (query: string) => Effect.map(logOf(key.secret, query), ({ length }) => length)
      assert.strictEqual(yield* count("&action=account.updated"), 3)
      assert.strictEqual(yield* count(`&resource_id=${account.id}`), 4)
      assert.strictEqual(yield* count(`&actor_id=${key.record.id}`), 4)
      assert.strictEqual(yield* count("&created_at[gte]=2020-01-01&created_at[lt]=2020-01-02"), 0)
      assert.deepStrictEqual(yield* logOf(key.secret, `&after=${String(all[1]?.id)}`), all.slice(2))
      const refused = yield* send("GET", "/v1/audit_log?action=everything", { key: key.secret })
      assert.deepStrictEqual([refused.status, readError(refused).code], [400, "action"])
    }))

  it.effect("is shown to its account and the operator, and to nobody else", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const [mine, other] = [yield* open, yield* open]
      const [entry] = yield* logOf(other.key.secret)
      const ask = (id: string) => Effect.map(send("GET", `/v1/audit_log/${id}`, { key: mine.key.secret }), seen)
      assert.deepStrictEqual(yield* ask(String(entry?.id)), yield* ask(makeId("aud", 0)))
      assert.isEmpty(yield* logOf(mine.key.secret, `&resource_id=${other.account.id}`))
      assert.isEmpty(yield* logOf(mine.key.secret, `&merchant_id=${other.account.id}`))
      assert.deepStrictEqual(yield* logOf(yield* operator, `&merchant_id=${other.account.id}`), yield* logOf(other.key.secret))
      const made = yield* send("POST", "/v1/api_keys", {
        key: mine.key.secret,
        body: { name: "Reports", kind: "restricted", scopes: ["ledger:read"] }
      })
      const secret = made.json !== null && typeof made.json === "object" && "secret" in made.json ? String(made.json.secret) : ""
      assert.strictEqual((yield* send("GET", "/v1/audit_log", { key: Redacted.make(secret) })).status, 403)
    }))

  it.effect("only grows, whoever asks; and a change by hand is in it, too", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { account, key } = yield* open
      for (const act of [sql`UPDATE audit_log SET actor_id = 'nobody'`, sql`DELETE FROM audit_log`, sql`TRUNCATE audit_log`]) {
        const refused = yield* Effect.result(act)
        assert.isTrue(Result.isFailure(refused))
      }
      yield* sql`UPDATE accounts SET fee_tier_bps = 1 WHERE id = ${account.id}`
      const [byHand] = yield* logOf(key.secret)
      assert.deepInclude(byHand, { actor_type: "database", operation: null, before: { fee_tier_bps: null }, after: { fee_tier_bps: 1 } })
    }))

  it.effect("of a change that was not made in the end has nothing", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { account, key } = yield* open
      const before = yield* logOf(key.secret)
      yield* Effect.ignore(
        sql.withTransaction(Effect.andThen(sql`UPDATE accounts SET name = 'Other' WHERE id = ${account.id}`, Effect.fail("given up")))
      )
      assert.deepStrictEqual(yield* logOf(key.secret), before)
    }))
})
