import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { PaymentIntent, paymentIntents } from "./model.ts"

const encodeRow = Schema.encodeSync(PaymentIntent)
const encodeJson = Schema.encodeSync(PaymentIntent.json)

describe("a payment intent", () => {
  it.prop("is encoded as its schema does it, for the row and for the wire", [PaymentIntent], ([intent]) => {
    const { row, wire } = paymentIntents.encode(intent)
    assert.deepStrictEqual(row, { ...encodeRow(intent) })
    assert.strictEqual(wire, JSON.stringify(encodeJson(intent)))
  })

  it.prop("comes back from its row", [PaymentIntent], ([intent]) => {
    assert.deepStrictEqual(paymentIntents.decode(paymentIntents.encode(intent).row), intent)
  })
})
