/** What people do at the desk and what they may not: a refund that a second person approves, amounts, and power that ends. */
import { assert, layer } from "@effect/vitest"
import { People } from "@svc/accounts/people/service"
import { Actor } from "@svc/kernel/parts/actor"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { itemsOf, layer as service, must, openMerchant, restrictedKey, send } from "../contract/service.ts"
import { formHeaders, sendForm, type SignedIn, signedIn } from "./people.ts"

const open = Effect.gen(function*() {
  const merchant = yield* openMerchant("Nordlicht Keramik")
  const { key } = merchant
  const post = (path: string, body: object = {}) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  const paid = Effect.fnUntraced(function*(amount: number) {
    const { id } = yield* post("/v1/payment_intents", { amount, currency: "EUR" })
    yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
    return String(id)
  })
  return { merchant, key, post, paid }
})

const page = ({ cookie }: SignedIn, path: string) => Effect.map(send("GET", path, { headers: { cookie } }), ({ text }) => text)

const submit = (person: SignedIn, path: string, fields: Readonly<Record<string, string>> = {}) =>
  sendForm(path, formHeaders(person), new URLSearchParams({ token: person.token, ...fields }).toString())

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("acts of people", (it) => {
  it.effect("a refund above the limit waits, is told where the payment is looked at, and is done when another person approves it", () =>
    Effect.gen(function*() {
      const { key, merchant, paid } = yield* open
      yield* must("PATCH", "/v1/account", { key, body: { settings: { people: { second_look_above: 1_000, currency: "EUR" } } } })
      const [support, finance] = [yield* signedIn(merchant.id, "support", "Sam"), yield* signedIn(merchant.id, "finance", "Fay")]
      const payment = yield* paid(5_000)
      const asked = yield* submit(support, `/desk/payments/${payment}/do/refund`, { amount: "30.00", idempotency_key: randomUUID() })
      assert.match(asked.headers["location"] ?? "", /^\/desk\/second_looks\/sl_\w+\/waits$/u)
      const told = yield* page(support, `/desk/payments/${payment}`)
      assert.include(told, "A refund waits for a second person")
      const look = /\/desk\/second_looks\/(sl_\w+)/u.exec(told)?.[1] ?? ""
      const own = yield* submit(support, `/desk/second_looks/${look}/do/approve`, { idempotency_key: randomUUID() })
      assert.strictEqual(own.status, 403)
      const approved = yield* submit(finance, `/desk/second_looks/${look}/do/approve`, { idempotency_key: randomUUID() })
      assert.strictEqual(approved.status, 303, approved.text)
      assert.deepInclude(yield* must("GET", `/v1/payment_intents/${payment}`, { key }), { refunded_amount: 3_000 })
      assert.notInclude(yield* page(support, `/desk/payments/${payment}`), "A refund waits")
      const entries = itemsOf(yield* must("GET", "/v1/audit_log?per_page=100", { key })).map((entry) => Object(entry)["actor_id"])
      assert.includeMembers(entries, [support.user_id, finance.user_id])
    }))

  it.effect("whoever asked for a second look is not offered to decide on it", () =>
    Effect.gen(function*() {
      const { key, merchant, paid } = yield* open
      yield* must("PATCH", "/v1/account", { key, body: { settings: { people: { second_look_above: 1_000, currency: "EUR" } } } })
      const [owner, finance] = [yield* signedIn(merchant.id, "owner", "Ola"), yield* signedIn(merchant.id, "finance", "Fay")]
      const asked = yield* submit(owner, `/desk/payments/${yield* paid(5_000)}/do/refund`, {
        amount: "30.00",
        idempotency_key: randomUUID()
      })
      const look = /^\/desk\/second_looks\/sl_\w+/u.exec(asked.headers["location"] ?? "")?.[0] ?? ""
      const [own, offered] = [yield* page(owner, look), yield* page(finance, look)]
      assert.include(own, "Another person decides on it")
      assert.notInclude(own, `${look}/do/`)
      assert.include(offered, `${look}/do/approve`)
      assert.include(offered, `${look}/do/reject`)
      assert.notInclude(offered, "Another person decides on it")
    }))

  it.effect("an amount that cannot be read is told in its currency and asks for nothing", () =>
    Effect.gen(function*() {
      const { key, merchant, paid } = yield* open
      const support = yield* signedIn(merchant.id, "support")
      const payment = yield* paid(5_000)
      const refused = yield* submit(support, `/desk/payments/${payment}/do/refund`, { amount: "1,234.505", idempotency_key: randomUUID() })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Write an amount in EUR, such as 12.50.")
      assert.notInclude(refused.text, "minor units")
      assert.deepInclude(yield* must("GET", `/v1/payment_intents/${payment}`, { key }), { refunded_amount: 0 })
      const made = yield* submit(support, "/desk/payments/do/create", { amount: "12,34", currency: "usd", idempotency_key: randomUUID() })
      assert.strictEqual(made.status, 303, made.text)
      const [payments] = itemsOf(yield* must("GET", "/v1/payment_intents", { key }))
      assert.deepInclude(Object(payments), { amount: 1_234, currency: "USD" })
    }))

  it.effect("a payment that is declined as it is made is told in people's words, with the way to it", () =>
    Effect.gen(function*() {
      const { key, merchant } = yield* open
      const support = yield* signedIn(merchant.id, "support")
      const declined = yield* submit(support, "/desk/payments/do/create", {
        amount: "12.34",
        currency: "USD",
        payment_method_id: "tok_insufficient_funds",
        idempotency_key: randomUUID()
      })
      const [payment] = itemsOf(yield* must("GET", "/v1/payment_intents", { key }))
      assert.include(declined.text, "There is not enough money")
      assert.include(declined.text, `href="/desk/payments/${String(Object(payment)["id"])}"`)
      assert.notInclude(declined.text, "new payment intent")
    }))

  it.effect("who looks sees no address by which a customer's portal is opened", () =>
    Effect.gen(function*() {
      const { key, merchant, post } = yield* open
      yield* post("/v1/customers", { customer_id: "customer-1" })
      const { id, url } = yield* post("/v1/customer_portal/sessions", { customer_id: "customer-1" })
      const viewer = yield* signedIn(merchant.id, "viewer")
      const looking = yield* restrictedKey(merchant, ["customer_portal:read"])
      const secret = String(url).split("/").at(-1) ?? ""
      assert.isAbove(secret.length, 20)
      assert.notInclude(yield* page(viewer, `/desk/portal_sessions/${String(id)}`), secret)
      for (const path of [`/v1/customer_portal/sessions/${String(id)}`, "/v1/customer_portal/sessions"]) {
        assert.notInclude((yield* send("GET", path, { key: looking })).text, secret)
        assert.include((yield* send("GET", path, { key })).text, secret)
      }
    }))

  it.effect("support cannot approve what waits for finance, by whichever route", () =>
    Effect.gen(function*() {
      const { key, merchant, post } = yield* open
      yield* must("PATCH", "/v1/account", { key, body: { settings: { require_approval_above: 500 } } })
      const { id } = yield* post("/v1/payment_intents", { amount: 9_000, currency: "EUR" })
      yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
      const support = yield* signedIn(merchant.id, "support")
      for (const act of ["approve", "reject"]) {
        assert.strictEqual((yield* submit(support, `/desk/payments/${String(id)}/do/${act}`)).status, 403, act)
      }
      assert.deepInclude(yield* must("GET", `/v1/payment_intents/${String(id)}`, { key }), { state: "pending" })
    }))

  it.effect("with somebody who is removed end the links by which they invited others", () =>
    Effect.gen(function*() {
      const { merchant } = yield* open
      const people = yield* People
      const [first, second] = [yield* signedIn(merchant.id, "owner"), yield* signedIn(merchant.id, "owner")]
      const { secret } = yield* Effect.provideService(
        people.invite({ account_id: merchant.id, role: "owner", email: "other@example.com" }),
        Actor,
        { type: "person", id: second.user_id }
      )
      const link = `/desk/join/${Redacted.value(secret)}`
      assert.strictEqual((yield* send("GET", link, {})).status, 200)
      assert.strictEqual((yield* submit(first, `/desk/people/${second.user_id}/do/remove`)).status, 303)
      assert.strictEqual((yield* send("GET", link, {})).status, 404)
      assert.strictEqual((yield* send("GET", "/desk", { headers: { cookie: second.cookie } })).status, 303)
    }))
})
