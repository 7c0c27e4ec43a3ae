/** What the desk shows of billing, checkout, the account, its webhooks and its ledger, and what people do there. */
import { assert, layer } from "@effect/vitest"
import { endpointOf } from "@svc/desk/api/endpoints"
import { businessViews } from "@svc/desk/views/business"
import type { View } from "@svc/kernel/resource/view"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { makeResources } from "../contract/resources.ts"
import { itemsOf, layer as service, type Merchant, must, openMerchant, operatorKey, send } from "../contract/service.ts"
import { formHeaders, sendForm, type SignedIn, signedIn } from "./people.ts"

type Row = Readonly<Record<string, unknown>>

const views: ReadonlyArray<View> = businessViews

const page = (person: SignedIn, target: string) => send("GET", target, { headers: { cookie: person.cookie } })

const attributeOf = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`, "u").exec(tag)?.[1]

/** What a browser sends of a form that nobody changed. */
const filledIn = (text: string): ReadonlyArray<readonly [name: string, value: string]> => [
  ...Array.from(text.matchAll(/<input[^>]*>/gu), ([tag]) => tag)
    .filter((tag) => attributeOf(tag, "type") !== "checkbox" || tag.includes(" checked"))
    .map((tag) => [attributeOf(tag, "name") ?? "", attributeOf(tag, "value") ?? ""] as const),
  ...Array.from(
    text.matchAll(/<textarea([^>]*)>\n([^<]*)</gu),
    ([, tag = "", value = ""]) => [attributeOf(tag, "name") ?? "", value] as const
  ),
  ...Array.from(
    text.matchAll(/<select([^>]*)>(.*?)<\/select>/gsu),
    ([, tag = "", options = ""]) => [attributeOf(tag, "name") ?? "", /value="([^"]*)" selected/u.exec(options)?.[1] ?? ""] as const
  )
]

/** Opens the form of an action, as a person does, fills it in and sends it. */
const actOf = Effect.fnUntraced(
  function*(person: SignedIn, place: string, endpoint: string, fields: Readonly<Record<string, string>> = {}) {
    const target = `/desk/${place}/do/${endpoint}`
    const form = yield* page(person, target)
    assert.strictEqual(form.status, 200, `${target}: ${form.text.slice(0, 2_000)}`)
    const body = new URLSearchParams({ ...Object.fromEntries(filledIn(form.text)), token: person.token, ...fields })
    const done = yield* sendForm(target, formHeaders(person), body.toString())
    assert.isBelow(done.status, 400, `${target}: ${/role="alert".*?<\/div>/su.exec(done.text)?.[0] ?? done.text}`)
    return done
  }
)

/** The secret that a page shows once. */
const secretIn = (text: string): string => /<input[^>]*value="([^"]+)"[^>]*readonly/u.exec(text)?.[1] ?? ""

const rowIn = (list: Row): Row => {
  const [first] = itemsOf(list)
  return typeof first === "object" && first !== null ? { ...first } : {}
}

/** A merchant with an owner, and what a test asks of both. */
const opened = Effect.gen(function*() {
  const merchant = yield* openMerchant("Nordlicht Keramik")
  const person = yield* signedIn(merchant.id, "owner")
  const { key } = merchant
  const read = (path: string) => must("GET", `/v1/${path}`, { key })
  return {
    merchant,
    person,
    read,
    post: (path: string, body: object = {}) => must("POST", `/v1/${path}`, { key, body }),
    newest: (path: string) => Effect.map(read(path), rowIn),
    act: (place: string, endpoint: string, fields?: Readonly<Record<string, string>>) => actOf(person, place, endpoint, fields)
  }
})

const monthly = { name: "Monthly", amount: 1999, currency: "USD", billing_period: "monthly" }

const planOf = Effect.fnUntraced(function*({ key }: Merchant, amount: number) {
  const { id } = yield* must("POST", "/v1/plans", { key, body: { ...monthly, amount, idempotency_key: randomUUID() } })
  yield* must("POST", `/v1/plans/${String(id)}/activate`, { key })
  return String(id)
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the desk", (it) => {
  it.effect("shows each list with its rows and each detail with its facts, and fulfills an order", () =>
    Effect.gen(function*() {
      const { merchant: { id, key } } = yield* makeResources("Seekiste")
      const person = yield* signedIn(id, "owner")
      for (const view of views.filter(({ section, single }) => section !== "installation" && single !== true)) {
        const row = rowIn(yield* must("GET", endpointOf(view, view.list).path, { key }))
        const resource = String(row[view.key ?? "id"])
        const list = yield* page(person, `/desk/${view.name}`)
        assert.strictEqual(list.status, 200, view.name)
        if (view.get === undefined) {
          assert.include(list.text, "<tbody><tr>", view.name)
          continue
        }
        // The page of the clock is written: it shows the one that there is.
        if (view.name !== "test_clocks") assert.include(list.text, `href="/desk/${view.name}/${resource}"`, view.name)
        const detail = yield* page(person, `/desk/${view.name}/${resource}`)
        assert.strictEqual(detail.status, 200, view.name)
        assert.include(detail.text, resource, view.name)
      }
      assert.include((yield* page(person, "/desk/account")).text, "Seekiste")
      assert.include((yield* page(person, "/desk/webhook_endpoint")).text, "http://127.0.0.1:8443/webhooks")
      assert.include(
        (yield* page(person, "/desk/ledger_verification")).text,
        String((yield* must("GET", "/v1/ledger/verify", { key }))["head_hash"])
      )

      const delivery = String(rowIn(yield* must("GET", "/v1/webhook_events", { key }))["id"])
      yield* (yield* SqlClient.SqlClient)`
        INSERT INTO webhook_attempts (account_id, id, delivery_id, number, outcome, response_status, duration_ms, created_at)
        VALUES (${id}, 'wha_shown', ${delivery}, 1, 'http_503', 503, 41, now())`
      const attempts = (yield* page(person, `/desk/webhook_events/${delivery}`)).text
      assert.match(attempts, /<h2>Attempts<\/h2>.*>Answered with<.*data-name="Answered with"><span>503</su)
      yield* (yield* SqlClient.SqlClient)`UPDATE webhook_deliveries SET status = 'failed', last_outcome = 'http_503' WHERE id = ${delivery}`
      const { id: replay } = yield* must("POST", `/v1/webhook_events/${delivery}/replay`, { key })
      const failed = (yield* page(person, `/desk/webhook_events/${delivery}`)).text
      assert.include(failed, `<dt>Replayed as</dt><dd><a href="/desk/webhook_events/${String(replay)}">`)

      const order = Effect.map(must("GET", "/v1/orders", { key }), rowIn)
      const tracking = { "tracking.number": "JD0146", "tracking.carrier": "DHL" }
      yield* actOf(person, `orders/${String((yield* order)["id"])}`, "fulfill", tracking)
      assert.deepInclude(yield* order, { status: "fulfilled", tracking: { number: "JD0146", carrier: "DHL" } })
    }))

  it.effect("shows what belongs to a customer, and to a subscription", () =>
    Effect.gen(function*() {
      const { merchant, person, post } = yield* opened
      const plan_id = yield* planOf(merchant, 1999)
      const { id } = yield* post("subscriptions", { plan_id, customer_id: "jo", payment_method_id: "tok_visa", idempotency_key: "s" })
      const invoice = rowIn(yield* must("GET", `/v1/invoices?subscription_id=${String(id)}`, { key: merchant.key }))
      for (const place of ["customers/jo", `subscriptions/${String(id)}`]) {
        assert.include((yield* page(person, `/desk/${place}`)).text, `/desk/invoices/${String(invoice["id"])}`, place)
      }
    }))

  it.effect("makes and changes customers and plans", () =>
    Effect.gen(function*() {
      const { act, newest } = yield* opened
      yield* act("customers", "create", { name: "Jo Miller", email: "jo@example.com" })
      const customer = yield* newest("customers")
      assert.strictEqual(customer["email"], "jo@example.com")
      yield* act(`customers/${String(customer["id"])}`, "update", { name: "Jo Smith", email: "jo@example.com", locale: "de" })
      assert.include(yield* newest("customers"), { name: "Jo Smith", locale: "de" })

      yield* act("plans", "create", { name: "Pro", amount: "19.99", currency: "USD", billing_period: "monthly", trial_period_days: "7" })
      const plan = yield* newest("plans")
      assert.include(plan, { amount: 1999, status: "draft", trial_period_days: 7 })
      const place = `plans/${String(plan["id"])}`
      yield* act(place, "update", { name: "Pro plus" })
      yield* act(place, "activate")
      assert.include(yield* newest("plans"), { name: "Pro plus", status: "active" })
      yield* act(place, "archive", { cancel_subscriptions: "none" })
      assert.include(yield* newest("plans"), { status: "archived" })
    }))

  it.effect("leads a subscription from its first day to its last", () =>
    Effect.gen(function*() {
      const { act, merchant, newest } = yield* opened
      const [small, large] = [yield* planOf(merchant, 1999), yield* planOf(merchant, 4999)]
      yield* act("subscriptions", "create", { plan_id: small, customer_id: "jo", payment_method_id: "tok_visa" })
      const subscription = newest("subscriptions")
      const place = `subscriptions/${String((yield* subscription)["id"])}`
      assert.include(yield* subscription, { status: "active", plan_id: small })
      yield* act(place, "change_plan", { plan_id: large, proration_behavior: "now" })
      assert.include(yield* subscription, { plan_id: large })
      yield* act(place, "cancel", { reason: "customer_request", at_period_end: "true" })
      assert.include(yield* subscription, { status: "active", cancel_at_end: true })
      yield* act(place, "uncancel")
      assert.include(yield* subscription, { cancel_at_end: false })
      yield* act(place, "pause")
      assert.include(yield* subscription, { status: "paused" })
      yield* act(place, "resume")
      assert.include(yield* subscription, { status: "active" })
      yield* act(place, "cancel", { reason: "merchant_action" })
      assert.include(yield* subscription, { status: "canceled", cancel_reason: "merchant_action" })
    }))

  it.effect("collects, voids and gives up invoices, and saves them as PDF", () =>
    Effect.gen(function*() {
      const { act, merchant, newest, person, post, read } = yield* opened
      const plan_id = yield* planOf(merchant, 1999)
      const open = Effect.gen(function*() {
        yield* post("subscriptions", { plan_id, customer_id: randomUUID(), payment_method_id: null, idempotency_key: randomUUID() })
        return yield* newest("invoices")
      })
      const after = Effect.fnUntraced(function*(endpoint: string, fields: Readonly<Record<string, string>> = {}) {
        const { id } = yield* open
        yield* act(`invoices/${String(id)}`, endpoint, fields)
        return (yield* read(`invoices/${String(id)}`))["status"]
      })
      const { id: payment_method_id } = yield* post("payment_methods", { type: "card", token: "tok_visa" })
      assert.strictEqual(yield* after("pay", { payment_method_id: String(payment_method_id) }), "paid")
      assert.strictEqual(yield* after("void"), "void")
      assert.strictEqual(yield* after("mark_uncollectible"), "uncollectible")

      const { billing_cycle_id, id } = yield* open
      yield* act(`billing_cycles/${String(billing_cycle_id)}`, "record_charge_result", { success: "true", external_reference: "bank-7" })
      assert.include(yield* read(`billing_cycles/${String(billing_cycle_id)}`), { status: "charged", payment_intent_id: "bank-7" })
      assert.include((yield* page(person, `/desk/billing_cycles/${String(billing_cycle_id)}/do/attempts`)).text, "bank-7")
      const pdf = yield* page(person, `/desk/invoices/${String(id)}/do/pdf`)
      assert.strictEqual(pdf.status, 200)
      assert.isTrue(pdf.text.startsWith("%PDF-"))
    }))

  it.effect("opens and ends checkout and portal sessions", () =>
    Effect.gen(function*() {
      const { act, newest } = yield* opened
      yield* act("checkout_sessions", "create", { mode: "payment", amount: "12.50", currency: "EUR", customer_id: "jo" })
      const session = yield* newest("checkout/sessions")
      assert.include(session, { amount: 1250, status: "open" })
      yield* act(`checkout_sessions/${String(session["id"])}`, "expire")
      assert.include(yield* newest("checkout/sessions"), { status: "expired" })
      yield* act("portal_sessions", "create", { customer_id: "jo" })
      yield* act(`portal_sessions/${String((yield* newest("customer_portal/sessions"))["id"])}`, "revoke")
      assert.include(yield* newest("customer_portal/sessions"), { status: "revoked" })
    }))

  it.effect("issues API keys and agent keys, whose secrets are shown once", () =>
    Effect.gen(function*() {
      const { act, newest, person, read } = yield* opened
      const made = yield* act("api_keys", "create", { name: "Reports", kind: "restricted", scopes: "ledger:read\ninvoices:read" })
      const secret = secretIn(made.text)
      assert.strictEqual((yield* send("GET", "/v1/invoices", { key: secret })).status, 200)
      const key = yield* newest("api_keys")
      assert.deepInclude(key, { name: "Reports", scopes: ["ledger:read", "invoices:read"] })
      assert.notInclude((yield* page(person, `/desk/api_keys/${String(key["id"])}`)).text, secret)
      yield* act(`api_keys/${String(key["id"])}`, "revoke")
      assert.strictEqual((yield* send("GET", "/v1/invoices", { key: secret })).status, 401)

      const form = (yield* page(person, "/desk/api_keys/do/create")).text
      assert.match(form, /<input type="checkbox" name="scopes" value="payouts:write">/u)
      yield* act("api_keys", "create", { name: "Robot", kind: "restricted", scopes: "*" })
      const { scopes } = yield* newest("api_keys")
      const all = Array.from(form.matchAll(/name="scopes" value="(\w+:\w+)"/gu), ([, scope]) => scope)
      assert.isAbove(all.length, 20)
      assert.deepStrictEqual(scopes, all)

      const policy = { "policy.allowed_currencies": "EUR\nUSD", "policy.budgets.day": "50.00" }
      const issued = yield* act("agent_keys", "issue", { name: "Buyer", ...policy })
      assert.match(secretIn(issued.text), /^agk_test_/u)
      const agent = yield* newest("agent_keys")
      assert.deepInclude(agent["Policy"], { allowed_currencies: ["EUR", "USD"], budgets: { day: 5000 } })
      const place = `agent_keys/${String(agent["ID"])}`
      yield* act(place, "update", { name: "Buyer", ...policy, "policy.budgets.day": "70" })
      assert.deepInclude((yield* newest("agent_keys"))["Policy"], { budgets: { day: 7000 } })
      assert.match((yield* page(person, `/desk/${place}/do/update`)).text, /name="policy.allowed_tools" value="\*" checked/u)
      yield* act(place, "update", { "policy.allowed_tools": "search\nget_quote", "policy.budgets.day": "" })
      assert.deepStrictEqual((yield* newest("agent_keys"))["Policy"], {
        allowed_tools: ["search", "get_quote"],
        allowed_currencies: ["EUR", "USD"]
      })
      yield* act(place, "update", { "policy.allowed_tools": "*", "policy.allowed_currencies": "" })
      assert.deepStrictEqual((yield* newest("agent_keys"))["Policy"], {})
      yield* act(place, "revoke")
      assert.include(yield* read(place), { Status: "revoked" })
    }))

  it.effect("changes the account, its legal entities and its test clock", () =>
    Effect.gen(function*() {
      const { act, merchant, newest, person, read } = yield* opened
      yield* act("account", "update", { name: "Nordlicht", "settings.branding.name": "Nord", "settings.blocked_countries": "KP\nIR" })
      yield* act("account", "update", {
        "settings.people.second_look_above": "500",
        "settings.people.currency": "jpy",
        "settings.block_above": "1234.5"
      })
      const account = yield* read("account")
      assert.deepInclude(account["settings"], { block_above: 123_450, people: { second_look_above: 500, currency: "JPY" } })
      const form = (yield* page(person, "/desk/account/do/update")).text
      assert.match(form, /name="settings.block_above"[^>]* value="1234.50"/u)
      assert.match(form, /name="settings.people.second_look_above"[^>]* value="500"/u)
      const facts = (yield* page(person, "/desk/account")).text
      for (const told of [">1,234.50<", ">¥500<", "10,000 JPY"]) assert.include(facts, told)
      assert.include(account, { name: "Nordlicht" })
      assert.deepInclude(account["settings"], { blocked_countries: ["KP", "IR"] })
      yield* act("legal_entities", "create", {
        type: "organization",
        legal_name: "Nordlicht",
        country: "DE",
        registration_number: "HRB 7"
      })
      const place = `legal_entities/${String((yield* newest("legal_entities"))["id"])}`
      yield* must("POST", `/v1/accounts/${merchant.id}/${place}/review`, {
        key: yield* operatorKey,
        body: { verification_status: "requires_info", requirements: [{ field: "legal_name", reason: "As in the register." }] }
      })
      const address = { "address.line1": "Hafenstraße 1", "address.city": "Hamburg", "address.country": "DE" }
      yield* act(place, "update", { legal_name: "Nordlicht GmbH", country: "DE", registration_number: "HRB 7", ...address })
      yield* act(place, "submit")
      assert.deepInclude(yield* newest("legal_entities"), {
        legal_name: "Nordlicht GmbH",
        address: { line1: "Hafenstraße 1", city: "Hamburg", country: "DE" }
      })
      yield* act("test_clocks", "create")
      assert.include(yield* newest("test_clocks"), { status: "ready" })
    }))

  it.effect("sets, rotates and deletes the webhook endpoint, and saves the ledger", () =>
    Effect.gen(function*() {
      const { act, merchant: { key }, person, post, read } = yield* opened
      assert.include((yield* page(person, "/desk/webhook_endpoint")).text, "No webhook endpoint yet")
      const first = secretIn((yield* act("webhook_endpoint", "put", { url: "http://127.0.0.1:8443/webhooks" })).text)
      assert.match(first, /^whsec_/u)
      assert.notStrictEqual(secretIn((yield* act("webhook_endpoint", "rotate_secret")).text), first)
      yield* act("webhook_endpoint", "put", { url: "http://127.0.0.1:8443/other", schedule: "long" })
      assert.include(yield* read("webhook_endpoint"), { url: "http://127.0.0.1:8443/other", schedule: "long" })
      yield* act("webhook_events", "replay_all", { status: "failed" })
      yield* act("webhook_endpoint", "remove")
      assert.strictEqual((yield* send("GET", "/v1/webhook_endpoint", { key })).status, 404)

      const payment = { amount: 500, currency: "EUR", payment_method_id: "tok_visa", capture: true, idempotency_key: "p" }
      const { id } = yield* post("payment_intents", payment)
      const saved = yield* page(person, "/desk/financial_events/do/export")
      assert.include(saved.text, String(id))
    }))

  it.effect("lets people of the installation open, suspend and close accounts", () =>
    Effect.gen(function*() {
      const operator = yield* signedIn(null, "owner")
      const key = yield* operatorKey
      const made = yield* actOf(operator, "accounts", "create", { name: "Kajüte", status: "active" })
      const account = rowIn(yield* must("GET", "/v1/accounts?q=Kaj%C3%BCte", { key }))
      assert.include(account, { name: "Kajüte", sandbox: false })
      const merchantKey = secretIn(made.text)
      const place = `accounts/${String(account["id"])}`
      const now = must("GET", `/v1/${place}`, { key })
      assert.include((yield* page(operator, "/desk/accounts")).text, `/desk/${place}`)
      yield* actOf(operator, place, "set_terms", { fee_bps: "250", capabilities: "charges\npayouts" })
      assert.deepInclude((yield* now)["settings"], { fee_bps: 250 })

      const entity = { type: "individual", legal_name: "Ana Lund", country: "DE", birth_date: "1990-12-31" }
      const { id } = yield* must("POST", "/v1/legal_entities", { key: merchantKey, body: entity })
      assert.include((yield* page(operator, `/desk/${place}`)).text, "Ana Lund")
      yield* actOf(operator, place, "review", { legal_entity_id: String(id), verification_status: "verified" })
      assert.include(yield* must("GET", `/v1/legal_entities/${String(id)}`, { key: merchantKey }), { verification_status: "verified" })

      yield* actOf(operator, place, "suspend")
      assert.include(yield* now, { status: "suspended" })
      yield* actOf(operator, place, "reactivate")
      yield* actOf(operator, place, "close")
      assert.include(yield* now, { status: "closed" })
    }))
})
