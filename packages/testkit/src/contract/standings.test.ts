/**
 * What accounts may still do that are pending, suspended, closed, restricted, or were not granted something: every operation of the
 * document that takes a merchant's key, asked with a request that has nothing wrong. What each does says the document (`x-activity`); what
 * is permitted, one table.
 */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { activities, may } from "@svc/accounts/access/permits"
import { KnownKeys } from "@svc/accounts/api-keys/known-keys"
import { hashSecret } from "@svc/accounts/api-keys/secret"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { fillPath, idAt } from "./positions.ts"
import type { Resources } from "./positions.ts"
import { hasKeyInHeaderAlone, makeResources } from "./resources.ts"
import { itemsOf, jsonOf, layer as service, must, openMerchant, operatorKey, send } from "./service.ts"

type Standing = Pick<AccountFacts, "status" | "capabilities" | "restrictions">

const free: Standing = { status: "active", capabilities: ["charges", "payouts"], restrictions: [] }

const standings: ReadonlyArray<readonly [string, Standing]> = [
  ["pending", { ...free, status: "pending" }],
  ["suspended", { ...free, status: "suspended" }],
  ["restricted from charging", { ...free, restrictions: ["charges_disabled"] }],
  ["restricted from payouts", { ...free, restrictions: ["payouts_disabled"] }],
  ["granted nothing", { ...free, capabilities: [] }],
  // Last: nothing leaves it.
  ["closed", { ...free, status: "closed" }]
]

const isActivity = Schema.is(Schema.Literals(activities))

/** What the operation does, as the document says. */
const activityOf = ({ operation: { operationId, "x-activity": activity } }: Route) =>
  isActivity(activity) ? activity : assert.fail(`${operationId} says in x-activity nothing that the table of permits knows`)

/** Puts the account there by itself: an account that has done something cannot be closed in the usual way. */
const put = Effect.fnUntraced(function*({ id, key }: Resources["merchant"], { capabilities, restrictions, status }: Standing) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    sql`UPDATE accounts SET status = ${status}, capabilities = ${JSON.stringify(capabilities)}::jsonb, restrictions = ${
      JSON.stringify(restrictions)
    }::jsonb WHERE id = ${id}`
  )
  yield* (yield* KnownKeys).forget([hashSecret(key)])
})

const ask = (route: Route, of: Resources) => {
  const { body, method } = route
  const example = body?.example
  const fresh = typeof example === "object" && example !== null && "idempotency_key" in example
    ? { ...example, idempotency_key: randomUUID() }
    : example
  return send(method, fillPath(route.path, (position) => encodeURIComponent(idAt(of, position))), {
    key: of.merchant.key,
    ...(body === undefined ? {} : { body: fresh }),
    ...(hasKeyInHeaderAlone(route) ? { headers: { "Idempotency-Key": randomUUID() } } : {})
  })
}

const eventTypes = ({ merchant: { key } }: Resources) =>
  Effect.map(
    must("GET", "/v1/financial_events?per_page=100", { key }),
    (list) =>
      itemsOf(list).map((event) => typeof event === "object" && event !== null && "event_type" in event ? event.event_type : undefined)
  )

/** Entries of the ledger that only new charges and payouts make. */
const isNewMoney = (type: unknown) => type === "payment_authorized" || type === "payment_captured" || type === "payout_initiated"

layer(service, { excludeTestServices: true, timeout: "90 seconds" })("an account", (it) => {
  it.effect.each(standings)("that is %s may do what the table permits, on every route", ([name, standing]) =>
    Effect.gen(function*() {
      const of = yield* makeResources(`standing-${name.replaceAll(" ", "-")}`)
      const routes = routesOf(yield* served).filter((route) => route.key === "secret_key")
      const before = (yield* eventTypes(of)).filter(isNewMoney).length
      yield* put(of.merchant, standing)
      for (const route of routes) {
        const activity = activityOf(route)
        const answer = yield* ask(route, of)
        const { details, error } = jsonOf(answer)
        const where = `${route.method} ${route.path} (${activity}): ${answer.status} ${answer.text.slice(0, 300)}`
        if (may(activity, standing)) {
          if (activity === "read") assert.notStrictEqual(answer.status, 403, where)
          // What may charge or not, as it is asked, is refused by itself.
          if (error === "account_suspended") assert.isFalse(may("charge", standing), where)
          if (error === "account_suspended") assert.include(route.operation.description, "charge", where)
        } else {
          assert.deepStrictEqual([answer.status, error], [403, "account_suspended"], where)
          assert.deepInclude(details, { activity, ...standing }, where)
        }
      }
      if (!may("charge", standing)) {
        assert.strictEqual((yield* eventTypes(of)).filter(isNewMoney).length, before, "nothing was charged or paid out")
      }
    }))

  it.effect("repeats what it answered before, also when it was suspended since, and says no to what it did not answer", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("repeats")
      const keyed = { amount: 1999, currency: "USD", idempotency_key: randomUUID() }
      const create = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
        send("POST", "/v1/payment_intents", { key: merchant.key, body, headers })
      const { idempotency_key, ...unkeyed } = keyed
      const first = yield* create(keyed)
      yield* put(merchant, { ...free, status: "suspended" })
      for (const repeated of [yield* create(keyed), yield* create(unkeyed, { "Idempotency-Key": idempotency_key })]) {
        assert.deepStrictEqual([repeated.status, repeated.text, repeated.headers["idempotent-replayed"]], [200, first.text, "true"])
      }
      const other = yield* create({ ...keyed, amount: 5 })
      assert.deepStrictEqual([other.status, jsonOf(other)["error"]], [400, "idempotency_key_reused"])
      for (
        const refused of [
          yield* create({ ...keyed, idempotency_key: randomUUID() }),
          yield* create({ amount: "x" }),
          yield* create({ ...keyed, idempotency_key: 7 })
        ]
      ) {
        assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [403, "account_suspended"])
      }
      const stranger = yield* openMerchant("a stranger")
      yield* put(stranger, { ...free, status: "suspended" })
      const foreign = yield* send("POST", "/v1/payment_intents", { key: stranger.key, body: keyed })
      assert.deepStrictEqual([foreign.status, jsonOf(foreign)["error"]], [403, "account_suspended"], "another's key is nothing to it")
    }))

  it.effect("is closed once nothing stands against it, for good", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("to be closed")
      const key = yield* operatorKey
      const post = (path: string, body: object = {}) =>
        must("POST", path, { key: merchant.key, body: { ...body, idempotency_key: randomUUID() } })
      const close = send("POST", `/v1/accounts/${merchant.id}/close`, { key })
      const { id: intent } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD" })
      yield* post(`/v1/payment_intents/${String(intent)}/authorize`, { payment_method_id: "tok_visa" })
      const { id: plan_id } = yield* post("/v1/plans", { name: "Plan", amount: 1999, currency: "USD", billing_period: "monthly" })
      yield* must("POST", `/v1/plans/${String(plan_id)}/activate`, { key: merchant.key })
      const { id: subscription } = yield* post("/v1/subscriptions", { plan_id, customer_id: "customer" })
      const refused = jsonOf(yield* close)
      assert.deepInclude(refused, { error: "invalid_state" })
      assert.deepInclude(refused["details"], {
        state: "active",
        obstacles: ["a payment is authorized or under way", "a subscription runs"]
      })
      yield* post(`/v1/payment_intents/${String(intent)}/void`)
      yield* must("POST", `/v1/subscriptions/${String(subscription)}/cancel`, { key: merchant.key, body: { reason: "merchant_action" } })
      const closed = yield* close
      assert.deepStrictEqual([closed.status, jsonOf(closed)["status"]], [200, "closed"], closed.text)
      assert.strictEqual((yield* send("GET", "/v1/account", { key: merchant.key })).status, 200)
      for (const move of ["activate", "suspend", "reactivate", "close"]) {
        const again = yield* send("POST", `/v1/accounts/${merchant.id}/${move}`, { key })
        assert.deepStrictEqual([again.status, jsonOf(again)["error"]], [409, "invalid_state"], move)
      }
    }))
})
