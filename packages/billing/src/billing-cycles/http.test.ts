/** The routes of billing cycles, as requests see them. */
import { assert, layer } from "@effect/vitest"
import { jsonOf, layer as service, must, openMerchant, send } from "@svc/testkit/contract/service"
import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { BillingCycleJson } from "./model.ts"

const decodeCycles = Schema.decodeUnknownEffect(Schema.Struct({ data: Schema.Tuple([BillingCycleJson]) }))

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the result of a charge", (it) => {
  /** A cycle that waits for a result. */
  const openCycle = Effect.fnUntraced(function*(name: string) {
    const { key } = yield* openMerchant(name)
    const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
    const plan = { name: "Pro", amount: 2_000, currency: "USD", billing_period: "monthly" }
    const { id: plan_id } = yield* must("POST", "/v1/plans", { key, body: plan })
    yield* must("POST", `/v1/plans/${String(plan_id)}/activate`, { key, body: {} })
    const { id } = yield* post("/v1/subscriptions", { plan_id, customer_id: "customer-1", payment_method_id: null })
    const { data: [{ id: cycle }] } = yield* decodeCycles(yield* must("GET", `/v1/billing_cycles?subscription_id=${String(id)}`, { key }))
    const path = `/v1/billing_cycles/${cycle}`
    const record = (body: object) => send("POST", `${path}/record_charge_result`, { key, body: { success: true, ...body } })
    return { cycle: must("GET", path, { key }), post, record }
  })

  it.effect("names a payment of the account, or money that was taken elsewhere by a reference that says so", () =>
    Effect.gen(function*() {
      const { cycle, post, record } = yield* openCycle("references")
      const { id } = yield* post("/v1/payment_intents", { amount: 2_000, currency: "USD", payment_method_id: "tok_visa", capture: true })
      const refused: ReadonlyArray<readonly [object, string]> = [
        [{ payment_intent_id: " " }, "payment_intent_id"],
        [{ payment_intent_id: "" }, "payment_intent_id"],
        [{ payment_intent_id: "PI_X" }, "payment_intent_id"],
        [{ payment_intent_id: ` ${String(id)}` }, "payment_intent_id"],
        [{ payment_intent_id: "bank-7" }, "payment_intent_id"],
        [{ external_reference: " " }, "external_reference"],
        [{ external_reference: "" }, "external_reference"],
        [{ external_reference: "bank-7 " }, "external_reference"],
        [{ external_reference: "bank\n7" }, "external_reference"],
        [{ external_reference: "7".repeat(256) }, "external_reference"],
        [{ external_reference: String(id) }, "external_reference"],
        [{ external_reference: "bank-7", payment_intent_id: String(id) }, "external_reference"]
      ]
      for (const [body, field] of refused) {
        for (const success of [true, false]) {
          const answer = yield* record({ ...body, success })
          const { code, error } = jsonOf(answer)
          assert.deepStrictEqual([answer.status, error, code], [400, "validation_error", field], JSON.stringify(body))
        }
      }
      assert.strictEqual((yield* record({ payment_intent_id: "pi_01KDV8Q400ABCDEFGHJKMNPQRS" })).status, 404)
      assert.deepInclude(yield* cycle, { status: "pending", retries: 0, payment_intent_id: null })
      const paid = yield* record({ payment_intent_id: String(id) })
      assert.deepInclude(jsonOf(paid), { status: "charged", payment_intent_id: String(id), captured_amount: 2_000 })
    }))

  it.effect("of money that was taken elsewhere is the same result again under the same reference, also one of another processor", () =>
    Effect.gen(function*() {
      for (const [name, external_reference] of [["bank", "Überweisung 7/2026"], ["processor", "pi_3MtwBwLkdIwHu7ix28a3tqPa"]] as const) {
        const { record } = yield* openCycle(name)
        const [first, again] = [yield* record({ external_reference }), yield* record({ external_reference })]
        assert.deepStrictEqual([first.status, again.status, again.text], [200, 200, first.text])
        assert.deepInclude(jsonOf(first), { status: "charged", payment_intent_id: external_reference })
        assert.strictEqual((yield* record({ external_reference: "another" })).status, 409)
      }
    }))
})
