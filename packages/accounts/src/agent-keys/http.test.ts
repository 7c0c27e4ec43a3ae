/** Agent keys over HTTP: issuing, listing, changing and revoking, and that keys of the tool server open no route of the payments API. */
import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import type { ApiKeyScope } from "../access/model.ts"
import { ApiKeyIssued } from "../api-keys/model.ts"
import { ApiKeys } from "../api-keys/service.ts"
import { Client, layer as layerApi, open, readError, reads, seen, type TestRequest } from "../fixture.ts"
import { AgentKeyList } from "./api.ts"
import { AgentKeyIssued, AgentKeyRecord, type AgentPolicy } from "./model.ts"

const services = layerApi.pipe(Layer.provideMerge(Database.layer), Layer.provideMerge(layerDatabase))

const readIssued = reads(AgentKeyIssued)
const readRecord = reads(AgentKeyRecord)
const readList = reads(AgentKeyList)
const readKey = reads(ApiKeyIssued)

/** A sandbox account, and a function that sends requests with its secret key. */
const merchant = Effect.gen(function*() {
  const { send } = yield* Client
  const { account, key: { secret } } = yield* open
  return { account, send: (method: string, path: string, asked: TestRequest = {}) => send(method, `/v1${path}`, { key: secret, ...asked }) }
})

layer(services)("agent keys over HTTP", (it) => {
  it.effect("are issued once with their token, and listed under the contract's names without it", () =>
    Effect.gen(function*() {
      const { account, send } = yield* merchant
      const policy = { allowed_tools: ["get_quote"], budgets: { day: 100 } }
      const answer = yield* send("POST", "/agent_keys", { body: { name: "Agent", policy } })
      assert.strictEqual(answer.status, 201, answer.text)
      const issued = readIssued(answer)
      assert.match(Redacted.value(issued.token), /^agk_test_/)
      assert.deepInclude(issued, { name: "Agent", status: "active", policy, parent_id: null })
      assert.strictEqual((issued.expires_at?.epochMilliseconds ?? 0) - issued.created_at.epochMilliseconds, 24 * 3_600_000)
      const list = yield* send("GET", "/agent_keys")
      const { agent_keys: [record], has_more, total } = readList(list)
      assert.deepStrictEqual([total, has_more], [1, false])
      assert.deepInclude(record, {
        ID: issued.id,
        MerchantID: account.id,
        Name: "Agent",
        Status: "active",
        IsSandbox: true,
        CallCount: 0,
        LastUsedAt: null,
        Policy: policy,
        Version: 1
      })
      assert.deepStrictEqual(readRecord(yield* send("GET", `/agent_keys/${issued.id}`)), record)
      for (const { text } of [list, yield* send("GET", `/agent_keys/${issued.id}`)]) assert.notInclude(text, Redacted.value(issued.token))
      const cut = readIssued(yield* send("POST", "/agent_keys", { body: { name: "Helper", parent_id: issued.id } }))
      assert.deepInclude(cut, { parent_id: issued.id, policy, expires_at: issued.expires_at })
    }))

  it.effect("change by version, and end for good", () =>
    Effect.gen(function*() {
      const { send } = yield* merchant
      const { id } = readIssued(yield* send("POST", "/agent_keys", { body: { name: "Agent" } }))
      const changed = readRecord(
        yield* send("PATCH", `/agent_keys/${id}`, { body: { policy: { rate_limit_per_minute: 3 } }, headers: { "if-match": "1" } })
      )
      assert.deepInclude(changed, { Policy: { rate_limit_per_minute: 3 }, Version: 2, Name: "Agent" })
      assert.strictEqual(
        readError(yield* send("PATCH", `/agent_keys/${id}`, { body: { name: "Other", version: 1 } })).error,
        "version_conflict"
      )
      const revoked = yield* send("POST", `/agent_keys/${id}/revoke`)
      assert.deepInclude(readRecord(revoked), { Status: "revoked", Version: 3 })
      assert.deepStrictEqual((yield* send("POST", `/agent_keys/${id}/revoke`)).text, revoked.text)
      const refused = yield* send("PATCH", `/agent_keys/${id}`, { body: { name: "Other" } })
      assert.deepStrictEqual([refused.status, readError(refused).error], [409, "invalid_state"])
    }))

  it.effect("are refused by the field that is wrong", () =>
    Effect.gen(function*() {
      const { send } = yield* merchant
      const { id } = readIssued(yield* send("POST", "/agent_keys", { body: { name: "Agent", policy: { budgets: { day: 5 } } } }))
      for (
        const [body, code] of [
          [{ name: "x", policy: { allowed_currencies: ["usd"] } }, "policy.allowed_currencies.0"],
          [{ name: "x", policy: { allowed_tools: ["get_quote", "get_quote"] } }, "policy.allowed_tools"],
          [{ name: "x", policy: { allowed_tools: ["Get Quote"] } }, "policy.allowed_tools.0"],
          [{ name: "x", policy: { max_amount_minor_cents: -1 } }, "policy.max_amount_minor_cents"],
          [{ name: "x", policy: { rate_limit_per_minute: 1.5 } }, "policy.rate_limit_per_minute"],
          [{ name: "x", policy: { budgets: { week: 1 } } }, "policy.budgets.week"],
          [{ name: "x", parent_id: id, policy: { budgets: { day: 6 } } }, "policy.budgets.day"],
          [{ name: "x", parent_id: "agk_01KDV8Q400ABCDEFGHJKMNPQRS" }, "parent_id"],
          [{ name: "x", expires_at: "1969-12-31T00:00:00Z" }, "expires_at"],
          [{ name: "x", expires_at: "2001-01-01T00:00:00Z" }, "expires_at"],
          [{}, "name"]
        ] as const
      ) {
        const answer = yield* send("POST", "/agent_keys", { body })
        assert.deepStrictEqual([answer.status, readError(answer).code], [400, code], answer.text)
      }
    }))

  it.effect("and tool keys open nothing on this side, and are told where they do", () =>
    Effect.gen(function*() {
      const { account, send } = yield* merchant
      const tool = readKey(yield* send("POST", "/api_keys", { body: { name: "Tools", kind: "tool" } }))
      assert.deepInclude(tool, { kind: "tool", scopes: [] })
      assert.match(Redacted.value(tool.secret), /^svck_test_/)
      const agent = readIssued(yield* send("POST", "/agent_keys", { body: { name: "Agent" } }))
      for (const key of [tool.secret, agent.token]) {
        for (
          const [method, path] of [["GET", "/account"], ["GET", "/agent_keys"], ["POST", "/api_keys"], [
            "POST",
            `/accounts/${account.id}/close`
          ]] as const
        ) {
          const answer = yield* send(method, path, { key, ...(method === "POST" ? { body: {} } : {}) })
          assert.strictEqual(answer.status, 403, `${method} ${path}: ${answer.text}`)
        }
        assert.match(readError(yield* send("GET", "/account", { key })).message, /opens the tool server.*secret key/)
      }
      yield* send("POST", `/agent_keys/${agent.id}/revoke`)
      yield* send("POST", `/api_keys/${tool.id}/revoke`)
      const gone = seen(yield* send("GET", "/account", { key: agent.token }))
      assert.strictEqual(gone.status, 401)
      assert.deepStrictEqual(seen(yield* send("GET", "/account", { key: tool.secret })), gone)
    }))

  it.effect("need their scopes, and a restricted key makes no tool key", () =>
    Effect.gen(function*() {
      const { account, send } = yield* merchant
      const { secret } = yield* (yield* ApiKeys).issue({
        accountId: account.id,
        kind: "restricted",
        name: "r",
        scopes: ["agent_keys:read", "api_keys:write"]
      })
      const asked = (path: string, body: object) => Effect.map(send("POST", path, { key: secret, body }), ({ status }) => status)
      assert.strictEqual((yield* send("GET", "/agent_keys", { key: secret })).status, 200)
      assert.strictEqual(yield* asked("/agent_keys", { name: "x" }), 403)
      assert.strictEqual(yield* asked("/api_keys", { name: "x", kind: "tool" }), 403)
    }))

  it.effect("are made by a restricted key for what it may do itself, and for nothing more", () =>
    Effect.gen(function*() {
      const { account, send } = yield* merchant
      const restricted = Effect.fnUntraced(function*(...scopes: ReadonlyArray<ApiKeyScope>) {
        const { secret } = yield* (yield* ApiKeys).issue({
          accountId: account.id,
          kind: "restricted",
          name: "r",
          scopes: ["agent_keys:write", ...scopes]
        })
        return (method: string, path: string, body: object) => send(method, path, { key: secret, body })
      })
      const [small, payer] = [yield* restricted(), yield* restricted("payment_intents:write")]
      const policies: ReadonlyArray<readonly [policy: AgentPolicy | undefined, small: number, payer: number]> = [
        [undefined, 403, 403],
        [{}, 403, 403],
        [{ max_amount_minor_cents: 1 }, 403, 403],
        [{ allowed_tools: ["execute_payment"] }, 403, 201],
        [{ allowed_tools: ["svc_validate", "execute_payment"], budgets: { life: 1 } }, 403, 201],
        [{ allowed_tools: ["get_quote"] }, 403, 403],
        [{ allowed_tools: ["a_tool_of_tomorrow"] }, 403, 403],
        [{ allowed_tools: ["svc_validate"] }, 201, 201],
        [{ allowed_tools: [] }, 201, 201]
      ]
      for (const [policy, ofSmall, ofPayer] of policies) {
        const body = { name: "x", ...(policy === undefined ? {} : { policy }) }
        const statuses = [yield* small("POST", "/agent_keys", body), yield* payer("POST", "/agent_keys", body)].map(({ status }) => status)
        assert.deepStrictEqual(statuses, [ofSmall, ofPayer], JSON.stringify(policy))
      }
      const refused = readError(yield* small("POST", "/agent_keys", { name: "x", policy: { allowed_tools: ["execute_payment"] } }))
      assert.deepStrictEqual([refused.error, refused.details], ["forbidden", { required_scope: "payment_intents:write" }])

      // The caller gains nothing either by cutting from a key that may do more, or by changing a key.
      const { id } = readIssued(
        yield* send("POST", "/agent_keys", { body: { name: "Payer", policy: { allowed_tools: ["svc_validate", "execute_payment"] } } })
      )
      assert.strictEqual((yield* small("POST", "/agent_keys", { name: "x", parent_id: id })).status, 403)
      assert.strictEqual(
        (yield* small("POST", "/agent_keys", { name: "x", parent_id: id, policy: { allowed_tools: ["svc_validate"] } })).status,
        201
      )
      assert.strictEqual(
        (yield* small("PATCH", `/agent_keys/${id}`, { policy: { allowed_tools: ["execute_payment"], max_amount_minor_cents: 9 } })).status,
        403
      )
      assert.strictEqual((yield* small("PATCH", `/agent_keys/${id}`, { policy: {} })).status, 403)
      assert.strictEqual((yield* small("PATCH", `/agent_keys/${id}`, { name: "Renamed" })).status, 200)
      assert.strictEqual((yield* small("PATCH", `/agent_keys/${id}`, { policy: { allowed_tools: ["svc_validate"] } })).status, 200)
      assert.strictEqual(
        (yield* small("PATCH", `/agent_keys/${id}`, { policy: { allowed_tools: ["execute_payment"] } })).status,
        403,
        "what was taken is not given back"
      )
      assert.strictEqual((yield* payer("PATCH", `/agent_keys/${id}`, { policy: { allowed_tools: ["execute_payment"] } })).status, 200)
      // Every caller that manages agent keys may take power away.
      assert.strictEqual((yield* small("POST", `/agent_keys/${id}/revoke`, {})).status, 200)
    }))
})
