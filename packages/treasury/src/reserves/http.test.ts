import { assert, layer } from "@effect/vitest"
import { Settlements } from "@svc/payments/settlements/service"
import { itemsOf, jsonOf, layer as service, type Merchant, must, openMerchant, operatorKey, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

const PATH = "/v1/reserves"

const keyed = (body: object) => ({ idempotency_key: randomUUID(), ...body })

/** A merchant with 96.80 dollars that have arrived. */
const merchantWithMoney = Effect.fnUntraced(function*(name: string) {
  const merchant = yield* openMerchant(name)
  const { id: account, key } = merchant
  const { id } = yield* must("POST", "/v1/payment_intents", { key, body: keyed({ amount: 10_000, currency: "USD" }) })
  yield* must("POST", `/v1/payment_intents/${String(id)}/authorize`, { key, body: keyed({ payment_method_id: "tok_visa", capture: true }) })
  const [settlement] = itemsOf(yield* must("GET", `/v1/settlements?payment_intent_id=${String(id)}`, { key }))
  yield* Effect.orDie((yield* Settlements).proceed(account, String((settlement as { readonly id: unknown }).id)))
  return merchant
})

const balance = ({ key }: Merchant) =>
  Effect.map(must("GET", "/v1/balance_accounts", { key }), (list) =>
    itemsOf(list).map((row) => {
      const { available, pending, reserved } = row as { readonly available: number; readonly pending: number; readonly reserved: number }
      return [available, pending, reserved]
    })[0])

const hold = (key: string, { id }: Merchant, amount: number, more: object = {}) =>
  send("POST", PATH, { key, body: keyed({ merchant_id: id, amount, currency: "USD", reason: "Many disputes", ...more }) })

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("reserves", (it) => {
  it.effect("are held by the operator, given back in part and kept in part, and the merchant sees it", () =>
    Effect.gen(function*() {
      const [operator, merchant] = [yield* operatorKey, yield* merchantWithMoney("held")]
      const made = yield* hold(operator, merchant, 5_000)
      assert.strictEqual(made.status, 201)
      const id = String(jsonOf(made)["id"])
      assert.deepStrictEqual(yield* balance(merchant), [4_680, 0, 5_000])
      const release = yield* must("POST", `${PATH}/${id}/release`, { key: operator, body: keyed({ amount: 2_000 }) })
      assert.deepInclude(release, { status: "held", released_amount: 2_000, version: 2 })
      const forfeit = yield* must("POST", `${PATH}/${id}/forfeit`, { key: operator, body: keyed({}) })
      assert.deepInclude(forfeit, { status: "closed", released_amount: 2_000, forfeited_amount: 3_000 })
      assert.deepStrictEqual(yield* balance(merchant), [6_680, 0, 0])
      assert.deepStrictEqual(yield* must("GET", `${PATH}/${id}`, { key: merchant.key }), forfeit)
      const { data } = yield* must("GET", "/v1/financial_events?per_page=100", { key: merchant.key })
      const types = (data as ReadonlyArray<{ readonly event_type: string; readonly resource_id: string }>).filter(({ resource_id }) =>
        resource_id === id
      ).map(({ event_type }) => event_type)
      assert.deepStrictEqual(types, ["reserve_forfeited", "reserve_released", "reserve_held"])
      assert.deepInclude(yield* must("GET", "/v1/ledger/verify", { key: merchant.key }), { ok: true })
      const closed = yield* send("POST", `${PATH}/${id}/release`, { key: operator, body: keyed({}) })
      assert.deepStrictEqual([closed.status, jsonOf(closed)["error"]], [409, "invalid_state"])
    }))

  it.effect("are of what is available: more is refused, and of two at once that are more together one is held", () =>
    Effect.gen(function*() {
      const [operator, merchant] = [yield* operatorKey, yield* merchantWithMoney("short")]
      const refused = yield* hold(operator, merchant, 9_681)
      assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [400, "insufficient_balance"])
      const both = yield* Effect.forEach([5_000, 5_000], (amount) => hold(operator, merchant, amount), { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [201, 400])
      assert.deepStrictEqual(yield* balance(merchant), [4_680, 0, 5_000])
    }))

  it.effect("are one, however often a key is sent; a key of one account is refused for another", () =>
    Effect.gen(function*() {
      const [operator, merchant, other] = [yield* operatorKey, yield* merchantWithMoney("again"), yield* merchantWithMoney("other")]
      const idempotency_key = randomUUID()
      const answers = [yield* hold(operator, merchant, 100, { idempotency_key }), yield* hold(operator, merchant, 100, { idempotency_key })]
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 200])
      assert.strictEqual(answers[0]?.text, answers[1]?.text)
      assert.deepStrictEqual(jsonOf(yield* hold(operator, other, 100, { idempotency_key }))["error"], "idempotency_key_reused")
      assert.deepStrictEqual(yield* balance(merchant), [9_580, 0, 100])
    }))

  it.effect("are the operator's to hold and to end, and each merchant's own to see", () =>
    Effect.gen(function*() {
      const [operator, merchant, other] = [yield* operatorKey, yield* merchantWithMoney("mine"), yield* openMerchant("theirs")]
      assert.strictEqual((yield* hold(merchant.key, merchant, 100)).status, 403)
      const id = String(jsonOf(yield* hold(operator, merchant, 100))["id"])
      assert.strictEqual((yield* send("POST", `${PATH}/${id}/release`, { key: merchant.key, body: keyed({}) })).status, 403)
      assert.strictEqual((yield* send("GET", `${PATH}/${id}`, { key: other.key })).status, 404)
      assert.strictEqual(
        (yield* send("POST", `${PATH}/rsv_01KDV8Q400ABCDEFGHJKMNPQRS/release`, { key: operator, body: keyed({}) })).status,
        404
      )
      assert.strictEqual((yield* hold(operator, { ...merchant, id: "acct_01KDV8Q400ABCDEFGHJKMNPQRS" }, 100)).status, 404)
    }))
})
