import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import vectors from "../signatures/vectors.json" with { type: "json" }
import { fingerprint } from "./fingerprint.ts"
import { Amount } from "./money.ts"

const { method, path, body_without_key, sha256 } = vectors.idempotency_fingerprint
const key = "3c9ae5ea-980f-4ebd-a027-04529942b95e"
const at = (body: unknown) => fingerprint({ method, path, body })

describe("fingerprint", () => {
  it("is the published vector, with the key in the body or not, in any order", () => {
    assert.strictEqual(at(body_without_key), sha256)
    assert.strictEqual(at({ ...body_without_key, idempotency_key: key }), sha256)
    assert.strictEqual(at({ idempotency_key: key, ...body_without_key }), sha256)
  })

  it("is another one for another amount", () => {
    assert.strictEqual(at({ amount: 501 }).slice(0, 8), "74a633eb")
  })

  it.for(
    [
      ["method", { method: "PUT", path, body: body_without_key }],
      ["path", { method, path: "/v1/payment_intents/pi_0002/refund", body: body_without_key }],
      ["a further field", { method, path, body: { ...body_without_key, reason: null } }],
      ["a key further down, which is not the request's", {
        method,
        path,
        body: { ...body_without_key, metadata: { idempotency_key: key } }
      }],
      ["no body", { method, path, body: undefined }],
      ["a body that is no object", { method, path, body: [500] }]
    ] as const
  )("changes with %s", ([, input]) => {
    assert.match(fingerprint(input), /^[0-9a-f]{64}$/)
    assert.notStrictEqual(fingerprint(input), sha256)
  })

  it("treats no body, an empty one and one with only the key alike, because the key may travel in the header", () => {
    assert.strictEqual(at(undefined), at({}))
    assert.strictEqual(at({ idempotency_key: key }), at({}))
  })

  it("does not change the body it is given", () => {
    const body = { amount: 500, idempotency_key: key }
    at(body)
    assert.deepStrictEqual(body, { amount: 500, idempotency_key: key })
  })

  it.prop("tells bodies apart and keys not", [Amount, Amount, Schema.String, Schema.String], ([one, other, first, second]) => {
    assert.strictEqual(at({ amount: one }) === at({ amount: other }), one === other)
    assert.strictEqual(at({ amount: one, idempotency_key: first }), at({ idempotency_key: second, amount: one }))
  }, { arbitrary: { runs: 1000 } })
})
