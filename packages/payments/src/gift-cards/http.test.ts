import { assert, layer } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { itemsOf, jsonOf, layer as service, type Merchant, must, openMerchant, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Settlements } from "../settlements/service.ts"

const PATH = "/v1/gift_cards"
const INTENTS = "/v1/payment_intents"

const keyed = (body: object) => ({ idempotency_key: randomUUID(), ...body })
const post = ({ key }: Merchant, path: string, body: object) => send("POST", path, { key, body: keyed(body) })
const made = ({ key }: Merchant, path: string, body: object) => must("POST", path, { key, body: keyed(body) })

/** A merchant with 96.80 dollars that have arrived. */
const merchantWithMoney = Effect.fnUntraced(function*(name: string) {
  const merchant = yield* openMerchant(name)
  const { id } = yield* made(merchant, INTENTS, { amount: 10_000, currency: "USD" })
  yield* made(merchant, `${INTENTS}/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  const [settlement] = itemsOf(yield* must("GET", `/v1/settlements?payment_intent_id=${String(id)}`, { key: merchant.key }))
  yield* Effect.orDie((yield* Settlements).proceed(merchant.id, String((settlement as { readonly id: unknown }).id)))
  return merchant
})

/** A card with so much on it. */
const cardOf = Effect.fnUntraced(function*(merchant: Merchant, amount: number) {
  const { code, id } = yield* must("POST", PATH, { key: merchant.key, body: { currency: "USD" } })
  yield* made(merchant, `${PATH}/${String(id)}/load`, { amount })
  return { id: String(id), code: String(code) }
})

const payment = (merchant: Merchant, amount: number, more: object = {}) =>
  Effect.map(made(merchant, INTENTS, { amount, currency: "USD", ...more }), ({ id }) => String(id))

const balance = ({ key }: Merchant) =>
  Effect.map(must("GET", "/v1/balance_accounts", { key }), (list) =>
    itemsOf(list).map((row) => {
      const { available, pending, reserved } = row as { readonly available: number; readonly pending: number; readonly reserved: number }
      return [available, pending, reserved]
    })[0])

const error = (
  answer: { readonly status: number; readonly text: string }
) => [answer.status, jsonOf(answer)["error"], jsonOf(answer)["code"]]

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("gift cards", (it) => {
  it.effect("show their code once, and only a hash of it is kept anywhere", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("codes")
      const issued = yield* must("POST", PATH, { key: merchant.key, body: { currency: "USD" } })
      const code = String(issued["code"])
      assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
      assert.notProperty(issued, "code_hash")
      yield* made(merchant, INTENTS, { amount: 1, currency: "USD" })
      assert.notProperty(yield* must("GET", `${PATH}/${String(issued["id"])}`, { key: merchant.key }), "code")
      const sql = yield* SqlClient.SqlClient
      const plain = code.replaceAll("-", "")
      for (const table of ["gift_cards", "idempotency_keys", "financial_events"]) {
        const rows = yield* sql<{ readonly text: string }>`SELECT r::text AS text FROM ${sql(table)} r`
        assert.isNotEmpty(rows)
        for (const { text } of rows) for (const secret of [code, plain]) assert.notInclude(text, secret)
      }
    }))

  it.effect("are loaded with what is available, and redeemed to it", () =>
    Effect.gen(function*() {
      const merchant = yield* merchantWithMoney("loaded")
      const { code, id } = yield* cardOf(merchant, 2_500)
      assert.deepStrictEqual(yield* balance(merchant), [7_180, 0, 2_500])
      assert.deepStrictEqual(error(yield* post(merchant, `${PATH}/${id}/load`, { amount: 7_181 })), [400, "insufficient_balance", "amount"])
      // As people type it.
      const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`
      assert.deepInclude(yield* made(merchant, `${PATH}/${id}/redeem`, { code: typed, amount: 1_000 }), {
        balance: 1_500,
        status: "active"
      })
      assert.deepStrictEqual(error(yield* post(merchant, `${PATH}/${id}/redeem`, { code, amount: 1_501 })), [
        400,
        "insufficient_balance",
        "amount"
      ])
      assert.deepInclude(yield* made(merchant, `${PATH}/${id}/redeem`, { code }), { balance: 0, status: "used" })
      assert.deepStrictEqual(yield* balance(merchant), [9_680, 0, 0])
      assert.deepStrictEqual(error(yield* post(merchant, `${PATH}/${id}/redeem`, { code }))[1], "invalid_state")
      assert.deepInclude(yield* must("GET", "/v1/ledger/verify", { key: merchant.key }), { ok: true })
    }))

  it.effect("pay a payment, which is captured without a fee; what is refunded of it goes back to the card", () =>
    Effect.gen(function*() {
      const merchant = yield* merchantWithMoney("paying")
      const { code, id } = yield* cardOf(merchant, 2_500)
      const intent = yield* payment(merchant, 2_000)
      yield* made(merchant, `${PATH}/${id}/redeem`, { code, payment_intent_id: intent })
      const paid = yield* must("GET", `${INTENTS}/${intent}`, { key: merchant.key })
      assert.deepInclude(paid, {
        state: "captured",
        captured_amount: 2_000,
        fee_amount: 0,
        selected_rail: "gift_card",
        payment_method_id: id
      })
      assert.deepStrictEqual(yield* balance(merchant), [9_180, 0, 500])
      yield* made(merchant, `${INTENTS}/${intent}/refund`, { amount: 800 })
      assert.deepInclude(yield* must("GET", `${PATH}/${id}`, { key: merchant.key }), { balance: 1_300, status: "active" })
      yield* made(merchant, `${INTENTS}/${intent}/refund`, {})
      assert.deepInclude(yield* must("GET", `${PATH}/${id}`, { key: merchant.key }), { balance: 2_500 })
      assert.deepInclude(yield* must("GET", `${INTENTS}/${intent}`, { key: merchant.key }), { state: "refunded", refunded_amount: 2_000 })
      assert.deepStrictEqual(yield* balance(merchant), [7_180, 0, 2_500])
      assert.deepInclude(yield* must("GET", "/v1/ledger/verify", { key: merchant.key }), { ok: true })
      // No network disputes it.
      assert.deepStrictEqual(error(yield* post(merchant, "/v1/disputes/simulate", { payment_intent_id: intent })), [
        400,
        "validation_error",
        "amount"
      ])
    }))

  it.effect("give their money once: of two redemptions at once that are more together one is carried out", () =>
    Effect.gen(function*() {
      const merchant = yield* merchantWithMoney("racing")
      const { code, id } = yield* cardOf(merchant, 1_000)
      const [one, other] = [yield* payment(merchant, 700), yield* payment(merchant, 700)]
      const both = yield* Effect.forEach([one, other], (payment_intent_id) =>
        post(merchant, `${PATH}/${id}/redeem`, { code, payment_intent_id }), { concurrency: 2 })
      assert.deepStrictEqual(
        both.map(({ status }) =>
          status
        ).sort(),
        [200, 400]
      )
      const states = yield* Effect.forEach([one, other], (intent) =>
        Effect.map(must("GET", `${INTENTS}/${intent}`, { key: merchant.key }), ({ state }) =>
          state))
      assert.deepStrictEqual(states.sort(), ["captured", "created"])
      assert.deepInclude(yield* must("GET", `${PATH}/${id}`, { key: merchant.key }), { balance: 300 })
      assert.deepStrictEqual(yield* balance(merchant), [9_380, 0, 300])
    }))

  it.effect("are not tried for a while after five wrong codes, by nobody, also when these come at once", () =>
    Effect.gen(function*() {
      const merchant = yield* merchantWithMoney("guessed")
      const { code, id } = yield* cardOf(merchant, 1_000)
      const wrong = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        post(merchant, `${PATH}/${id}/redeem`, { code: "0000-0000-0000-0000" }), { concurrency: 4 })
      assert.deepStrictEqual(wrong.map(error), wrong.map(() => [400, "validation_error", "code"]))
      // A right one forgives the slips before it.
      yield* made(merchant, `${PATH}/${id}/redeem`, { code, amount: 1 })
      const more = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        post(merchant, `${PATH}/${id}/redeem`, { code: "0000-0000-0000-0000" }), { concurrency: 8 })
      assert.deepStrictEqual(
        more.map(({ status }) =>
          status
        ).sort(),
        [400, 400, 400, 400, 400, 429, 429, 429]
      )
      const locked = yield* post(merchant, `${PATH}/${id}/redeem`, { code, amount: 1 })
      assert.deepStrictEqual([locked.status, jsonOf(locked)["error"]], [429, "rate_limited"])
      const sql = yield* SqlClient.SqlClient
      // A quarter of an hour later.
      yield* sql`UPDATE gift_cards SET locked_until = locked_until - interval '15 minutes' WHERE id = ${id}`
      assert.strictEqual((yield* post(merchant, `${PATH}/${id}/redeem`, { code, amount: 1 })).status, 200)
    }))

  it.effect("pay only what they can: whole, in their currency, of one's own, while it waits for its money", () =>
    Effect.gen(function*() {
      const [merchant, other] = [yield* merchantWithMoney("fit"), yield* openMerchant("unfit")]
      const { code, id } = yield* cardOf(merchant, 2_000)
      const redeem = (body: object) => Effect.map(post(merchant, `${PATH}/${id}/redeem`, { code, ...body }), error)
      const own = yield* payment(merchant, 500)
      assert.deepStrictEqual(yield* redeem({ payment_intent_id: own, amount: 400 }), [400, "validation_error", "amount"])
      assert.deepStrictEqual(yield* redeem({ payment_intent_id: yield* payment(merchant, 2_001) }), [400, "insufficient_balance", "amount"])
      assert.deepStrictEqual(yield* redeem({ payment_intent_id: yield* payment(merchant, 500, { currency: "EUR" }) }), [
        400,
        "validation_error",
        "payment_intent_id"
      ])
      assert.deepStrictEqual(yield* redeem({ payment_intent_id: yield* payment(merchant, 500, { destination_currency: "EUR" }) }), [
        400,
        "validation_error",
        "payment_intent_id"
      ])
      assert.deepStrictEqual(yield* redeem({ payment_intent_id: yield* payment(other, 500) }), [
        400,
        "validation_error",
        "payment_intent_id"
      ])
      yield* made(merchant, `${PATH}/${id}/redeem`, { code, payment_intent_id: own })
      assert.deepStrictEqual((yield* redeem({ payment_intent_id: own }))[1], "invalid_state")
      assert.strictEqual((yield* send("GET", `${PATH}/${id}`, { key: other.key })).status, 404)
      assert.isObject(parseJson((yield* send("GET", `${PATH}?status=active`, { key: merchant.key })).text))
    }))
})
