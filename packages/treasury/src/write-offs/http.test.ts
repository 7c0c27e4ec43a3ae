import { assert, layer } from "@effect/vitest"
import { Settlements } from "@svc/payments/settlements/service"
import { itemsOf, jsonOf, layer as service, type Merchant, must, openMerchant, operatorKey, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

const PATH = "/v1/write_offs"

const keyed = (body: object) => ({ idempotency_key: randomUUID(), ...body })

/** A merchant that owes 3.20 dollars: a payment was settled and then refunded whole, and its fee was kept. */
const owingMerchant = Effect.fnUntraced(function*(name: string) {
  const merchant = yield* openMerchant(name)
  const { id: account, key } = merchant
  const { id } = yield* must("POST", "/v1/payment_intents", { key, body: keyed({ amount: 10_000, currency: "USD" }) })
  yield* must("POST", `/v1/payment_intents/${String(id)}/authorize`, { key, body: keyed({ payment_method_id: "tok_visa", capture: true }) })
  const [settlement] = itemsOf(yield* must("GET", `/v1/settlements?payment_intent_id=${String(id)}`, { key }))
  yield* Effect.orDie((yield* Settlements).proceed(account, String((settlement as { readonly id: unknown }).id)))
  yield* must("POST", `/v1/payment_intents/${String(id)}/refund`, { key, body: keyed({ amount: 10_000 }) })
  return merchant
})

const available = ({ key }: Merchant) =>
  Effect.map(
    must("GET", "/v1/balance_accounts", { key }),
    (list) => itemsOf(list).map((row) => (row as { readonly available: number }).available)[0]
  )

const writeOff = (key: string, { id }: Merchant, more: object = {}) =>
  send("POST", PATH, { key, body: keyed({ merchant_id: id, currency: "USD", reason: "The business has closed", ...more }) })

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("write-offs", (it) => {
  it.effect("let an account be closed that owes money, and the audit log and the ledger know of it", () =>
    Effect.gen(function*() {
      const [operator, merchant] = [yield* operatorKey, yield* owingMerchant("owes")]
      const close = send("POST", `/v1/accounts/${merchant.id}/close`, { key: operator })
      const refused = yield* close
      assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [409, "invalid_state"])
      assert.include(refused.text, "available -320")
      assert.include(refused.text, "POST /v1/write_offs")
      const part = yield* writeOff(operator, merchant, { amount: 20 })
      assert.strictEqual(part.status, 201, part.text)
      assert.strictEqual(yield* available(merchant), -300)
      const made = jsonOf(yield* writeOff(operator, merchant))
      assert.deepInclude(made, { merchant_id: merchant.id, amount: 300, currency: "USD", reason: "The business has closed" })
      assert.strictEqual(yield* available(merchant), 0)
      assert.deepStrictEqual(yield* must("GET", `${PATH}/${String(made["id"])}`, { key: merchant.key }), made)
      assert.strictEqual(itemsOf(yield* must("GET", `${PATH}?currency=USD`, { key: merchant.key })).length, 2)
      const [entry, ...others] = itemsOf(
        yield* must("GET", `/v1/financial_events?resource_id=${String(made["id"])}`, { key: merchant.key })
      )
      assert.deepInclude(entry, { event_type: "fee_refunded", amount: 300, delta_available: 300, resource_type: "write_off" })
      assert.deepStrictEqual(others, [])
      assert.deepInclude(yield* must("GET", "/v1/ledger/verify", { key: merchant.key }), { ok: true })
      const [audited] = itemsOf(yield* must("GET", `/v1/audit_log?resource_id=${String(made["id"])}`, { key: merchant.key }))
      assert.deepInclude(audited, { action: "write_off.created", resource_id: made["id"] })
      const closed = yield* close
      assert.deepStrictEqual([closed.status, jsonOf(closed)["status"]], [200, "closed"], closed.text)
    }))

  it.effect("are of what is owed, and nothing else", () =>
    Effect.gen(function*() {
      const [operator, merchant, other] = [yield* operatorKey, yield* owingMerchant("small"), yield* openMerchant("nothing")]
      const more = yield* writeOff(operator, merchant, { amount: 321 })
      assert.deepStrictEqual([more.status, jsonOf(more)["code"]], [400, "amount"])
      assert.strictEqual((yield* writeOff(operator, merchant, { currency: "EUR" })).status, 409)
      assert.strictEqual((yield* writeOff(operator, other)).status, 409)
      const { id } = yield* must("POST", "/v1/payment_intents", { key: merchant.key, body: keyed({ amount: 1_000, currency: "USD" }) })
      yield* must("POST", `/v1/payment_intents/${String(id)}/authorize`, {
        key: merchant.key,
        body: keyed({ payment_method_id: "tok_visa", capture: true })
      })
      const early = yield* writeOff(operator, merchant)
      assert.strictEqual(early.status, 409)
      assert.include(early.text, "may pay that")
      assert.strictEqual(yield* available(merchant), -320)
    }))

  it.effect("are made once a key, by the operator alone, and seen by their own merchant", () =>
    Effect.gen(function*() {
      const [operator, merchant, other] = [yield* operatorKey, yield* owingMerchant("mine"), yield* openMerchant("theirs")]
      assert.strictEqual((yield* writeOff(merchant.key, merchant)).status, 403)
      assert.strictEqual((yield* writeOff(operator, { ...merchant, id: "acct_01KDV8Q400ABCDEFGHJKMNPQRS" })).status, 404)
      const idempotency_key = randomUUID()
      const answers = yield* Effect.forEach([1, 2], () => writeOff(operator, merchant, { amount: 100, idempotency_key }))
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 200])
      assert.strictEqual(answers[0]?.text, answers[1]?.text)
      assert.strictEqual(yield* available(merchant), -220)
      const both = yield* Effect.forEach([1, 2], () => writeOff(operator, merchant, { amount: 220 }), { concurrency: 2 })
      assert.deepStrictEqual([both.map(({ status }) => status).toSorted(), yield* available(merchant)], [[201, 409], 0])
      const id = String(jsonOf(answers[0]!)["id"])
      assert.strictEqual((yield* send("GET", `${PATH}/${id}`, { key: other.key })).status, 404)
      // Those of all accounts are the operator's alone.
      const everybodys = "/v1/operator/write_offs"
      assert.strictEqual((yield* send("GET", `${everybodys}/${id}`, { key: merchant.key })).status, 403)
      assert.deepStrictEqual(yield* must("GET", `${everybodys}/${id}`, { key: operator }), jsonOf(answers[0]!))
      assert.strictEqual((yield* send("GET", `${everybodys}/wo_01KDV8Q400ABCDEFGHJKMNPQRS`, { key: operator })).status, 404)
      const listed = itemsOf(yield* must("GET", `${everybodys}?currency=USD`, { key: operator }))
      assert.deepInclude(listed, jsonOf(answers[0]!))
      assert.isAbove(new Set(listed.map((row) => (row as { readonly merchant_id: string }).merchant_id)).size, 1)
      assert.deepStrictEqual(itemsOf(yield* must("GET", `${everybodys}?currency=EUR`, { key: operator })), [])
    }))
})
