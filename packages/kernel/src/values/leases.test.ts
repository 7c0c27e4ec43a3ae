import { assert, describe, it } from "@effect/vitest"
import { leaseSeconds } from "./leases.ts"

describe("the length of a lease", () => {
  it.each([undefined, ""])("is the usual one where %j is set", (text) => {
    assert.strictEqual(leaseSeconds(60, text), 60)
  })
  it.each([["1", 1], ["12", 12], ["3600", 3_600]])("is what %s says", (text, seconds) => {
    assert.strictEqual(leaseSeconds(60, text), seconds)
  })
  it.each(["0", "-1", "1.5", "3601", "soon", "NaN", "Infinity"])("cannot be %s", (text) => {
    assert.throws(() => leaseSeconds(60, text), RangeError)
  })
})
