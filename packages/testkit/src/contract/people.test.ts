/** What people do names them: in the audit log, whatever the table, and in the log of events. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { layerOfPeople, type Member, People } from "./people.ts"
import { itemsOf, must, openMerchant, send } from "./service.ts"

/** One act after the other: `{payment}` in a path or a body is the id that the act of this name made. */
interface Act {
  readonly path: string
  readonly method?: "PUT" | "PATCH" | "DELETE"
  readonly body?: object
  /** What the id in the answer is called from here on. */
  readonly makes?: string
  /** The entries of the audit log. */
  readonly leaves: ReadonlyArray<string>
}

const price = { amount: 2_000, currency: "USD" }

const acts: ReadonlyArray<Act> = [
  { path: "/v1/payment_intents", body: price, makes: "payment", leaves: ["payment_intent.created"] },
  { path: "/v1/payment_intents/{payment}/authorize", body: { payment_method_id: "tok_visa" }, leaves: ["payment_intent.updated"] },
  {
    path: "/v1/payment_intents/{payment}/capture",
    body: {},
    leaves: ["payment_intent.updated", "settlement.created"]
  },
  { path: "/v1/payment_intents/{payment}/refund", body: { amount: 500 }, leaves: ["payment_intent.updated"] },
  { path: "/v1/payment_intents", body: price, makes: "unpaid", leaves: ["payment_intent.created"] },
  { path: "/v1/payment_intents/{unpaid}/void", body: {}, leaves: ["payment_intent.updated"] },
  { path: "/v1/quotes", body: { source_amount: 100, source_currency: "USD", target_currency: "EUR" }, leaves: ["quote.created"] },
  { path: "/v1/gift_cards", body: { currency: "USD" }, leaves: ["gift_card.created"] },
  { path: "/v1/customers", body: { customer_id: "ada", name: "Ada" }, makes: "customer", leaves: ["customer.created"] },
  { path: "/v1/customers/{customer}", method: "PATCH", body: { name: "Ada L." }, leaves: ["customer.updated"] },
  { path: "/v1/plans", body: { name: "Monthly", billing_period: "monthly", ...price }, makes: "plan", leaves: ["plan.created"] },
  { path: "/v1/plans/{plan}/activate", body: {}, leaves: ["plan.updated"] },
  {
    path: "/v1/payment_methods",
    body: { type: "card", token: "tok_visa", customer_id: "ada" },
    makes: "method",
    leaves: ["payment_method.created"]
  },
  {
    path: "/v1/subscriptions",
    body: { plan_id: "{plan}", customer_id: "ada", payment_method_id: "{method}" },
    makes: "subscription",
    leaves: ["subscription.created"]
  },
  {
    path: "/v1/subscriptions/{subscription}/cancel",
    body: { reason: "merchant_action", at_period_end: false },
    leaves: ["subscription.updated"]
  },
  { path: "/v1/webhook_endpoint", method: "PUT", body: { url: "https://example.com/hook" }, leaves: ["webhook_endpoint.created"] },
  { path: "/v1/account", method: "PATCH", body: { name: "Renamed" }, leaves: ["account.updated"] }
]

/** The text with the ids that are known by now. */
const filled = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => ids.get(name) ?? whole)

const withIds = (body: object, ids: ReadonlyMap<string, string>) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? filled(value, ids) : value]))

const entriesOf = Effect.fnUntraced(function*({ account, id }: Member) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.orDie(sql<{ readonly action: string; readonly text: string; readonly resource_id: string }>`
    SELECT action, resource_id, audit_log::text AS text FROM audit_log WHERE account_id = ${account} AND actor_id = ${id} ORDER BY id`)
})

layer(layerOfPeople, { excludeTestServices: true, timeout: "60 seconds" })("the acts of people", (it) => {
  it.effect("are in the audit log in the person's name, each with what it changed", () =>
    Effect.gen(function*() {
      const people = yield* People
      const ada = yield* people.join(yield* openMerchant("acts"), "owner")
      const ids = new Map<string, string>()
      for (const { body, leaves, makes, method = "POST", path } of acts) {
        const before = yield* entriesOf(ada)
        const answer = yield* people.ask(ada, {
          method,
          path: filled(path, ids),
          ...(body === undefined ? {} : { body: withIds(body, ids) }),
          headers: { "idempotency-key": randomUUID() }
        })
        const where = `${method} ${path} ${JSON.stringify(answer.json)}`
        assert.isBelow(answer.status, 300, where)
        if (makes !== undefined) ids.set(makes, String(answer.json["id"]))
        const made = (yield* entriesOf(ada)).slice(before.length)
        assert.includeMembers(made.map(({ action }) => action), [...leaves], where)
      }
    }))

  it.effect("show what changed and no secret, and software leaves the log of unaudited tables empty", () =>
    Effect.gen(function*() {
      const people = yield* People
      const merchant = yield* openMerchant("secrets")
      const ada = yield* people.join(merchant, "owner")
      const ask = (path: string, body: object) =>
        people.ask(ada, { method: "POST", path, body: { ...body }, headers: { "idempotency-key": randomUUID() } })
      const card = yield* ask("/v1/gift_cards", { currency: "USD" })
      const paid = yield* ask("/v1/payment_intents", { ...price, payment_method_id: "tok_visa", capture: true })
      yield* ask(`/v1/payment_intents/${String(paid.json["id"])}/refund`, { amount: 500 })
      yield* must("POST", "/v1/payment_intents", { key: merchant.key, body: { ...price, idempotency_key: randomUUID() } })

      const entries = yield* entriesOf(ada)
      assert.isFalse(entries.some(({ text }) => text.includes(String(card.json["code"]))))
      assert.isTrue(entries.some(({ action, text }) => action === "gift_card.created" && text.includes("hidden")))
      const list = yield* must("GET", `/v1/audit_log?actor_id=${ada.id}&resource_id=${String(paid.json["id"])}`, { key: merchant.key })
      const [refund] = itemsOf(list)
      assert.deepInclude(refund, {
        action: "payment_intent.updated",
        actor_type: "person",
        operation: "POST /v1/payment_intents/:id/refund"
      })
      assert.deepInclude(Object(Object(refund)["before"]), { refunded_amount: 0 })
      assert.deepInclude(Object(Object(refund)["after"]), { refunded_amount: 500 })
      const all = itemsOf(yield* must("GET", "/v1/audit_log?per_page=100", { key: merchant.key }))
      assert.deepStrictEqual(all.filter((entry) => Object(entry)["actor_type"] === "api_key"), [])
    }))

  it.effect("stand in the log of events, and webhooks are as they were", () =>
    Effect.gen(function*() {
      const people = yield* People
      const merchant = yield* openMerchant("events")
      const ada = yield* people.join(merchant, "owner")
      yield* must("PUT", "/v1/webhook_endpoint", { key: merchant.key, body: { url: "https://example.com/hook" } })
      yield* must("POST", "/v1/payment_intents", { key: merchant.key, body: { ...price, idempotency_key: randomUUID() } })
      const made = yield* people.ask(ada, {
        method: "POST",
        path: "/v1/payment_intents",
        body: { ...price },
        headers: { "idempotency-key": randomUUID() }
      })
      const [latest, first] = itemsOf(yield* must("GET", "/v1/events", { key: merchant.key })).map(Object)
      assert.deepStrictEqual([latest.actor, "actor" in first], [{ type: "person", id: ada.id }, false])
      assert.strictEqual(latest.data.id, made.json["id"])
      const { text } = yield* send("GET", `/v1/events/${String(latest.id)}`, { key: merchant.key })
      const [delivery] = itemsOf(yield* must("GET", "/v1/webhook_events", { key: merchant.key })).map(Object)
      const { actor: _, ...envelope } = latest
      assert.deepStrictEqual(delivery.payload, envelope)
      assert.include(text, ada.id)
    }))

  it.effect("share a statement with what software does, and two of them at once are two entries", () =>
    Effect.gen(function*() {
      const people = yield* People
      const merchant = yield* openMerchant("together")
      const [ada, bob] = [yield* people.join(merchant, "owner"), yield* people.join(merchant, "support")]
      const create = (member: Member) =>
        people.ask(member, {
          method: "POST",
          path: "/v1/payment_intents",
          body: { ...price },
          headers: { "idempotency-key": randomUUID() }
        })
      const byKey = Effect.suspend(() =>
        must("POST", "/v1/payment_intents", { key: merchant.key, body: { ...price, idempotency_key: randomUUID() } })
      )
      yield* Effect.all([create(ada), byKey, create(bob), byKey, create(ada)], { concurrency: "unbounded" })
      assert.deepStrictEqual([(yield* entriesOf(ada)).length, (yield* entriesOf(bob)).length], [2, 1])
    }))
})
