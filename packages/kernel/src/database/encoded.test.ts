import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { Timestamp } from "../values/time.ts"
import { encoderOf } from "./encoded.ts"

const Step = Schema.Struct({ at: Timestamp, note: Schema.String, done: Schema.NullOr(Timestamp) })

/** Every way in which a moment may stand in a row, and the plain things beside it. */
class Thing extends Model.Class<Thing>("Thing")({
  id: Schema.String.pipe(Schema.brand("ThingId")),
  amount: Schema.NullOr(Schema.Int),
  metadata: Schema.Record(Schema.String, Schema.String),
  color: Schema.Literals(["red", "green"]),
  created_at: Timestamp,
  ended_at: Schema.NullOr(Timestamp),
  secret: Model.Sensitive(Schema.String),
  secret_at: Model.Sensitive(Schema.NullOr(Timestamp)),
  now: Schema.NullOr(Step),
  steps: Schema.Array(Step),
  hidden_steps: Model.Sensitive(Schema.Array(Schema.NullOr(Step))),
  days: Schema.NullOr(Schema.Array(Timestamp)),
  version: Schema.Int
}) {}

const Fields = Schema.Struct(Thing.fields)
const encode = encoderOf(Thing)

describe("an encoder made from a model", () => {
  it.prop("gives the row and the text that the schema gives", [Fields], ([fields]) => {
    const thing = new Thing(fields)
    const { row, wire } = encode(thing)
    assert.deepStrictEqual(row, { ...Schema.encodeSync(Thing)(thing) })
    assert.strictEqual(wire, JSON.stringify(Schema.encodeSync(Thing.json)(thing)))
  })

  it.prop("gives the same text in whatever order the properties are", [Fields], ([fields]) => {
    const { id, ...rest } = new Thing(fields)
    assert.strictEqual(encode({ ...rest, id }).wire, encode({ id, ...rest }).wire)
  })

  it.prop("leaves the resource as it was", [Fields], ([fields]) => {
    const thing = new Thing(fields)
    encode(thing)
    assert.deepStrictEqual({ ...thing }, { ...new Thing(fields) })
    assert.strictEqual(thing.created_at, fields.created_at)
  })

  class Other extends Model.Class<Other>("Other")({ id: Schema.String, version: Schema.Int, count: Schema.NumberFromString }) {}
  class Nested extends Model.Class<Nested>("Nested")({
    id: Schema.String,
    version: Schema.Int,
    all: Schema.Array(Schema.Struct({ on: Schema.BigIntFromString }))
  }) {}
  class Either
    extends Model.Class<Either>("Either")({ id: Schema.String, version: Schema.Int, when: Schema.Union([Timestamp, Schema.Int]) })
  {}
  class Absent extends Model.Class<Absent>("Absent")({ id: Schema.String, version: Schema.Int, end: Schema.optionalKey(Timestamp) }) {}
  class Named
    extends Model.Class<Named>("Named")({ id: Schema.String, version: Schema.Int, by: Schema.Record(Schema.String, Timestamp) })
  {}

  it("is refused to a model that needs more than its moments formatted", () => {
    assert.throws(() => encoderOf(Other), /count is encoded in a way that only its schema knows/)
    assert.throws(() => encoderOf(Nested), /on is encoded/)
    assert.throws(() => encoderOf(Either), /when is encoded/)
    assert.throws(() => encoderOf(Absent), /end is encoded/)
    assert.throws(() => encoderOf(Named), /by is encoded/)
  })
})
