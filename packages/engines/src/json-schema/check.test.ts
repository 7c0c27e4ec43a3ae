import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkJson, SchemaRefused } from "./check.ts"

/** Each definition asks for the next one twice: 2^60 validations. */
const doubling = {
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [
    `d${n}`,
    n === 59 ? { type: "number" } : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] }
  ]))
}

describe("a value beside a caller's schema", () => {
  it.live("fits, or is told what does not", () =>
    Effect.gen(function*() {
      const schema = { type: "object", required: ["name", "at"], properties: { name: { pattern: "^[a-z]+$" }, at: { format: "date" } } }
      assert.deepInclude(yield* checkJson(schema, { name: "ada", at: "2026-11-23" }), { valid: true, errors: [] })
      const wrong = yield* checkJson(schema, { name: "Ada", at: "soon" })
      assert.isFalse(wrong.valid)
      assert.match(wrong.errors.join("\n"), /^\/name must match pattern "\^\[a-z\]\+\$"\n\/at must match format "date"$/u)
    }))

  it.live("is read by the draft that the schema names, 2020-12 where it names none", () =>
    Effect.gen(function*() {
      const prefixed = { prefixItems: [{ type: "string" }] }
      assert.isFalse((yield* checkJson(prefixed, [1])).valid)
      const older = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }
      assert.isFalse((yield* checkJson(older, [1])).valid)
    }))

  it.live("is not held up by a pattern that goes back and forth", () =>
    Effect.gen(function*() {
      assert.isFalse((yield* checkJson({ pattern: "^(a+)+$" }, `${"a".repeat(50_000)}!`)).valid)
    }))

  it.live.each<readonly [string, object, RegExp]>([
    ["a remote reference", { $ref: "https://example.com/schema.json" }, /can't resolve reference https:\/\/example\.com/u],
    ["a pattern that cannot be linear", { pattern: "^(?=a)b" }, /json_schema: /u],
    ["a type that there is none of", { type: "colour" }, /json_schema: /u],
    ["a schema of more than 64 KiB", { description: "x".repeat(65_536) }, /may have 65536/u],
    ["a schema that doubles its work sixty times", doubling, /takes more than 4 seconds/u]
  ])("%s is refused", ([, schema, words]) =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(checkJson(schema, 1))
      assert.instanceOf(refused, SchemaRefused)
      assert.match(refused.message, words)
    }))
})
