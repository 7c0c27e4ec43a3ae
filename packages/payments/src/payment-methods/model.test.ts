import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decodeRow, encode, PaymentMethod } from "./model.ts"

const Fields = Schema.Struct(PaymentMethod.fields)

describe("a payment method", () => {
  it.prop("is encoded as its schema does it, for the row and for the wire", [Fields], ([fields]) => {
    const method = new PaymentMethod(fields)
    const { row, wire } = encode(method)
    assert.deepStrictEqual(row, { ...Schema.encodeSync(PaymentMethod)(method) })
    assert.strictEqual(wire, JSON.stringify(Schema.encodeSync(PaymentMethod.json)(method)))
  })

  it.prop("comes back from its row", [Fields], ([fields]) => {
    const method = new PaymentMethod(fields)
    assert.deepStrictEqual({ ...decodeRow(encode(method).row) }, { ...method })
  })
})
