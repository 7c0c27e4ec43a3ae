import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { makeId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Context, Effect, Layer, Redacted } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { TestClock } from "effect/testing"
import { ownerIn, RequiredScope } from "../access/api.ts"
import type { ApiKeyScope } from "../access/model.ts"
import { type Answer, Api, Client, layer as layerApi, open, operator, readError, seen } from "../fixture.ts"
import { ApiKeys } from "./service.ts"

/** Those of this package, and two of others. */
const scopes: ReadonlyArray<ApiKeyScope> = [
  "account:read",
  "account:write",
  "api_keys:read",
  "api_keys:write",
  "test_clocks:read",
  "test_clocks:write",
  "ledger:read",
  "webhooks:write"
]

const services = layerApi.pipe(Layer.provide(Database.layer), Layer.provide(layerDatabase))

interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly scope: typeof RequiredScope.Service | undefined
  readonly operator: boolean
  /** Where an operator says whose data it reads of an account's endpoint. */
  readonly owner: ReturnType<typeof ownerIn>
}
const ids: Record<string, string> = {
  accounts: makeId("acct", 0),
  api_keys: makeId("key", 0),
  test_clocks: makeId("clock", 0),
  people: makeId("usr", 0),
  invitations: makeId("ivt", 0),
  person_sessions: makeId("ses", 0)
}
const routes: ReadonlyArray<Route> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint): Route => ({
    name: `${endpoint.method} ${endpoint.path}`,
    method: endpoint.method,
    path: endpoint.path.replace(/(\w+)\/:id/u, (_: string, kind: string) => `${kind}/${ids[kind]}`),
    scope: Context.getOrUndefined(endpoint.annotations, RequiredScope),
    operator: group.identifier.startsWith("operator"),
    owner: ownerIn(endpoint)
  }))
)
const merchantRoutes = routes.filter((route) => !route.operator)
const operatorRoutes = routes.filter((route) => route.operator)

layer(services)("who may enter", (it) => {
  it("the matrix sees every route", () => {
    assert.strictEqual(routes.length, Object.values(OpenApi.fromApi(Api).paths).flatMap((path) => Object.keys(path)).length)
    assert.isAtLeast(merchantRoutes.length, 7)
    assert.isAtLeast(operatorRoutes.length, 5)
    assert.deepStrictEqual(routes.filter(({ owner }) => owner !== undefined).map(({ name }) => name), [
      "GET /v1/accounts/:id",
      "GET /v1/api_keys",
      "GET /v1/agent_keys",
      "GET /v1/test_clocks",
      "GET /v1/legal_entities",
      "GET /v1/audit_log",
      "GET /v1/people",
      "GET /v1/invitations",
      "GET /v1/person_sessions"
    ])
    for (const { name, path, scope } of merchantRoutes) {
      assert.isDefined(scope, `${name} asks for a scope`)
      assert.notInclude(path, ":")
    }
  })

  for (const route of routes) {
    it.effect(`${route.name}: every way of not having a key answers the same`, () =>
      Effect.gen(function*() {
        const { send } = yield* Client
        const { account, key } = yield* open
        const keys = yield* ApiKeys
        yield* keys.revoke(account.id, key.record.id)
        const revoked = Redacted.value(key.secret)
        const { key: other } = yield* open
        const current = Redacted.value(other.secret)
        const ways: Record<string, string | undefined> = {
          nothing: undefined,
          blank: "",
          "the scheme alone": "Bearer",
          "the scheme and spaces": "Bearer   ",
          "no scheme": current,
          "another scheme": `Basic ${current}`,
          malformed: "Bearer x",
          "the prefix alone": "Bearer sk_test_",
          unknown: `Bearer sk_test_${"0".repeat(32)}`,
          "one character less": `Bearer ${current.slice(0, -1)}`,
          "one character more": `Bearer ${current}0`,
          "other letters": `Bearer ${current.toUpperCase()}`,
          "the live mode": `Bearer ${current.replace("test", "live")}`,
          "an agent's key": `Bearer agk_test_${"0".repeat(32)}`,
          "a very long text": `Bearer sk_test_${"0".repeat(8000)}`,
          "SQL": "Bearer ' OR 1=1 --",
          "the hash of a key": `Bearer ${other.record.hash}`,
          revoked: `Bearer ${revoked}`
        }
        const answers = yield* Effect.forEach(Object.values(ways), (authorization) =>
          Effect.map(send(route.method, route.path, authorization === undefined ? {} : { headers: { authorization } }), seen))
        const [first] = answers
        assert.strictEqual(first?.status, 401)
        assert.strictEqual(first?.headers["www-authenticate"], "Bearer")
        assert.notProperty(first?.headers, "ratelimit-limit")
        Object.keys(ways).forEach((way, n) =>
          assert.deepStrictEqual(answers[n], first, way)
        )
      }))
  }

  for (const route of merchantRoutes) {
    it.effect(`${route.name}: open to secret keys, and of the restricted to those with ${route.scope}`, () =>
      Effect.gen(function*() {
        const { send } = yield* Client
        const { account, key } = yield* open
        const keys = yield* ApiKeys
        const entered = (answer: Answer) => answer.status !== 401 && answer.status !== 403
        assert.isTrue(entered(yield* send(route.method, route.path, { key: key.secret })))
        for (const scope of scopes) {
          const restricted = yield* keys.issue({ accountId: account.id, kind: "restricted", name: scope, scopes: [scope] })
          const answer = yield* send(route.method, route.path, { key: restricted.secret })
          assert.strictEqual(entered(answer), scope === route.scope, scope)
          if (!entered(answer)) assert.deepInclude(readError(answer), { error: "forbidden", details: { required_scope: route.scope } })
        }
        const refused = yield* send(route.method, route.path, { key: yield* operator })
        if (route.owner?.in === "path") return assert.strictEqual(refused.status, 404)
        assert.strictEqual(refused.status, 403)
        assert.include(readError(refused).message, "operator key")
      }))
  }

  for (const route of operatorRoutes) {
    it.effect(`${route.name}: open to operator keys only`, () =>
      Effect.gen(function*() {
        const { send } = yield* Client
        const { account, key } = yield* open
        const keys = yield* ApiKeys
        const restricted = yield* keys.issue({ accountId: account.id, kind: "restricted", name: "all", scopes: [...scopes] })
        for (const merchant of [key, restricted]) {
          const refused = yield* send(route.method, route.path, { key: merchant.secret })
          assert.strictEqual(refused.status, 403)
          assert.strictEqual(readError(refused).error, "forbidden")
        }
        assert.notInclude([401, 403], (yield* send(route.method, route.path, { key: yield* operator })).status)
      }))
  }

  it.effect("an endpoint without a scope is closed to every restricted key", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const keys = yield* ApiKeys
      const all = yield* keys.issue({ accountId: account.id, kind: "restricted", name: "all", scopes: [...scopes] })
      const refused = yield* send("GET", "/unscoped", { key: all.secret })
      assert.strictEqual(refused.status, 403)
      assert.include(readError(refused).message, "secret key")
      assert.strictEqual((yield* send("GET", "/unscoped", { key: key.secret })).status, 204)
    }))

  it.effect("a revocation counts from the next request on, also for the key that asked for it", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const keys = yield* ApiKeys
      assert.strictEqual((yield* send("GET", "/v1/account", { key: key.secret })).status, 200)
      assert.strictEqual((yield* send("POST", `/v1/api_keys/${key.record.id}/revoke`, { key: key.secret })).status, 200)
      assert.strictEqual((yield* send("GET", "/v1/account", { key: key.secret })).status, 401)
      const second = yield* keys.issue({ accountId: account.id, kind: "secret", name: "second", scopes: [] })
      assert.strictEqual((yield* send("GET", "/v1/account", { key: second.secret })).status, 200)
      yield* keys.revoke(account.id, second.record.id)
      assert.strictEqual((yield* send("GET", "/v1/account", { key: second.secret })).status, 401)
    }))
})

layer(services)("how often", (it) => {
  it.effect("tells where the key stands, on refusals too", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account } = yield* open
      const keys = yield* ApiKeys
      const { secret } = yield* keys.issue({ accountId: account.id, kind: "restricted", name: "reader", scopes: ["account:read"] })
      const asked = [["/v1/account", 200], ["/v1/api_keys", 403], [`/v1/accounts/${makeId("acct", 0)}`, 404], ["/v1/accounts/none", 404], [
        "/v1/account?none=1",
        400
      ]] as const
      for (const [n, [path, status]] of asked.entries()) {
        const answer = yield* send("GET", path, { key: secret })
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers.get("ratelimit-limit"), "200")
        assert.strictEqual(answer.headers.get("ratelimit-remaining"), String(199 - n))
        assert.strictEqual(answer.headers.get("ratelimit-reset"), "1")
        assert.isNull(answer.headers.get("retry-after"))
      }
    }))

  it.effect("refuses what is too much with 429 and the seconds to wait, the keys of an account together", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* open
      const keys = yield* ApiKeys
      const second = yield* keys.issue({ accountId: account.id, kind: "secret", name: "second", scopes: [] })
      const ask = send("GET", "/v1/account", { key: key.secret })
      const burst = yield* Effect.all(Array.from({ length: 200 }, () => ask), { concurrency: 8 })
      assert.deepStrictEqual(new Set(burst.map(({ status }) => status)), new Set([200]))

      const refused = yield* ask
      assert.strictEqual(refused.status, 429)
      assert.deepInclude(readError(refused), { error: "rate_limited", details: { retry_after: 1 } })
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.strictEqual(refused.headers.get("ratelimit-remaining"), "0")
      assert.strictEqual(refused.headers.get("ratelimit-reset"), "2")
      assert.strictEqual((yield* send("GET", "/v1/account", { key: second.secret })).status, 429, "another key of the account")
      const { key: other } = yield* open
      assert.strictEqual((yield* send("GET", "/v1/account", { key: other.secret })).status, 200, "a key of another account")

      yield* TestClock.adjust("1 second")
      const later = yield* Effect.all(Array.from({ length: 101 }, () => ask))
      assert.deepStrictEqual(later.map(({ status }) => status), [...Array.from({ length: 100 }, () => 200), 429])
    }))
})
