import { assert, layer } from "@effect/vitest"
import { jsonOf, layer as service, must, openMerchant, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

const PATH = "/v1/payment_intents"
const usd = { amount: 1_000, currency: "USD" }

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the payment intent routes", (it) => {
  it.effect("take a destination currency, where there is a rate for it", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("destination")
      const create = (destination_currency: unknown) =>
        send("POST", PATH, { key, body: { ...usd, destination_currency, idempotency_key: randomUUID() } })
      for (const destination of ["USD", "EUR", null]) {
        const made = yield* create(destination)
        assert.deepStrictEqual([made.status, jsonOf(made)["destination_currency"]], [201, destination])
      }
      const refused = yield* create("CLF")
      const { code, error, message } = jsonOf(refused)
      assert.deepStrictEqual([refused.status, error, code], [400, "validation_error", "destination_currency"])
      assert.match(String(message), /no rate for CLF/)
      assert.strictEqual((yield* must("GET", PATH, { key }))["total"], 3)
    }))

  it.effect("refuse a day that there is not, and take one that there is", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("days")
      yield* must("POST", PATH, { key, body: { ...usd, idempotency_key: randomUUID() } })
      for (const day of ["2026-02-30", "2026-02-30T00:00:00Z", "2026-02-28T24:00:00Z", "2026", "yesterday"]) {
        const answer = yield* send("GET", `${PATH}?created_at[gte]=${day}`, { key })
        const { code, error } = jsonOf(answer)
        assert.deepStrictEqual([answer.status, error, code], [400, "validation_error", "created_at[gte]"], day)
      }
      for (
        const [day, total] of [["2024-02-29", 1], ["2024-02-29T12:00:00.5Z", 1], ["2024-02-29T12:00:00%2B02:00", 1], [
          "9999-12-31",
          0
        ]] as const
      ) {
        assert.strictEqual((yield* must("GET", `${PATH}?created_at[gte]=${day}`, { key }))["total"], total, day)
      }
    }))

  it.effect("take a payment by one request, whose repetition is answered with the same bytes", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("one-request")
      const body = { ...usd, payment_method_id: "tok_visa", capture: true, idempotency_key: randomUUID() }
      const [first, again] = [yield* send("POST", PATH, { key, body }), yield* send("POST", PATH, { key, body })]
      assert.deepInclude(jsonOf(first), { state: "captured", captured_amount: 1_000, payment_method_id: "tok_visa", version: 3 })
      assert.deepStrictEqual([first.status, again.status, again.headers["idempotent-replayed"], again.text], [201, 200, "true", first.text])
      const { idempotency_key, ...rest } = body
      const byHeader = yield* send("POST", PATH, { key, body: rest, headers: { "Idempotency-Key": idempotency_key } })
      assert.deepStrictEqual([byHeader.status, byHeader.text], [200, first.text])
      const { operation, resource_id, status } = yield* must("GET", `/v1/idempotency_keys/${idempotency_key}`, { key })
      assert.deepStrictEqual([operation, resource_id, status], ["payment_intent.create", jsonOf(first)["id"], "done"])
    }))

  it.effect("answer 402 to one whose money is refused, also when it is repeated, and name the failed payment", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("one-request-declined")
      const body = { ...usd, payment_method_id: "tok_insufficient_funds", capture: true, idempotency_key: randomUUID() }
      const [first, again] = [yield* send("POST", PATH, { key, body }), yield* send("POST", PATH, { key, body })]
      const { decline_code, details, error } = jsonOf(first)
      assert.deepStrictEqual([first.status, error, decline_code], [402, "card_declined", "insufficient_funds"])
      assert.deepStrictEqual([again.status, again.text], [402, first.text])
      const { data } = yield* must("GET", PATH, { key })
      const [intent, ...others] = Array.isArray(data) ? data : []
      assert.deepStrictEqual([others, intent.state, details], [[], "failed", { payment_intent_id: intent.id, state: "failed" }])
    }))

  it.effect("create without a method, or with null in its place, and take no capture then", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("one-request-none")
      const post = (body: object) => send("POST", PATH, { key, body: { ...usd, idempotency_key: randomUUID(), ...body } })
      for (const body of [{}, { payment_method_id: null }, { capture: false }]) {
        assert.strictEqual(jsonOf(yield* post(body))["state"], "created")
      }
      for (const body of [{ capture: true }, { capture: true, payment_method_id: null }]) {
        const { code, error } = jsonOf(yield* post(body))
        assert.deepStrictEqual([error, code], ["validation_error", "capture"])
      }
      assert.deepInclude(jsonOf(yield* post({ payment_method_id: "" })), { error: "validation_error", code: "payment_method_id" })
      assert.strictEqual((yield* must("GET", PATH, { key }))["total"], 3)
    }))

  it.effect("leave no money behind that nothing can return: the last of 200 refunds takes all that is left", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("refunds")
      const { id } = yield* must("POST", PATH, { key, body: { ...usd, idempotency_key: randomUUID() } })
      const post = (verb: string, body: object) =>
        send("POST", `${PATH}/${String(id)}/${verb}`, { key, body: { ...body, idempotency_key: randomUUID() } })
      yield* post("authorize", { payment_method_id: "tok_visa", capture: true })
      for (let n = 1; n < 200; n++) assert.strictEqual((yield* post("refund", { amount: 1 })).status, 200, `refund ${n}`)
      const partial = yield* post("refund", { amount: 1 })
      const { code, details, error } = jsonOf(partial)
      assert.deepStrictEqual([partial.status, error, code, details], [400, "validation_error", "amount", { remaining: 801 }], partial.text)
      const rest = yield* post("refund", {})
      const { captured_amount, refunded_amount, refunds, state } = jsonOf(rest)
      assert.deepStrictEqual([rest.status, state, captured_amount, refunded_amount], [200, "refunded", 1_000, 1_000], rest.text)
      assert.strictEqual(Array.isArray(refunds) ? refunds.length : 0, 200)
    }))
})
