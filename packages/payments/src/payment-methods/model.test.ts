import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { PaymentMethod, paymentMethods } from "./model.ts"

describe("a payment method", () => {
  it.prop("is encoded as its schema does it, for the row and for the wire", [PaymentMethod], ([method]) => {
    const { row, wire } = paymentMethods.encode(method)
    assert.deepStrictEqual(row, { ...Schema.encodeSync(PaymentMethod)(method) })
    assert.strictEqual(wire, JSON.stringify(Schema.encodeSync(PaymentMethod.json)(method)))
  })

  it.prop("comes back from its row", [PaymentMethod], ([method]) => {
    assert.deepStrictEqual(paymentMethods.decode(paymentMethods.encode(method).row), method)
  })
})
