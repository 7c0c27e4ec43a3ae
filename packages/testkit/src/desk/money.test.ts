/** The views of payments, treasury and reconciliation: each shows its resource and its money, and does what the API does. */
import { assert, layer } from "@effect/vitest"
import { money } from "@svc/design/format"
import { endpointOf } from "@svc/desk/api/endpoints"
import { valueAt } from "@svc/desk/pages/json"
import { moneyViews } from "@svc/desk/views/money"
import type { Shown, View } from "@svc/kernel/resource/view"
import { Settlements } from "@svc/payments/settlements/service"
import { Effect } from "effect"
import { routesOf, served } from "../contract/document.ts"
import type { Row } from "../contract/positions.ts"
import { makeResources } from "../contract/resources.ts"
import * as service from "../contract/service.ts"
import { formHeaders, sendForm, type SignedIn, signedIn } from "./people.ts"

const views: ReadonlyArray<View> = moneyViews

const page = (person: SignedIn, path: string) =>
  Effect.map(service.send("GET", path, { headers: { cookie: person.cookie } }), ({ status, text }) => {
    assert.strictEqual(status, 200, path)
    return text
  })

/** The amounts that the fields of the resource show, as people read them. */
const amountsOf = (fields: ReadonlyArray<Shown<string>>, resource: Row) =>
  fields.flatMap(({ as, field, of = "currency" }) => {
    const amount = valueAt(resource, field)
    return as === "money" && typeof amount === "number" ? [money({ tag: "en" }, amount, String(valueAt(resource, of)))] : []
  })

/** Parameters of a list that say which page is shown, of whom, and how much of it. */
const paging: ReadonlySet<string> = new Set(["page", "per_page", "after", "before", "merchant_id", "expand[]"])

/** How a person fills in forms. */
const formsOf = (person: SignedIn) => {
  /** Opens the form of an action, fills it in and sends it. */
  const fillIn = Effect.fnUntraced(function*(action: string, fields: Readonly<Record<string, string>> = {}) {
    const form = yield* page(person, `/desk/${action}`)
    for (const field of Object.keys(fields)) assert.include(form, `name="${field}"`, action)
    const sent = new URLSearchParams({ ...fields, token: person.token })
    return yield* sendForm(`/desk/${action}`, formHeaders(person), sent.toString())
  })
  /** Fills in a form that is accepted, and gives the id of what is shown then. */
  const act = Effect.fnUntraced(function*(action: string, fields: Readonly<Record<string, string>> = {}) {
    const { headers, status, text } = yield* fillIn(action, fields)
    assert.strictEqual(status, 303, `${action}: ${text}`)
    return headers["location"]?.split("/").at(-1) ?? ""
  })
  return { act, fillIn }
}

/** An owner at the desk, whose account has money and a place to pay it out to. */
const open = Effect.gen(function*() {
  const merchant = yield* service.openMerchant("Nordlicht Keramik")
  const { key } = merchant
  const { act, fillIn } = formsOf(yield* signedIn(merchant.id, "owner"))
  const of = (path: string) => service.must("GET", `/v1/${path}`, { key })
  const first = (path: string): Effect.Effect<Row, never, service.Service> =>
    Effect.map(of(path), (list) => {
      const [item] = service.itemsOf(list)
      return typeof item === "object" && item !== null ? { ...item } : assert.fail(`${path} is empty`)
    })
  const pay = (fields: Readonly<Record<string, string>> = {}) => act("payments/do/create", { amount: "19.99", currency: "USD", ...fields })
  const captured = (fields: Readonly<Record<string, string>> = {}) => pay({ payment_method_id: "tok_visa", capture: "true", ...fields })
  /** Lets the settlement of a payment go its way, as time does, and gives its id. */
  const settle = Effect.fnUntraced(function*(payment: string) {
    const { id } = yield* first(`settlements?payment_intent_id=${payment}`)
    yield* Effect.orDie((yield* Settlements).proceed(merchant.id, String(id)))
    return String(id)
  })
  return { id: merchant.id, key, act, fillIn, of, first, pay, captured, settle }
})

layer(service.layer, { excludeTestServices: true, timeout: "90 seconds" })("views of money", (it) => {
  it.effect("show each resource and its amounts, in the list and by itself", () =>
    Effect.gen(function*() {
      const { made, merchant } = yield* makeResources("desk-money")
      const person = yield* signedIn(merchant.id, "owner")
      for (const view of views.filter(({ section }) => section !== "installation")) {
        const { path } = endpointOf(view, view.list)
        const id = String(made.get(path)?.row["id"])
        const resource = yield* service.must("GET", `${path}/${id}`, { key: merchant.key })
        const list = yield* page(person, `/desk/${view.name}`)
        assert.include(list, `href="/desk/${view.name}/${id}"`, view.name)
        for (const amount of amountsOf(view.columns, resource)) assert.include(list, amount, view.name)
        const detail = yield* page(person, `/desk/${view.name}/${id}`)
        for (const amount of amountsOf(view.facts, resource)) assert.include(detail, amount, view.name)
        // What moves no money says of whom or what it is.
        const text = view.columns.find(({ as }) => as === "text")?.field ?? "id"
        if (amountsOf(view.facts, resource).length === 0) assert.include(detail, String(valueAt(resource, text)), view.name)
      }
    }))

  it.effect("can be filtered by all that the API filters by", () =>
    Effect.gen(function*() {
      const routes = routesOf(yield* served)
      for (const view of views) {
        const { path } = endpointOf(view, view.list)
        const route = routes.find((one) => one.method === "GET" && one.path === path)
        const parameters = route?.parameters.filter((one) => one.in === "query" && !paging.has(one.name)).map(({ name }) => name) ?? []
        assert.sameMembers([...view.filters], parameters.filter((name) => !name.startsWith("metadata")), view.name)
      }
    }))

  it.effect("ask for no field that each form of the desk has anyway", () =>
    Effect.sync(() => {
      const asked = views.flatMap(({ actions }) => actions.flatMap(({ asks }) => asks.map(({ field }) => field)))
      for (const field of ["token", "version", "idempotency_key"]) assert.notInclude(asked, field)
    }))

  it.effect("charge, capture, refund and void payments", () =>
    Effect.gen(function*() {
      const { act, captured, of, pay } = yield* open
      const created = yield* pay({ customer_id: "customer-1", metadata: "{\"order\": \"6735\"}" })
      assert.deepInclude(yield* of(`payment_intents/${created}`), { state: "created", amount: 1999, metadata: { order: "6735" } })
      yield* act(`payments/${created}/do/authorize`, { payment_method_id: "tok_visa" })
      yield* act(`payments/${created}/do/capture`, { amount: "15.00" })
      yield* act(`payments/${created}/do/refund`, { amount: "5.00" })
      assert.deepInclude(yield* of(`payment_intents/${created}`), { state: "captured", captured_amount: 1500, refunded_amount: 500 })
      const whole = yield* captured()
      yield* act(`payments/${whole}/do/refund`)
      assert.deepInclude(yield* of(`payment_intents/${whole}`), { state: "refunded", refunded_amount: 1999 })
      const voided = yield* pay()
      yield* act(`payments/${voided}/do/void`)
      assert.deepInclude(yield* of(`payment_intents/${voided}`), { state: "cancelled" })
    }))

  it.effect("approve and reject payments that wait for a person", () =>
    Effect.gen(function*() {
      const { act, captured, first, key, of } = yield* open
      yield* service.must("PATCH", "/v1/account", { key, body: { settings: { require_approval_above: 1000 } } })
      const [one, two, three, four] = yield* Effect.all([captured(), captured(), captured(), captured()])
      yield* act(`payments/${one}/do/approve`)
      yield* act(`payments/${two}/do/reject`)
      const approvals = Effect.fnUntraced(function*(payment: string) {
        const { id, status } = yield* first(`approvals?payment_intent_id=${payment}`)
        assert.strictEqual(status, "pending")
        return String(id)
      })
      yield* act(`approvals/${yield* approvals(three)}/do/approve`)
      yield* act(`approvals/${yield* approvals(four)}/do/reject`)
      const states = yield* Effect.forEach([one, two, three, four], (id) => Effect.map(of(`payment_intents/${id}`), ({ state }) => state))
      assert.deepStrictEqual(states, ["captured", "cancelled", "captured", "cancelled"])
    }))

  it.effect("retry settlements, and answer disputes", () =>
    Effect.gen(function*() {
      const { act, captured, key, of, settle } = yield* open
      const settlement = yield* settle(yield* captured({ metadata: "{\"sim.settlement\": \"fail_once\"}" }))
      assert.deepInclude(yield* of(`settlements/${settlement}`), { status: "failed" })
      yield* act(`settlements/${settlement}/do/retry`)
      assert.deepInclude(yield* of(`settlements/${settlement}`), { status: "queued" })
      const disputed = Effect.fnUntraced(function*(payment_intent_id: string) {
        const body = { payment_intent_id, idempotency_key: crypto.randomUUID() }
        return String((yield* service.must("POST", "/v1/disputes/simulate", { key, body }))["id"])
      })
      const [answered, accepted] = [yield* disputed(yield* captured()), yield* disputed(yield* captured())]
      const { id: file } = service.jsonOf(
        yield* service.upload("/v1/files?purpose=dispute_evidence", key, "application/pdf", Buffer.from("%PDF-1.7 %%EOF"))
      )
      yield* act(`disputes/${answered}/do/add_evidence`, { shipping_documentation: "Parcel 12345", files: String(file) })
      yield* act(`disputes/${answered}/do/submit`)
      const evidence = { shipping_documentation: "Parcel 12345", files: [file] }
      assert.deepInclude(yield* of(`disputes/${answered}`), { status: "under_review", evidence })
      yield* act(`disputes/${accepted}/do/accept`)
      assert.deepInclude(yield* of(`disputes/${accepted}`), { status: "accepted" })
    }))

  it.effect("pay money out to a bank account that was verified", () =>
    Effect.gen(function*() {
      const { act, captured, key, of, settle } = yield* open
      const body = { type: "individual", legal_name: "Ana", country: "DE" }
      const { id: legal_entity_id } = yield* service.must("POST", "/v1/legal_entities", { key, body })
      const create = (number: string) =>
        act("transfer_instruments/do/create", {
          type: "bank_account",
          currency: "USD",
          holder_name: "Ana",
          number,
          routing_number: "110000000",
          legal_entity_id: String(legal_entity_id)
        })
      const [unknown, one, other] = [yield* create("000123450002"), yield* create("000123456789"), yield* create("000123456780")]
      const status = (id: string) => Effect.map(of(`transfer_instruments/${id}`), (instrument) => instrument["status"])
      yield* act(`transfer_instruments/${unknown}/do/verify`, { method: "instant" })
      assert.strictEqual(yield* status(unknown), "failed")
      yield* act(`transfer_instruments/${unknown}/do/resubmit`)
      assert.strictEqual(yield* status(unknown), "pending")
      yield* act(`transfer_instruments/${unknown}/do/archive`)
      assert.strictEqual(yield* status(unknown), "archived")
      yield* act(`transfer_instruments/${one}/do/verify`, { method: "micro_deposits", amounts: "[32, 45]" })
      yield* act(`transfer_instruments/${one}/do/activate`)
      yield* act(`transfer_instruments/${other}/do/verify`, { method: "instant" })
      yield* act(`transfer_instruments/${other}/do/activate`)
      yield* act(`transfer_instruments/${other}/do/make_default`)
      assert.deepInclude(yield* of(`transfer_instruments/${other}`), { status: "active", is_default: true })
      yield* settle(yield* captured({ amount: "500.00" }))
      const payout = yield* act("payouts/do/create", { amount: "12.50", currency: "USD", destination_id: one })
      assert.deepInclude(yield* of(`payouts/${payout}`), { amount: 1250, status: "pending", destination_id: one })
      yield* act(`payouts/${payout}/do/cancel`)
      assert.deepInclude(yield* of(`payouts/${payout}`), { status: "cancelled" })
    }))

  it.effect("hold, release and forfeit reserves, in the installation", () =>
    Effect.gen(function*() {
      const { captured, id, of, settle } = yield* open
      yield* settle(yield* captured({ amount: "500.00" }))
      const operator = yield* signedIn(null, "owner")
      const { act } = formsOf(operator)
      const reserve = yield* act("operator_reserves/do/hold", { merchant_id: id, amount: "100.00", currency: "USD", reason: "Disputes" })
      yield* act(`operator_reserves/${reserve}/do/release`, { amount: "40.00" })
      assert.deepInclude(yield* of(`reserves/${reserve}`), { amount: 10_000, released_amount: 4000, status: "held" })
      const list = yield* page(operator, "/desk/operator_reserves")
      for (const text of [`href="/desk/operator_reserves/${reserve}"`, "$100.00", "$40.00"]) assert.include(list, text)
      yield* act(`operator_reserves/${reserve}/do/forfeit`)
      assert.deepInclude(yield* of(`reserves/${reserve}`), { forfeited_amount: 6000, status: "closed" })
      assert.include(yield* page(operator, `/desk/operator_reserves/${reserve}`), "$60.00")
    }))

  it.effect("write a debt off, in the installation", () =>
    Effect.gen(function*() {
      const { act: own, captured, id, of, settle } = yield* open
      const payment = yield* captured({ amount: "100.00" })
      yield* settle(payment)
      // The fee is kept, so that the merchant owes it.
      yield* own(`payments/${payment}/do/refund`)
      const operator = yield* signedIn(null, "owner")
      const reason = "The business has closed"
      const made = yield* formsOf(operator).act("operator_write_offs/do/create", { merchant_id: id, currency: "USD", reason })
      assert.deepInclude(yield* of(`write_offs/${made}`), { amount: 320, currency: "USD", reason })
      const list = yield* page(operator, "/desk/operator_write_offs")
      for (const text of [`href="/desk/operator_write_offs/${made}"`, "$3.20", reason]) assert.include(list, text)
      assert.include(yield* page(operator, `/desk/operator_write_offs/${made}`), "$3.20")
    }))

  it.effect("quote, keep payment methods, load gift cards and reconcile", () =>
    Effect.gen(function*() {
      const { act, captured, fillIn, first, key, of, settle } = yield* open
      const quote = yield* act("quotes/do/create", { source_amount: "100.00", source_currency: "USD", target_currency: "JPY" })
      assert.deepInclude(yield* of(`quotes/${quote}`), { source_amount: 10_000, target_currency: "JPY", status: "active" })
      const card = { type: "card", token: "tok_visa" }
      const method = String((yield* service.must("POST", "/v1/payment_methods", { key, body: card }))["id"])
      yield* act(`payment_methods/${method}/do/update`, { customer_id: "customer-1", metadata: "{\"nickname\": \"travel\"}" })
      yield* act(`payment_methods/${method}/do/revoke`)
      assert.deepInclude(yield* of(`payment_methods/${method}`), {
        status: "revoked",
        customer_id: "customer-1",
        metadata: { nickname: "travel" }
      })
      yield* settle(yield* captured({ amount: "500.00" }))
      // The code is shown once, by the answer to the form.
      const { text } = yield* fillIn("gift_cards/do/issue", { currency: "USD" })
      const [code] = /\b(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}\b/u.exec(text) ?? []
      const { id } = yield* first("gift_cards")
      yield* act(`gift_cards/${String(id)}/do/load`, { amount: "25.00" })
      yield* act(`gift_cards/${String(id)}/do/redeem`, { code: String(code), amount: "10.00" })
      assert.deepInclude(yield* of(`gift_cards/${String(id)}`), { balance: 1500, status: "active" })
      const report = yield* act("reconciliation/do/create", {
        source: "card_a",
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-02-01T00:00:00.000Z"
      })
      assert.deepInclude(yield* of(`reconciliation/reports/${report}`), { source: "card_a", origin: "statement" })
    }))
})
