/**
 * Whatever changes how an account is run leaves an entry of the audit log, or an event that everybody hears of: every operation of the
 * document that writes, but for those that say they do something else (`x-activity`). A verb that joins is asked here without a word, and
 * fails where it leaves nothing.
 */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { Emits } from "@svc/kernel/resource/events"
import type { Settlements } from "@svc/payments/settlements/service"
import { contract } from "@svc/server/api"
import { Context, Effect, Redacted } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt } from "./positions.ts"
import type { Resources } from "./positions.ts"
import { hasKeyInHeaderAlone, indebted, makeResources } from "./resources.ts"
import type { Merchant, Service } from "./service.ts"
import { jsonOf, layer as service, must, openMerchant, operatorKey, send } from "./service.ts"

/** The ids of operations whose group tells of what it does by events. */
const eventful = new Set<string>()
HttpApi.reflect(contract, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    if (Context.getOrUndefined(group.annotations, Emits) !== undefined) eventful.add(`${group.identifier}.${endpoint.identifier}`)
  }
})

const administrative = ({ key, method, operation }: Route): boolean => {
  const activity = operation["x-activity"]
  return method !== "GET" && (key === "operator_key" || (key === "secret_key" && (activity === "manage" || activity === "protect")))
}

const groupOf = ({ operation: { operationId } }: Route): string => operationId.slice(0, operationId.indexOf("."))

const hasName = ({ properties }: NonNullable<Route["body"]>["schema"]) =>
  typeof properties === "object" && properties !== null && "name" in properties

/**
 * The documented example, as of now: on the version that there is, under a key of its own, and something else than what is there already.
 */
const bodyOf = ({ body }: Route): Readonly<Record<string, unknown>> | undefined => {
  if (body === undefined || typeof body.example !== "object" || body.example === null) return undefined
  const named = Object.entries({ ...body.example, ...(hasName(body.schema) ? { name: "Another name" } : {}) })
  // The version of a row is a number; that of the terms is a day.
  const example = Object.fromEntries(named.filter(([field, value]) => field !== "version" || typeof value !== "number"))
  return "idempotency_key" in example ? { ...example, idempotency_key: randomUUID() } : example
}

/** Of operations that want something of the account, its making, and what of the example then names it. */
const wanted: Readonly<
  Record<string, (of: Resources) => Effect.Effect<object, never, Service | Settlements | Effect.Services<typeof operatorKey>>>
> = {
  // The one that waits is out of the way, and the endpoint is there that was removed before.
  "POST /v1/go_live_requests": Effect.fnUntraced(function*({ made, merchant: { key } }) {
    const request = made.get("/v1/go_live_requests")?.row["id"]
    if (request === undefined) return {}
    yield* must("PUT", "/v1/webhook_endpoint", { key, body: { url: "http://127.0.0.1:8443/webhooks" } })
    yield* must("POST", `/v1/go_live_requests/${String(request)}/reject`, { key: yield* operatorKey, body: { reason: "another one" } })
    return {}
  }),
  "POST /v1/write_offs": ({ merchant }) => Effect.as(indebted(merchant, "CHF"), { merchant_id: merchant.id, currency: "CHF" })
}

const ask = Effect.fnUntraced(function*(route: Route, of: Resources, operator: string) {
  const own = yield* wanted[`${route.method} ${route.path}`]?.(of) ?? Effect.succeed({})
  const example = bodyOf(route)
  const body = example === undefined ? undefined : { ...example, ...own }
  return yield* send(route.method, fillPath(route.path, (position) => encodeURIComponent(idAt(of, position))), {
    key: route.key === "operator_key" ? operator : of.merchant.key,
    ...(body === undefined ? {} : { body }),
    ...(hasKeyInHeaderAlone(route) ? { headers: { "Idempotency-Key": randomUUID() } } : {})
  })
})

const bare = (merchant: Merchant): Resources => ({ merchant, made: new Map([["/v1/accounts", { row: { id: merchant.id } }]]) })

const pending = Effect.gen(function*() {
  const { account, key } = yield* Effect.orDie((yield* Accounts).create({ name: "Pending", sandbox: true, status: "pending" }))
  return bare({ id: account.id, key: Redacted.value(key.secret) })
})

/** What an operation may be asked of, one after the other until it can do what it is for. */
const stages = [makeResources("audited"), makeResources("audited-again"), Effect.map(openMerchant("empty"), bare), pending] as const

const traces = Effect.fnUntraced(function*(request: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.orDie(
    sql<
      {
        readonly actor_type: string
        readonly actor_id: string
        readonly operation: string
        readonly ip: string | null
        readonly account_id: string | null
      }
    >`
    SELECT actor_type, actor_id, operation, ip, account_id FROM audit_log WHERE request_id = ${request}`
  )
})

const events = Effect.fnUntraced(function*({ merchant: { id } }: Resources) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* Effect.orDie(sql<{ readonly n: number }>`SELECT count(*) AS n FROM events WHERE account_id = ${id}`)
  return found?.n ?? 0
})

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("the audit log", (it) => {
  it.effect("has every change by an operation that manages an account, or an event tells of it", () =>
    Effect.gen(function*() {
      const operator = yield* operatorKey
      const routes = routesOf(yield* served).filter(administrative)
      const waiting = new Set(routes)
      const said: Array<string> = []
      assert.isAbove(waiting.size, 20)
      for (const stage of stages) {
        const of = yield* stage
        for (const route of waiting) {
          if (of.made.size === 1 && route.path.includes("{") && !route.path.startsWith("/v1/accounts/")) continue
          const before = yield* events(of)
          const answer = yield* ask(route, of, operator)
          const where = `${route.method} ${route.path}: ${answer.status} ${answer.text.slice(0, 200)}`
          // Of what makes something, 200 says that it was there.
          if (answer.status >= 300 || (answer.status === 200 && "201" in route.operation.responses)) {
            said.push(where)
            continue
          }
          waiting.delete(route)
          const entries = yield* traces(String(answer.headers["request-id"]))
          assert.isTrue(
            entries.length > 0 || (yield* events(of)) > before,
            `${where} left nothing: its table has no trigger of kernel/src/database/audit.ts, and no event tells of it. What is no administration says so by Does`
          )
          for (const { actor_type, ip, operation } of entries) {
            assert.deepStrictEqual([actor_type, operation.replace(/:(\w+)/gu, "{$1}")], [
              route.key === "operator_key" ? "operator_key" : "api_key",
              `${route.method} ${route.path}`
            ], where)
            assert.isString(ip, where)
          }
        }
      }
      // What one operation of a group writes its table tells of all of them.
      const heard = new Set(routes.filter((route) => !waiting.has(route)).map(groupOf))
      const silent = Array.from(waiting).filter((route) => !eventful.has(route.operation.operationId) && !heard.has(groupOf(route)))
      assert.deepStrictEqual(silent.map(({ method, path }) => `${method} ${path}`), [], `asked without success:\n${said.join("\n")}`)
    }))

  it.effect("knows no change without its maker, and no secret", () =>
    Effect.gen(function*() {
      const { merchant } = yield* makeResources("secretive")
      const issued = yield* must("POST", "/v1/api_keys", {
        key: merchant.key,
        body: { name: "Reports", kind: "restricted", scopes: ["ledger:read"] }
      })
      const agent = yield* must("POST", "/v1/agent_keys", { key: merchant.key, body: { name: "Agent" } })
      const rotated = yield* must("POST", "/v1/webhook_endpoint/rotate_secret", { key: merchant.key })
      const sql = yield* SqlClient.SqlClient
      const rows = yield* Effect.orDie(
        sql<
          { readonly text: string; readonly actor_type: string }
        >`SELECT audit_log::text AS text, actor_type FROM audit_log WHERE account_id = ${merchant.id}`
      )
      assert.notInclude(rows.map(({ actor_type }) => actor_type), "database")
      const hashes = yield* Effect.orDie(sql<{ readonly hash: string }>`SELECT hash FROM api_keys UNION ALL SELECT hash FROM agent_keys`)
      const secrets = [merchant.key, issued["secret"], agent["token"], rotated["secret"], ...hashes.map(({ hash }) => hash)].map(String)
      for (const secret of secrets) assert.isFalse(rows.some(({ text }) => text.includes(secret)), secret)
      assert.isTrue(rows.some(({ text }) => text.includes("webhook_endpoint.updated") && text.includes("hidden")))
      const list = jsonOf(yield* send("GET", "/v1/audit_log?per_page=100", { key: merchant.key }))
      assert.strictEqual(list["total"], rows.length)
    }))
})
