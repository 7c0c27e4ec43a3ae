/** Whose card pays for whom, and the two keys of a customer, as a merchant sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { itemsOf, jsonOf, layer as service, must, openMerchant, send } from "./service.ts"

/** An id of the right shape that no customer has. */
const NOBODY = "cus_01KDVK5D80000000000000000A"

const merchant = Effect.fnUntraced(function*(name: string) {
  const { key } = yield* openMerchant(name)
  const keyed = (body: object) => ({ key, body, headers: { "Idempotency-Key": randomUUID() } })
  const post = (path: string, body: object) => must("POST", path, keyed(body))
  return {
    key,
    post,
    /** The status, and the code of a refusal. */
    tried: (method: string, path: string, body: object) =>
      Effect.map(send(method, path, keyed(body)), (answer) => [answer.status, jsonOf(answer)["code"]]),
    pay: (body: object) => post("/v1/payment_intents", { amount: 1999, currency: "USD", capture: true, ...body }),
    card: (customer_id?: string, token = "tok_visa") =>
      Effect.map(
        must("POST", "/v1/payment_methods", { key, body: { type: "card", token, ...(customer_id === undefined ? {} : { customer_id }) } }),
        ({ id }) => String(id)
      ),
    plan: Effect.gen(function*() {
      const { id } = yield* post("/v1/plans", { name: "Pro", amount: 1999, currency: "USD", billing_period: "monthly" })
      yield* must("POST", `/v1/plans/${String(id)}/activate`, { key })
      return String(id)
    }),
    listed: (path: string) => Effect.map(must("GET", path, { key }), (list) => itemsOf(list).map((row) => Object(row)))
  }
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("a stored card", (it) => {
  it.effect("pays for its customer, for nobody in particular, and for no other customer", () =>
    Effect.gen(function*() {
      const { card, listed, pay, plan, post, tried } = yield* merchant("whose card")
      const [bens, nobodys] = [yield* card("ben"), yield* card()]
      const intent = { amount: 1999, currency: "USD", capture: true, customer_id: "ana", payment_method_id: bens }
      const refused = [400, "payment_method_id"]
      assert.deepStrictEqual(yield* tried("POST", "/v1/payment_intents", intent), refused)
      assert.deepStrictEqual(yield* listed("/v1/payment_intents"), [])

      const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", customer_id: "ana" })
      const authorize = `/v1/payment_intents/${String(id)}/authorize`
      assert.deepStrictEqual(yield* tried("POST", authorize, { payment_method_id: bens, capture: true }), refused)

      const plan_id = yield* plan
      const ana = { plan_id, customer_id: "ana" }
      assert.deepStrictEqual(yield* tried("POST", "/v1/subscriptions", { ...ana, payment_method_id: bens }), refused)
      const { id: subscription, latest_billing_cycle_id } = yield* post("/v1/subscriptions", ana)
      const [invoice] = yield* listed(`/v1/invoices?subscription_id=${String(subscription)}`)
      assert.isString(latest_billing_cycle_id)
      assert.deepStrictEqual(yield* tried("POST", `/v1/invoices/${String(invoice.id)}/pay`, { payment_method_id: bens }), refused)
      assert.deepStrictEqual(yield* tried("PATCH", `/v1/subscriptions/${String(subscription)}`, { payment_method_id: bens }), refused)

      for (
        const body of [{ customer_id: "ben", payment_method_id: bens }, { payment_method_id: bens }, {
          customer_id: "ana",
          payment_method_id: nobodys
        }]
      ) {
        assert.deepInclude(yield* pay(body), { state: "captured" })
      }
    }))
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("a customer", (it) => {
  it.effect("is one, whether named by the merchant's reference or by the id", () =>
    Effect.gen(function*() {
      const { card, key, listed, pay, plan, post } = yield* merchant("two keys")
      const { id } = yield* must("POST", "/v1/customers", { key, body: { customer_id: "alice", email: "alice@example.com" } })
      const byId = String(id)
      const method = yield* card(byId)
      const plan_id = yield* plan
      const rows = [
        yield* must("GET", `/v1/payment_methods/${method}`, { key }),
        yield* pay({ customer_id: byId, payment_method_id: method }),
        yield* post("/v1/subscriptions", { plan_id, customer_id: byId }),
        yield* post("/v1/checkout/sessions", { mode: "subscription", plan_id, customer_id: byId }),
        yield* must("POST", "/v1/customer_portal/sessions", { key, body: { customer_id: byId } })
      ]
      assert.deepStrictEqual(rows.map(({ customer_id }) => customer_id), rows.map(() => "alice"))
      assert.deepInclude(rows[2], { status: "active" })
      const customers = yield* listed("/v1/customers")
      assert.deepStrictEqual(customers.map(({ customer_id, default_payment_method_id }) => [customer_id, default_payment_method_id]), [
        ["alice", method]
      ])

      const lists = ["customers", "payment_intents", "payment_methods", "subscriptions", "invoices", "checkout/sessions"]
      for (const list of [...lists, "customer_portal/sessions", "orders"]) {
        const [found, expected] = yield* Effect.all([
          listed(`/v1/${list}?customer_id=${byId}`),
          listed(`/v1/${list}?customer_id=alice`)
        ])
        assert.deepStrictEqual(found.map((row) => row.id), expected.map((row) => row.id), list)
        if (list !== "orders") assert.isNotEmpty(found, list)
      }
      const sums = (reference: string) => must("GET", `/v1/payment_intents/sums?customer_id=${reference}`, { key })
      assert.deepStrictEqual(yield* sums(byId), yield* sums("alice"))
    }))

  it.effect("is not made of an id that nobody has, and is not called by a text that looks like an id", () =>
    Effect.gen(function*() {
      const { card, listed, plan, tried } = yield* merchant("no ghosts")
      const plan_id = yield* plan
      const method = yield* card()
      const refused = [400, "customer_id"]
      const requests: ReadonlyArray<readonly [method: string, path: string, body: object]> = [
        ["POST", "/v1/customers", {}],
        ["POST", "/v1/subscriptions", { plan_id }],
        ["POST", "/v1/payment_intents", { amount: 1999, currency: "USD" }],
        ["POST", "/v1/payment_methods", { type: "card", token: "tok_visa" }],
        ["POST", "/v1/checkout/sessions", { mode: "subscription", plan_id }],
        ["POST", "/v1/customer_portal/sessions", {}]
      ]
      for (const [verb, path, body] of requests) {
        assert.deepStrictEqual(yield* tried(verb, path, { ...body, customer_id: NOBODY }), refused, path)
      }
      assert.deepStrictEqual(yield* tried("PATCH", `/v1/payment_methods/${method}`, { customer_id: NOBODY }), refused)
      assert.deepStrictEqual(yield* listed("/v1/customers"), [])
      assert.deepStrictEqual(yield* listed(`/v1/payment_intents?customer_id=${NOBODY}`), [])
    }))

  it.effect("without a reference is called by its id, and found by it", () =>
    Effect.gen(function*() {
      const { key, listed, plan, post } = yield* merchant("only an id")
      const { id } = yield* must("POST", "/v1/customers", { key, body: { name: "Jo" } })
      const plan_id = yield* plan
      assert.deepInclude(yield* post("/v1/subscriptions", { plan_id, customer_id: id, payment_method_id: "tok_visa" }), { customer_id: id })
      assert.strictEqual((yield* listed("/v1/customers")).length, 1)
      // What only begins like an id is a reference like any other.
      yield* post("/v1/subscriptions", { plan_id, customer_id: "cus_8842", payment_method_id: "tok_visa" })
      assert.deepStrictEqual((yield* listed("/v1/customers")).map(({ customer_id }) => customer_id).sort(), [String(id), "cus_8842"].sort())
    }))
})
