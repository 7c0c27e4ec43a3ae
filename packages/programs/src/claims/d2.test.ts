import { assert, describe, it } from "@effect/vitest"
import { d2Text } from "./d2.ts"

describe("texts of D2", () => {
  it.each([
    ["src/orders", "'src/orders'"],
    ["it's a.b -> c: {d} # e", "'it''s a.b -> c: {d} # e'"],
    ["two\nlines", "'two lines'"],
    ["${process.exit()}`;run()//\\u", "'$(process.exit()}'';run()///u'"]
  ])("hold %j", (text, written) => {
    assert.strictEqual(d2Text(text), written)
  })
})
