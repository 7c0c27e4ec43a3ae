import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { InsufficientBalance } from "./model.ts"
import { atLeast } from "./rules.ts"

describe("a balance that is too small", () => {
  it("is refused on the wire by its code, with what it holds", () => {
    const { refusal, ...asked } = atLeast("USD", "available", 5)
    assert.deepStrictEqual(asked, { currency: "USD", bucket: "available", at_least: 5 })
    assert.deepStrictEqual(Schema.encodeSync(InsufficientBalance)(refusal({ currency: "USD", bucket: "available", held: 20 })), {
      error: "insufficient_balance",
      code: "amount",
      message:
        "The available balance is 20 minor units of USD, which is too little. Wait until more has come in, or send a smaller amount.",
      details: { currency: "USD", available: 20 }
    })
  })
})
