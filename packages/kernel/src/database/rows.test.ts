import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Timestamp } from "../values/time.ts"
import * as database from "./client.ts"
import { type Columns, columnsOf } from "./columns.ts"
import { arraysOf, rowsFrom } from "./rows.ts"

const Fields = {
  text: Schema.String,
  literal: Schema.NullOr(Schema.Literals(["a", "b"])),
  branded: Schema.String.pipe(Schema.brand("Id")),
  number: Schema.Int,
  checked: Schema.NullOr(Schema.Int.check(Schema.isGreaterThan(0))),
  yes: Schema.Boolean,
  at: Timestamp,
  later: Schema.NullOr(Timestamp),
  json: Schema.Record(Schema.String, Schema.String),
  list: Schema.NullOr(Schema.Array(Schema.Struct({ at: Timestamp }))),
  mixed: Schema.Union([Schema.String, Schema.Int])
}

const expected: Columns = {
  text: "text",
  literal: "text",
  branded: "text",
  number: "int8",
  checked: "int8",
  yes: "boolean",
  at: "timestamptz",
  later: "timestamptz",
  json: "jsonb",
  list: "jsonb",
  mixed: "jsonb"
}

/** What a text column can hold. */
const Text = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\0")))
/** Neither an integer nor JSON of Postgres has a negative zero. */
const oneZero = Schema.makeFilter((value: number) => !Object.is(value, -0))
const Integer = Schema.Int.check(Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }), oneZero)
const Moment = Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(1, 0, 1), maximum: Date.UTC(9999, 11, 31) }))

const Row = Schema.Struct({
  text: Schema.NullOr(Text),
  number: Schema.NullOr(Integer),
  yes: Schema.NullOr(Schema.Boolean),
  moment: Schema.NullOr(Moment),
  json: Schema.NullOr(Schema.Record(Text, Schema.Union([Text, Schema.Int.check(oneZero), Schema.Null])))
})

const columns: Columns = { text: "text", number: "int8", yes: "boolean", at: "timestamptz", json: "jsonb" }

const readBack = Effect.fnUntraced(function*(rows: ReadonlyArray<Readonly<Record<string, unknown>>>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.unsafe<Readonly<Record<string, unknown>>>(`SELECT r.* FROM ${rowsFrom(columns, 1)} r`, arraysOf(columns, rows))
})

layer(database.layer.pipe(Layer.provide(layerDatabase)))("rows as arrays", (it) => {
  it("have the columns of their schema", () => assert.deepStrictEqual(columnsOf({ fields: Fields }), expected))

  it.effect.prop(
    "come back as they were, in their order",
    [Schema.Array(Row).check(Schema.isBetweenLength(1, 40))],
    ([drawn]) =>
      Effect.gen(function*() {
        const rows = drawn.map(({ moment, ...row }) => ({ ...row, at: moment === null ? null : new Date(moment).toISOString() }))
        const found = yield* readBack(rows)
        assert.deepStrictEqual(
          found.map((row) => ({ ...row })),
          rows.map(({ at, json, number, text, yes }) => ({ text, number, yes, at, json }))
        )
      })
  )

  it.effect.each(["json", "jsonb"] as const)("hold names in %s as they are, whatever shapes V8 knows", (type) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = (select: string) =>
        Effect.map(sql.unsafe<{ readonly found: unknown }>(`SELECT ${select} AS found`), ([row]) => row?.found)
      const literal = (text: string) => `'${text}'::${type}`
      for (const [at, [sent, meant]] of [["\\\"", "\""], ["\\n", "\n"], ["\\t", "\t"], ["\\u0001", "\u0001"]].entries()) {
        // V8 expects the one name that it has seen behind this one. Of jsonb the shorter name comes first.
        const first = `${type} ${at}`
        JSON.parse(`{"${first}":1,"a longer name\\\\":2}`)
        const [text, expected] = [literal(`{"${first}":1,"a longer name${sent}":2}`), { [first]: 1, [`a longer name${meant}`]: 2 }]
        assert.deepStrictEqual(yield* read(text), expected)
        assert.deepStrictEqual(yield* read(`ARRAY[${text}, NULL, ${text}]`), [expected, null, expected])
      }
      assert.deepStrictEqual(yield* read(literal("{\"__proto__\":[{},null,\"é\"]}")), JSON.parse("{\"__proto__\":[{},null,\"é\"]}"))
    }))

  it.effect("hold the ends of what an integer and a moment can be", () =>
    Effect.gen(function*() {
      const rows = [
        [0, "2000-01-01T00:00:00.000Z"],
        [-1, "1999-12-31T23:59:59.999Z"],
        [2 ** 31, "1970-01-01T00:00:00.000Z"],
        [-(2 ** 31) - 1, "0001-01-01T00:00:00.000Z"],
        [2 ** 32, "2285-06-05T23:47:34.741Z"],
        [Number.MAX_SAFE_INTEGER, "9999-12-31T23:59:59.999Z"],
        [Number.MIN_SAFE_INTEGER, "2286-01-01T00:00:00.001Z"]
      ].map(([number, at]) => ({ text: null, number, yes: null, at, json: null }))
      assert.deepStrictEqual((yield* readBack(rows)).map((row) => ({ ...row })), rows)
    }))

  it.effect("refuse what is no safe integer and no moment", () =>
    Effect.gen(function*() {
      for (const wrong of [{ number: 2 ** 53 }, { number: 1.5 }, { number: Number.NaN }, { at: "yesterday" }]) {
        const exit = yield* Effect.exit(readBack([{ text: null, number: null, yes: null, at: null, json: null, ...wrong }]))
        assert.strictEqual(exit._tag, "Failure", JSON.stringify(wrong))
      }
    }))
})
