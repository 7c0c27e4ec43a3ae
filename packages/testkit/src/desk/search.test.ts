/** The search over the whole service: each kind of text finds what it means, of the account that asks, as far as the asker may read it. */
import { assert, layer } from "@effect/vitest"
import { endpointOf } from "@svc/desk/api/endpoints"
import { anyAddressOf, viewNamed } from "@svc/desk/pages/addresses"
import { LONGEST } from "@svc/desk/search/model"
import { kindOf, searchKinds } from "@svc/desk/search/model/kinds"
import { isRecord } from "@svc/kernel/values/record"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { Resources, Row } from "../contract/positions.ts"
import { makeResources } from "../contract/resources.ts"
import { itemsOf, layer as service, must, openMerchant, restrictedKey, send } from "../contract/service.ts"
import { signedIn } from "./people.ts"

const searched = Effect.fnUntraced(function*(key: string, text: string) {
  const { data } = yield* must("GET", `/v1/search?${new URLSearchParams({ q: text }).toString()}`, { key })
  return Array.isArray(data) ? data.filter(isRecord) : []
})

/** What was found: as what, and of which kind. */
const foundBy = (key: string, text: string) =>
  Effect.map(searched(key, text), (hits) => Array.from(new Set(hits.map(({ kind, matched }) => `${String(matched)} ${String(kind)}`))))

/** One of everything. */
class Mine extends Context.Service<Mine, Resources>()("@svc/testkit/desk/search/Mine") {
  static readonly layer = Layer.effect(Mine, makeResources("mine")).pipe(Layer.provideMerge(service))
}

/** A resource of the kind. */
const rowOf = ({ made }: Resources, name: (typeof searchKinds)[number]): Row | undefined => {
  const view = viewNamed(kindOf(name).view)
  return view === undefined ? undefined : made.get(endpointOf(view, view.list).path)?.row
}

/** A merchant with a customer who paid an order and was sent an invoice. */
const openShop = Effect.fnUntraced(function*(name: string) {
  const merchant = yield* openMerchant(name)
  const post = (path: string, body: object) => must("POST", path, { key: merchant.key, body: { ...body, idempotency_key: randomUUID() } })
  yield* post("/v1/customers", { customer_id: "shop-17", name: "Ana Lind", email: "Ana@example.com" })
  const { id } = yield* post("/v1/payment_intents", {
    amount: 1_250,
    currency: "EUR",
    customer_id: "shop-17",
    metadata: { order_id: "6735" }
  })
  const payment = yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  yield* post("/v1/payment_methods", { type: "card", token: "tok_visa", customer_id: "shop-17" })
  yield* post("/v1/payment_intents", { amount: 1_250, currency: "JPY" })
  yield* post("/v1/legal_entities", { type: "individual", legal_name: "Nora O'Store-Ärmel", country: "DE" })
  const link = yield* post("/v1/bank_links", {})
  const { public_token } = yield* must("POST", `/v1/bank_links/${String(link["id"])}/simulate`, { key: merchant.key, body: {} })
  yield* post("/v1/bank_links/exchange", { public_token })
  const plan = yield* post("/v1/plans", { name: "Plan", amount: 1_999, currency: "EUR", billing_period: "monthly" })
  yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key: merchant.key })
  yield* post("/v1/subscriptions", { plan_id: plan["id"], customer_id: "shop-17", payment_method_id: "tok_visa" })
  const [invoice] = itemsOf(yield* must("GET", "/v1/invoices", { key: merchant.key }))
  return { ...merchant, payment, invoice: isRecord(invoice) ? invoice : {} }
})

layer(Mine.layer, { excludeTestServices: true, timeout: "60 seconds" })("the search", (it) => {
  it.effect("finds each kind by its id, leads to its page, and asks for the scope of its route", () =>
    Effect.gen(function*() {
      const mine = yield* Mine
      const stranger = yield* openMerchant("A stranger")
      const { cookie } = yield* signedIn(mine.merchant.id, "owner")
      for (const kind of searchKinds) {
        const [id, view] = [String(rowOf(mine, kind)?.["id"]), viewNamed(kindOf(kind).view)]
        assert.isDefined(view?.get, kind)
        assert.strictEqual(kindOf(kind).reads, view === undefined ? "" : endpointOf(view, view.get ?? "").scope, kind)
        const path = `/desk/${kindOf(kind).view}/${id}`
        assert.strictEqual(path, anyAddressOf(id), kind)
        const [hit, ...others] = yield* searched(mine.merchant.key, id)
        assert.deepInclude(hit, { matched: "id", kind, id, path })
        assert.isFalse(others.some((other) => other["id"] === id))
        assert.isEmpty(yield* searched(stranger.key, id), kind)
        assert.strictEqual((yield* send("GET", path, { headers: { cookie } })).status, 200, path)
      }
    }))

  it.effect("finds by each kind of text, and nothing of another account", () =>
    Effect.gen(function*() {
      const [shop, stranger] = [yield* openShop("Nordlicht Keramik"), yield* openMerchant("A stranger")]
      const payment = shop.payment
      const created = String(payment["created_at"])
      const expected: ReadonlyArray<readonly [text: string, found: ReadonlyArray<string>]> = [
        [String(payment["id"]), ["id payment_intent"]],
        [String(payment["id"]).toLowerCase(), ["id payment_intent"]],
        [String(payment["id"]).slice(0, 20), ["id_beginning payment_intent"]],
        ["Ana@example.com", ["email customer", "email payment_intent", "email subscription", "email invoice", "email payment_method"]],
        ["ana@EXAMPLE.com", ["email customer", "email payment_intent", "email subscription", "email invoice", "email payment_method"]],
        ["shop-17", [
          "customer_reference customer",
          "customer_reference payment_intent",
          "customer_reference subscription",
          "customer_reference invoice",
          "customer_reference payment_method"
        ]],
        ["6735", ["order_reference payment_intent"]],
        [String(payment["provider_reference"]), ["provider_reference payment_intent"]],
        [String(shop.invoice["number"]), ["invoice_number invoice"]],
        ["Ana Lind", ["name customer"]],
        ["lin", ["name customer"]],
        ["LIND, Ana", ["name customer"]],
        ["nora store", ["name legal_entity"]],
        ["ÄRM", ["name legal_entity"]],
        ["plan", ["name plan"]],
        ["•4242", ["last_four payment_method"]],
        ["3000", ["last_four bank_link"]],
        ["12.50", ["amount payment_intent"]],
        ["€12.50", ["amount payment_intent"]],
        ["JPY 1250", ["amount payment_intent"]],
        ["19.99 EUR", ["amount payment_intent", "amount invoice"]],
        [created.slice(0, 10), ["date payment_intent", "date invoice", "date subscription"]],
        [created.slice(0, 7), ["date payment_intent", "date invoice", "date subscription"]]
      ]
      for (const [text, found] of expected) {
        assert.deepStrictEqual(yield* foundBy(shop.key, text), found, text)
        assert.isEmpty(yield* searched(stranger.key, text), text)
      }
      assert.deepStrictEqual((yield* searched(shop.key, "€12.50")).map(({ amount, currency }) => [amount, currency]), [[1_250, "EUR"]])
      for (const nothing of ["€12.51", "USD 12.50", "shop-1", "2001-01-01", "•4343", "673", "Ana Lindt", "ind", "nora lind", "Bob"]) {
        assert.isEmpty(yield* searched(shop.key, nothing), nothing)
      }
    }))

  it.effect("shows a restricted key the kinds that it may read, and tells it nothing by others", () =>
    Effect.gen(function*() {
      const shop = yield* openShop("Nordlicht Keramik")
      const payments = yield* restrictedKey(shop, ["search:read", "payment_intents:read"])
      const both = yield* restrictedKey(shop, ["search:read", "payment_intents:read", "customers:read"])
      assert.deepStrictEqual(yield* foundBy(payments, "shop-17"), ["customer_reference payment_intent"])
      // Whose address it is, is the customer's to tell.
      assert.isEmpty(yield* searched(payments, "Ana@example.com"))
      assert.deepStrictEqual(yield* foundBy(both, "Ana@example.com"), ["email customer", "email payment_intent"])
      assert.isEmpty(yield* searched(payments, String(shop.invoice["number"])))
      assert.isEmpty(yield* searched(payments, "Ana Lind"))
      assert.deepStrictEqual(yield* foundBy(both, "Ana Lind"), ["name customer"])
      const none = yield* restrictedKey(shop, ["payment_intents:read"])
      assert.strictEqual((yield* send("GET", "/v1/search?q=shop-17", { key: none })).status, 403)
    }))

  it.effect("takes no text for a pattern or for SQL, and refuses what is no line of text", () =>
    Effect.gen(function*() {
      const { key } = yield* openShop("Nordlicht Keramik")
      const harmless = [
        "%",
        "_",
        "shop-%",
        "shop___",
        "\\",
        "' OR '1'='1",
        "$1",
        "{}",
        `{"order_id":"6735"}`,
        "٤٢٤٢",
        "💶",
        `" || $.order_id == "6735`,
        "pi_%",
        "x".repeat(LONGEST)
      ]
      for (const text of harmless) assert.isEmpty(yield* searched(key, text), text)
      for (const wrong of ["%00", "a%0Ab", "%ED%A0%80", "%20", "", "x".repeat(LONGEST + 1)]) {
        assert.strictEqual((yield* send("GET", `/v1/search?q=${wrong}`, { key })).status, 400, wrong)
      }
    }))

  it.effect("stands on every page of an account, shows what is found by kind, and leads to what is named", () =>
    Effect.gen(function*() {
      const shop = yield* openShop("Nordlicht Keramik")
      const { cookie } = yield* signedIn(shop.id, "viewer")
      const look = (path: string) => send("GET", path, { headers: { cookie } })
      for (const path of ["/desk", "/desk/payouts", "/desk/search"]) assert.include((yield* look(path)).text, `role="search"`, path)
      const installation = yield* signedIn(null, "owner")
      assert.notInclude((yield* send("GET", "/desk", { headers: { cookie: installation.cookie } })).text, `role="search"`)

      const page = yield* look("/desk/search?q=shop-17")
      assert.strictEqual(page.status, 200)
      for (
        const text of [
          `value="shop-17"`,
          "<h2>Customers</h2>",
          "<h2>Payments</h2>",
          "Ana Lind",
          "€12.50",
          `/desk/payments/${String(shop.payment["id"])}`
        ]
      ) {
        assert.include(page.text, text)
      }
      const only = yield* look(`/desk/search?q=+${String(shop.invoice["number"])}+`)
      assert.deepStrictEqual([only.status, only.headers["location"]], [303, `/desk/invoices/${String(shop.invoice["id"])}`])
      const none = yield* look(`/desk/search?${new URLSearchParams({ q: `"><script>alert(1)</script>` }).toString()}`)
      assert.include(none.text, "Nothing was found")
      assert.include(none.text, "a name or the beginning of its words")
      assert.notInclude(none.text, "<script>alert")
      assert.strictEqual((yield* look(`/desk/search?q=${"x".repeat(LONGEST + 1)}`)).status, 400)
      assert.strictEqual((yield* look("/desk/search?q=%00")).status, 400)
    }))
})
