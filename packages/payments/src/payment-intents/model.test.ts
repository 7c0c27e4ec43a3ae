import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { PaymentIntent } from "./model.ts"

const Fields = Schema.Struct(PaymentIntent.fields)
const encodeRow = Schema.encodeSync(PaymentIntent)
const encodeJson = Schema.encodeSync(PaymentIntent.json)

describe("a payment intent", () => {
  it.prop("is encoded as its schema does it, for the row and for the wire", [Fields], ([fields]) => {
    const intent = new PaymentIntent(fields)
    const { row, wire } = intent.encoded
    assert.deepStrictEqual(row, { ...encodeRow(intent) })
    assert.strictEqual(wire, JSON.stringify(encodeJson(intent)))
  })

  it.prop("comes back from its row", [Fields], ([fields]) => {
    const intent = new PaymentIntent(fields)
    assert.deepStrictEqual(Schema.decodeUnknownSync(PaymentIntent)(intent.encoded.row).encoded, intent.encoded)
  })
})
