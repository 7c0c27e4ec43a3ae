import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import vectors from "../signatures/vectors.json" with { type: "json" }
import { canonicalize, NotCanonical } from "./canonical-json.ts"
import { parseJson } from "./json.ts"

const runs = { arbitrary: { runs: 1000 } }
const Text = Schema.String.check(Schema.makeFilter((value: string) => value.isWellFormed()))
interface Tree {
  readonly [key: string]: Json
}
type Json = null | boolean | number | string | ReadonlyArray<Json> | Tree
const Json: Schema.Codec<Json> = Schema.Union([
  Schema.Null,
  Schema.Boolean,
  Schema.Finite,
  Text,
  Schema.Array(Schema.suspend(() => Json)),
  Schema.Record(Text, Schema.suspend(() => Json))
])

const reversed = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(Object.entries(value).reverse().map(([key, item]) => [key, reversed(item)]))
}

const double = (hex: string): number => Buffer.from(hex, "hex").readDoubleBE()

describe("RFC 8785", () => {
  // Appendix B: the IEEE 754 bits and the text they must print as.
  it.for(
    [
      ["0000000000000000", "0"],
      ["8000000000000000", "0"],
      ["0000000000000001", "5e-324"],
      ["8000000000000001", "-5e-324"],
      ["7fefffffffffffff", "1.7976931348623157e+308"],
      ["ffefffffffffffff", "-1.7976931348623157e+308"],
      ["4340000000000000", "9007199254740992"],
      ["c340000000000000", "-9007199254740992"],
      ["4430000000000000", "295147905179352830000"],
      ["44b52d02c7e14af5", "9.999999999999997e+22"],
      ["44b52d02c7e14af6", "1e+23"],
      ["44b52d02c7e14af7", "1.0000000000000001e+23"],
      ["444b1ae4d6e2ef4e", "999999999999999700000"],
      ["444b1ae4d6e2ef4f", "999999999999999900000"],
      ["444b1ae4d6e2ef50", "1e+21"],
      ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
      ["3eb0c6f7a0b5ed8d", "0.000001"],
      ["41b3de4355555553", "333333333.3333332"],
      ["41b3de4355555554", "333333333.33333325"],
      ["41b3de4355555555", "333333333.3333333"],
      ["41b3de4355555556", "333333333.3333334"],
      ["41b3de4355555557", "333333333.33333343"],
      ["becbf647612f3696", "-0.0000033333333333333333"],
      ["43143ff3c1cb0959", "1424953923781206.2"]
    ] as const
  )("prints %s as %s", ([bits, expected]) => {
    assert.strictEqual(canonicalize(double(bits)), expected)
  })

  it("prints the sample of section 3.2", () => {
    const input = JSON.parse(
      String
        .raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    )
    assert.strictEqual(
      canonicalize(input),
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  it("orders keys by UTF-16 code units, as in section 3.2.3", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"]
    const text = canonicalize(Object.fromEntries(keys.map((key) => [key, key])))
    assert.deepStrictEqual(Array.from(text.matchAll(/"([^"]*)":/g), ([, key]) => JSON.parse(`"${key}"`)), [
      "\r",
      "1",
      "\u0080",
      "\u00f6",
      "\u20ac",
      "\ud83d\ude00",
      "\ufb33"
    ])
  })

  it("orders keys that look like integers as text", () => {
    assert.strictEqual(canonicalize({ 10: 1, 9: 2, 1: 3, "": 4 }), String.raw`{"":4,"1":3,"10":1,"9":2}`)
  })

  it("keeps a member called __proto__", () => {
    assert.strictEqual(canonicalize(JSON.parse(String.raw`{"b":1,"__proto__":{"a":2}}`)), String.raw`{"__proto__":{"a":2},"b":1}`)
  })

  it.for(vectors.hash_chain)("leaves the ledger record $event_hash as it is", ({ canonical }) => {
    assert.strictEqual(canonicalize(reversed(JSON.parse(canonical))), canonical)
  })
})

describe("what JSON does not know", () => {
  const cycle: Record<string, unknown> = {}
  cycle["again"] = cycle
  let deep: unknown = 0
  for (let i = 0; i < 100_000; i++) deep = [deep]

  it.for<readonly [label: string, value: unknown, path: string]>([
    ["NaN", Number.NaN, "$"],
    ["Infinity", { a: [1, Number.POSITIVE_INFINITY] }, "$.a[1]"],
    ["-Infinity", [Number.NEGATIVE_INFINITY], "$[0]"],
    ["undefined", undefined, "$"],
    ["an undefined member", { a: undefined }, "$.a"],
    ["a hole", Object.assign([], { length: 1 }), "$[0]"],
    ["a bigint", { n: 1n }, "$.n"],
    ["a function", { f: () => 1 }, "$.f"],
    ["a symbol", [Symbol.iterator], "$[0]"],
    ["a lone high surrogate", { s: "\ud83d" }, "$.s"],
    ["a lone low surrogate", ["a", "\ude00!"], "$[1]"],
    ["a lone surrogate in a key", { a: { "\ud83d": 1 } }, "$.a"],
    ["a Date", { at: new Date(0) }, "$.at"],
    ["a Map", new Map([["a", 1]]), "$"],
    ["bytes", { b: new Uint8Array(2) }, "$.b"]
  ])("refuses %s and says where", ([, value, path]) => {
    assert.throws(() => canonicalize(value), NotCanonical)
    try {
      canonicalize(value)
    } catch (error) {
      assert.strictEqual(error instanceof NotCanonical ? error.path : error, path)
      assert.match(String(error), /No canonical JSON at \$/)
    }
  })

  it("ends at cycles and absurd depth with a refusal, not a stack overflow", () => {
    assert.throws(() => canonicalize(cycle), /nested more than 512 deep, or a cycle/)
    assert.throws(() => canonicalize(deep), /nested more than 512 deep, or a cycle/)
  })
})

describe("properties", () => {
  it.prop("parses back to the same value", [Json], ([value]) => {
    assert.deepStrictEqual(parseJson(canonicalize(value)), parseJson(JSON.stringify(value)))
  }, runs)

  it.prop("is a fixed point", [Json], ([value]) => {
    const text = canonicalize(value)
    assert.strictEqual(canonicalize(parseJson(text)), text)
  }, runs)

  it.prop("does not depend on the order of keys", [Json], ([value]) => {
    assert.strictEqual(canonicalize(reversed(value)), canonicalize(value))
  }, runs)
})
