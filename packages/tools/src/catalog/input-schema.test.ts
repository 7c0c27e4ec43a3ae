/** What agents read of a tool's arguments: every bound in the documents, and in `tools/list` those that a call may meet. */
import { assert, describe, it } from "@effect/vitest"
import { isRecord } from "@svc/kernel/values/record"
import { list, may, text, whole } from "@svc/tool-kit/fields"
import { inputSchemaOf, shortSchemaOf } from "@svc/tool-kit/input-schema"
import { Schema } from "effect"
import { all } from "./index.ts"
import { svc_object_storage } from "./svc_object_storage.ts"

const payload = Schema.Struct({
  query: text(512),
  limit: may(whole(1, 100)),
  amount: whole(0, 1e9),
  tags: may(list(text(8), 3)),
  maxLength: may(Schema.String)
})

const properties = {
  query: { type: "string" },
  limit: { type: "integer", minimum: 1, maximum: 100 },
  amount: { type: "integer" },
  maxLength: { type: "string" }
}

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> =>
  isRecord(value) ? Object.entries(value).flatMap(([name, one]) => isRecord(one) ? [[name, one] as const] : []) : []

/** The paths of parameters without a type, at any depth. */
const withoutType = (schema: unknown, path = ""): ReadonlyArray<string> =>
  entriesOf(schema).flatMap(([key, inner]) =>
    key === "properties"
      ? entriesOf(inner).flatMap(([name, parameter]) => [
        ...("type" in parameter ? [] : [`${path}.${name}`]),
        ...withoutType(parameter, `${path}.${name}`)
      ])
      : withoutType(inner, `${path}.${key}`)
  )

describe("the schema of arguments", () => {
  it("says every bound", () => {
    assert.deepInclude(inputSchemaOf(payload)["properties"], {
      query: { type: "string", minLength: 1, maxLength: 512 },
      amount: { type: "integer", minimum: 0, maximum: 1e9 },
      tags: { type: "array", items: { type: "string", minLength: 1, maxLength: 8 }, maxItems: 3 }
    })
  })

  it("in a list says those of numbers and lists, and leaves every name as it is", () => {
    const short = shortSchemaOf(inputSchemaOf(payload))
    assert.deepStrictEqual(short["properties"], { ...properties, tags: { type: "array", items: { type: "string" }, maxItems: 3 } })
    assert.deepInclude(short, { type: "object", additionalProperties: false, required: ["query", "amount"] })
  })

  it.each(all.map((one) => [one.name, one] as const))("of %s is the same but for bounds", (_, { compiled, listed }) => {
    assert.deepStrictEqual(shortSchemaOf(compiled.inputSchema), listed.inputSchema)
    assert.deepStrictEqual(shortSchemaOf(listed.inputSchema), listed.inputSchema)
  })

  it.each(all.map((one) => [one.name, one] as const))("of %s says the type of each parameter", (_, { compiled, listed }) => {
    for (const schema of [compiled.inputSchema, listed.inputSchema]) assert.deepStrictEqual(withoutType(schema), [])
  })

  it("says the types of references, unions, enums and of what may be anything", () => {
    const Color = Schema.Struct({ hue: Schema.Int, of: Schema.Json }).annotate({ identifier: "Color" })
    const schema = inputSchemaOf(Schema.Struct({
      color: Color,
      other: may(Color),
      either: Schema.Union([text(5), list(text(5), 3), Color]),
      mode: Schema.Literals(["a", "b"]),
      any: Schema.Json
    }))
    assert.deepStrictEqual(withoutType(schema), [])
    const types = Object.fromEntries(entriesOf(schema["properties"]).map(([name, { type }]) => [name, type]))
    assert.deepInclude(types, { color: "object", other: "object", either: ["string", "array", "object"], mode: "string" })
    assert.include(types["any"], "null")
  })

  it("judges a hostile type of content at once", () => {
    const isType = Schema.is(svc_object_storage.payloadSchema)
    const put = { key: "a", operation: "put" }
    assert.isTrue(isType({ ...put, content_type: "text/plain; charset=utf-8" }))
    assert.isFalse(isType({ ...put, content_type: `!${"; !;!".repeat(50)} ` }))
  })
})
