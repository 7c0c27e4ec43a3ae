/** What forms offer instead of an id to be typed, where ids and addresses lead, and what an account is said to be. */
import { assert, layer } from "@effect/vitest"
import type { Role } from "@svc/accounts/access/model"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { layer as service, type Merchant, must, openMerchant, send } from "../contract/service.ts"
import { openWithPayouts } from "./payouts.ts"
import { formHeaders, sendForm, type SignedIn, signedIn } from "./people.ts"

const page = ({ cookie }: Pick<SignedIn, "cookie">, path: string) =>
  Effect.map(send("GET", path, { headers: { cookie } }), ({ text }) => text)

const submit = (person: SignedIn, path: string, fields: Readonly<Record<string, string>> = {}) =>
  sendForm(path, formHeaders(person), new URLSearchParams({ token: person.token, idempotency_key: randomUUID(), ...fields }).toString())

/** The values and labels of the field's choices, without the one for none. */
const choicesOf = (text: string, field: string): ReadonlyArray<readonly [value: string, label: string]> => {
  const [, options = ""] = new RegExp(`<select[^>]* name="${field}"[^>]*>(.*?)</select>`, "su").exec(text) ?? []
  return Array.from(options.matchAll(/<option value="([^"]+)"[^>]*>([^<]*)</gu), ([, value = "", label = ""]) => [value, label] as const)
}

const linked = Effect.fnUntraced(function*({ key }: Merchant) {
  const post = (path: string, body: object) => must("POST", `/v1/bank_links${path}`, { key, body })
  const { id } = yield* post("", { idempotency_key: randomUUID() })
  const { public_token } = yield* post(`/${String(id)}/simulate`, {})
  return yield* post("/exchange", { public_token, idempotency_key: randomUUID() })
})

const instrument = Effect.fnUntraced(function*({ key }: Merchant, currency: string, number: string) {
  const post = (path: string, body: object) => must("POST", path, { key, body })
  const { id: legal_entity_id } = yield* post("/v1/legal_entities", { type: "individual", legal_name: "Ana", country: "DE" })
  const { id } = yield* post("/v1/transfer_instruments", {
    type: "bank_account",
    currency,
    holder_name: "Ana",
    number,
    routing_number: "110000000",
    legal_entity_id
  })
  return String(id)
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("what forms offer", (it) => {
  it.effect("is the accounts of a bank link, for a payout and for a processor", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Nordlicht Keramik")
      const { accounts, id } = yield* linked(merchant)
      const owner = yield* signedIn(merchant.id, "owner")
      const expected = (Array.isArray(accounts) ? accounts : []).map((one) =>
        [String(one.id), `${one.name} · ${one.last_four} · ${one.currency}`] as const
      )
      assert.isAbove(expected.length, 0)
      for (const action of ["verify_payout", "processor_token"]) {
        const path = `/desk/bank_links/${String(id)}/do/${action}`
        assert.deepStrictEqual(choicesOf(yield* page(owner, path), "bank_account_id"), expected, action)
      }
    }))

  it.effect("is the active transfer instruments of the account, those of others aside, the default first", () =>
    Effect.gen(function*() {
      const merchant = yield* openWithPayouts(0)
      const waiting = yield* instrument(merchant, "USD", "000123456780")
      const other = yield* openWithPayouts(0)
      const second = yield* instrument(merchant, "USD", "000987654321")
      yield* must("POST", `/v1/transfer_instruments/${second}/verify`, { key: merchant.key, body: { method: "instant" } })
      yield* must("POST", `/v1/transfer_instruments/${second}/activate`, { key: merchant.key })
      yield* must("POST", `/v1/transfer_instruments/${merchant.destination_id}/make_default`, { key: merchant.key })
      const finance = yield* signedIn(merchant.id, "finance")
      const text = yield* page(finance, "/desk/payouts/do/create")
      assert.deepStrictEqual(choicesOf(text, "destination_id"), [
        [merchant.destination_id, "Bank account · Nordlicht Keramik · 6789 · USD · Default"],
        [second, "Bank account · Ana · 4321 · USD"]
      ])
      assert.notInclude(text, other.destination_id)
      assert.notInclude(text, waiting)
      const refused = yield* submit(finance, "/desk/payouts/do/create", { amount: "none", currency: "USD", destination_id: second })
      assert.include(refused.text, `<option value="${second}" selected>`)
    }))

  it.effect("is free text where there is nothing to choose, and beside text where something else may be given", () =>
    Effect.gen(function*() {
      const { id } = yield* openMerchant("New")
      const owner = yield* signedIn(id, "owner")
      assert.match(yield* page(owner, "/desk/payouts/do/create"), /<input[^>]* name="destination_id"/u)
      assert.match(yield* page(owner, "/desk/payments/do/create"), /<input[^>]* name="payment_method_id"/u)
    }))

  it.effect("is a customer's own payment methods beside a text, which takes a token as well", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("Nordlicht Keramik")
      const stored = (customer_id: string) =>
        must("POST", "/v1/payment_methods", { key, body: { type: "card", token: "tok_visa", customer_id, idempotency_key: randomUUID() } })
      const [own, other] = [yield* stored("customer-1"), yield* stored("customer-2")]
      const body = { amount: 1_000, currency: "EUR", customer_id: "customer-1", idempotency_key: randomUUID() }
      const { id: payment } = yield* must("POST", "/v1/payment_intents", { key, body })
      const text = yield* page(yield* signedIn(id, "support"), `/desk/payments/${String(payment)}/do/authorize`)
      assert.match(text, /<input[^>]* name="payment_method_id"[^>]* list="f-payment_method_id-offers"/u)
      assert.include(text, `<option value="${String(own["id"])}">Card · visa · 4242 · customer-1</option>`)
      assert.notInclude(text, String(other["id"]))
    }))

  it.effect("is free text where there are more than anybody looks through", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("New")
      const sql = yield* SqlClient.SqlClient
      const owner = yield* signedIn(id, "owner")
      const plan = (n: number) =>
        must("POST", "/v1/plans", {
          key,
          body: { name: `Plan ${n}`, amount: 1_000 + n, currency: "EUR", billing_period: "monthly", idempotency_key: randomUUID() }
        })
      const form = Effect.andThen(
        sql`UPDATE plans SET status = 'active' WHERE account_id = ${id}`,
        page(owner, "/desk/subscriptions/do/create")
      )
      yield* Effect.forEach(Array.from({ length: 100 }, (_, n) => n), plan)
      const offered = choicesOf(yield* form, "plan_id")
      assert.strictEqual(offered.length, 100)
      assert.include(offered.map(([, label]) => label), "Plan 7 · €10.07 · Monthly")
      yield* plan(100)
      assert.match(yield* form, /<input[^>]* name="plan_id"/u)
    }))

  it.effect("and says how much of a payment can be refunded, and what empty means", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("Nordlicht Keramik")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      const { id: payment } = yield* post("/v1/payment_intents", {
        amount: 5_000,
        currency: "EUR",
        payment_method_id: "tok_visa",
        capture: true
      })
      yield* post(`/v1/payment_intents/${String(payment)}/refund`, { amount: 1_250 })
      const text = yield* page(yield* signedIn(id, "support"), `/desk/payments/${String(payment)}/do/refund`)
      assert.include(text, "In EUR, at most €37.50; empty means all of it")
    }))
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("where ids and addresses lead", (it) => {
  const opened = Effect.fnUntraced(function*(person: SignedIn, path: string, to: string) {
    const text = yield* page(person, path)
    assert.include(text, `href="${to}"`, path)
    assert.strictEqual((yield* send("GET", to, { headers: { cookie: person.cookie } })).status, 200, to)
    return text
  })

  it.effect("to the view of whoever looks: people and requests have one in the account and one in the installation", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Nordlicht Keramik")
      const owner = yield* signedIn(merchant.id, "owner")
      const made = yield* submit(owner, "/desk/passthrough_sessions/do/create", { flow_kind: "payout_bank" })
      const session = made.headers["location"] ?? ""
      const text = yield* opened(owner, session, `/desk/people/${owner.user_id}`)
      assert.notInclude(text, "/desk/installation_people")
      yield* opened(owner, "/desk/audit_log", `/desk/people/${owner.user_id}`)
      const operator = yield* signedIn(null, "owner")
      const people = yield* page(operator, "/desk/installation_people")
      assert.include(people, `/desk/installation_people/${operator.user_id}`)
    }))

  it.effect("nowhere for a role that may not open it", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Nordlicht Keramik")
      const owner = yield* signedIn(merchant.id, "owner")
      yield* submit(owner, "/desk/passthrough_sessions/do/create", { flow_kind: "payout_bank" })
      for (const role of ["owner", "developer", "finance", "support", "viewer"] satisfies ReadonlyArray<Role>) {
        const person = yield* signedIn(merchant.id, role)
        for (const to of new Set((yield* page(person, "/desk/audit_log")).match(/(?<=href=")\/desk\/\w+\/[a-z]+_[0-9A-Z]+(?=")/gu) ?? [])) {
          assert.notStrictEqual((yield* send("GET", to, { headers: { cookie: person.cookie } })).status, 403, `${role}: ${to}`)
        }
      }
    }))

  it.effect("a passthrough page is shown with its whole address, to be copied", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Nordlicht Keramik")
      const owner = yield* signedIn(merchant.id, "owner")
      const made = yield* submit(owner, "/desk/passthrough_sessions/do/create", { flow_kind: "payout_bank" })
      const text = yield* page(owner, made.headers["location"] ?? "")
      const [, address = "", shown = ""] = /<a id="link-path" href="(https?:\/\/[^"]+\/pass\/[^"]+)"[^>]*>([^<]+)</u.exec(text) ?? []
      assert.isNotEmpty(address)
      assert.strictEqual(shown, address)
      assert.include(text, "data-copy=\"link-path\"")
      assert.strictEqual((yield* send("GET", new URL(address).pathname, {})).status, 200)
    }))
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("what an account is", (it) => {
  it.effect("stands on each page, and a live one is told of no test token", () =>
    Effect.gen(function*() {
      const { id } = yield* openMerchant("Nordlicht Keramik")
      const owner = yield* signedIn(id, "owner")
      const sandbox = yield* page(owner, "/desk")
      assert.include(sandbox, ">Sandbox</span>")
      assert.include(sandbox, "tok_visa")
      yield* (yield* SqlClient.SqlClient)`UPDATE accounts SET sandbox = false WHERE id = ${id}`
      const live = yield* page(yield* signedIn(id, "owner"), "/desk")
      assert.include(live, "Your account is live: what is still open")
      assert.notInclude(live, "tok_visa")
      for (const path of ["/desk", "/desk/payments", "/desk/you"]) {
        assert.match(yield* page(owner, path), /class="brand">.*?>Live<\/span>/su, path)
      }
    }))

  it.effect("after the simulated bank and after the exchange the page says what comes next", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("Nordlicht Keramik")
      const owner = yield* signedIn(id, "owner")
      const { id: link } = yield* must("POST", "/v1/bank_links", { key, body: { idempotency_key: randomUUID() } })
      const signedInAtBank = yield* submit(owner, `/desk/bank_links/${String(link)}/do/simulate`)
      assert.include(signedInAtBank.text, "href=\"/desk/bank_links/do/exchange\"")
      assert.include(signedInAtBank.text, `href="/desk/bank_links/${String(link)}"`)
      const [, public_token = ""] = /id="secret-public_token" value="([^"]+)"/u.exec(signedInAtBank.text) ?? []
      const exchanged = yield* submit(owner, "/desk/bank_links/do/exchange", { public_token })
      const done = String(exchanged.headers["set-cookie"]).split(";")[0] ?? ""
      const text = yield* page({ cookie: `${owner.cookie}; ${done}` }, exchanged.headers["location"] ?? "")
      assert.include(text, "Exchange public token: done. Next: Pay out to a linked account.")
    }))
})
