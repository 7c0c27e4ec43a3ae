/** The examples of the OpenAPI document are what people paste: as they stand, one after another. */
import { assert, layer } from "@effect/vitest"
import { isRecord } from "@svc/kernel/values/record"
import { Effect } from "effect"
import { routesOf, served } from "./document.ts"
import { jsonOf, layer as service, must, openMerchant, send } from "./service.ts"

const textIn = (body: Readonly<Record<string, unknown>>, field: string): string => typeof body[field] === "string" ? body[field] : ""

/** The request bodies of the document, by operation. */
const examples = Effect.map(
  served,
  (document) =>
    new Map(
      routesOf(document).map((
        { body, method, operation, path }
      ) => [operation.operationId, { method, path, body: isRecord(body?.example) ? body.example : {} }])
    )
)

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the examples of the OpenAPI document", (it) => {
  it.effect("have idempotency keys of their own, one for each operation", () =>
    Effect.gen(function*() {
      const keyed = Array.from(yield* examples, ([id, { body }]) => ({ id, key: body["idempotency_key"] })).filter(({ key }) =>
        key !== undefined
      )
      assert.isAtLeast(keyed.length, 7)
      for (const [key, same = []] of Map.groupBy(keyed, ({ key }) => key)) {
        assert.lengthOf(
          same,
          1,
          `${same.map(({ id }) => id).join(" and ")} have the key ${String(key)}`
        )
      }
    }))

  it.effect("make a payment and refund it when they are sent as they stand, with the headers that are promised", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("examples")
      const [all, document] = [yield* examples, yield* served]
      let id = ""
      for (const name of ["create", "authorize", "capture", "refund"]) {
        const { body, method = "", path = "" } = all.get(`payment_intents.${name}`) ?? {}
        const answer = yield* send(method, path.replace("{id}", id), { key, body })
        const said = jsonOf(answer)
        assert.strictEqual(answer.status, name === "create" ? 201 : 200, `${name}: ${answer.text}`)
        id = textIn(said, "id")
        const promised = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses[String(answer.status)]?.headers ?? {})
        assert.includeMembers(promised, ["Request-Id", "RateLimit-Remaining", "Idempotency-Key", "Idempotent-Replayed"])
        for (const header of promised) assert.property(answer.headers, header.toLowerCase(), name)
      }
      const intent = yield* must("GET", `/v1/payment_intents/${id}`, { key })
      assert.deepInclude(intent, { state: "captured", captured_amount: 1500, refunded_amount: 500 })
    }))

  it.effect("tell of one payment: the key of its creation, and of its capture in the ledger", () =>
    Effect.gen(function*() {
      const { components } = yield* served
      const all = yield* examples
      const shown = (name: string) => {
        const value = components.examples[name]?.value
        return isRecord(value) ? value : {}
      }
      const [intent, entry] = [shown("PaymentIntent"), shown("FinancialEvent")]
      assert.strictEqual(intent["idempotency_key"], all.get("payment_intents.create")?.body["idempotency_key"])
      assert.strictEqual(entry["idempotency_key"], all.get("payment_intents.capture")?.body["idempotency_key"])
      assert.strictEqual(entry["resource_id"], intent["id"])
    }))

  it.effect("of refusals stay in the document: GET /v1/error_codes gives the four fields of each code", () =>
    Effect.gen(function*() {
      const { data } = yield* must("GET", "/v1/error_codes", {})
      assert.isArray(data)
      for (const code of Array.isArray(data) ? data : []) assert.hasAllKeys(code, ["error", "status", "meaning", "next"])
    }))
})
