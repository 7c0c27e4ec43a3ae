import { assert, describe, it as plainly, layer } from "@effect/vitest"
import { road } from "@svc/testkit/road"
import { DateTime, Effect, Schema } from "effect"
import { Model } from "effect/schema"
import { SqlClient } from "effect/sql"
import { openAccount } from "../road/account-fixture.ts"
import { idSchema, makeId } from "../values/ids.ts"
import { Timestamp } from "../values/time.ts"
import { change, roadOf } from "./change.ts"
import { notFound } from "./errors.ts"
import { Idempotency } from "./idempotency.ts"
import { resource, tableOf } from "./model.ts"
import { createdBetween } from "./pages.ts"
import { readerOf } from "./reader.ts"

const ThingId = idSchema("thg", "ThingId")

const Thing = resource({
  id: ThingId,
  account_id: Schema.String,
  color: Schema.Literals(["red", "green"]),
  size: Schema.Int,
  secret: Model.Sensitive(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
type Thing = typeof Thing.Type

const things = tableOf(Thing, { name: "things", account: "account_id", fixed: ["size"] })
const thingFilters = { color: Schema.optionalKey(Schema.String), "size[gte]": Schema.optionalKey(Schema.Int), ...createdBetween }

const TABLE =
  `CREATE TABLE IF NOT EXISTS things (id text NOT NULL, account_id text NOT NULL, color text NOT NULL, size bigint NOT NULL, secret text NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, version bigint NOT NULL, PRIMARY KEY (account_id, id))`

const start = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")

const thing = (account_id: string, size: number): Thing => {
  const at = DateTime.add(start, { days: size })
  const id = ThingId.make(makeId("thg", at.epochMilliseconds))
  return { id, account_id, color: size % 2 === 0 ? "red" : "green", size, secret: "s", created_at: at, updated_at: at, version: 1 }
}

/** An account, and how its things are read and written. */
const world = Effect.gen(function*() {
  yield* (yield* SqlClient.SqlClient).unsafe(TABLE)
  const account = yield* openAccount
  const reader = yield* readerOf(things, { name: "thing", prefix: "thg", filters: thingFilters })
  const { answer, commit } = yield* roadOf(things, { type: "thing" })
  return { account, answer, commit, reader }
})

const sizes = ({ data }: { readonly data: ReadonlyArray<Thing> }) => data.map(({ size }) => size)

layer(road, { excludeTestServices: true })("a resource of the kit", (it) => {
  it.effect("is found by its id, in its own account only", () =>
    Effect.gen(function*() {
      const { account, commit, reader: { find, findByIds, get } } = yield* world
      const made = thing(account, 1)
      yield* commit(made, {}, "made")
      assert.deepStrictEqual(yield* get(account, made.id), made)
      assert.isUndefined(yield* find(yield* openAccount, made.id))
      assert.deepStrictEqual(yield* findByIds(account, [made.id, makeId("thg", 0), "no id"]), [made])
      assert.isEmpty(yield* findByIds(yield* openAccount, [made.id]))
      for (const id of [makeId("thg", 0), "no id", "thg_\0"]) {
        assert.strictEqual((yield* Effect.flip(get(account, id))).message, notFound("thing").message)
      }
    }))

  it.effect("is listed newest first, narrowed by columns and by the time of making", () =>
    Effect.gen(function*() {
      const { account, commit, reader: { list } } = yield* world
      for (const size of [1, 2, 3, 4]) yield* commit(thing(account, size), {}, `made ${size}`)
      const day = (days: number) => DateTime.add(start, { days })
      const page = { per_page: 10 }
      assert.deepStrictEqual(sizes(yield* list(account, {}, page)), [4, 3, 2, 1])
      assert.deepStrictEqual(sizes(yield* list(account, { color: "red" }, page)), [4, 2])
      assert.deepStrictEqual(sizes(yield* list(account, { "size[gte]": 3, color: "green" }, page)), [3])
      assert.deepStrictEqual(sizes(yield* list(account, { "created_at[gte]": day(2), "created_at[lt]": day(4) }, page)), [3, 2])
      const query = { color: "red", after: undefined, unknown: "x", per_page: 1 }
      assert.deepStrictEqual(sizes(yield* list(account, query, { per_page: 1 })), [4])
    }))

  it.effect("is answered with the bytes that its key keeps, without what is hidden", () =>
    Effect.gen(function*() {
      const { account, answer, reader: { get } } = yield* world
      const idempotency = yield* Idempotency
      const made = thing(account, 1)
      const keyed = { key: `key-${made.id}`, operation: "thing.create", fingerprint: "f" }
      const reply = yield* answer({ keyed }, made, {}, 201)
      assert.strictEqual(reply.status, 201)
      assert.notInclude(reply.body, "secret")
      assert.deepInclude(yield* idempotency.find(account, keyed.key), {
        response_body: reply.body,
        resource_type: "thing",
        resource_id: made.id
      })
      // Without a key nothing is kept.
      const next = change(made, DateTime.add(made.updated_at, { days: 1 }), { color: "red" })
      assert.strictEqual((yield* answer({}, next, {})).status, 200)
      assert.deepStrictEqual(yield* get(account, made.id), { ...made, color: "red", updated_at: next.updated_at, version: 2 })
    }))
})

describe("a filter", () => {
  plainly.each(["colour", "size[ge]", "created_at[gte] OR true"])("%s names no column", (name) => {
    const reading = { name: "thing", prefix: "thg", filters: { [name]: Schema.String } }
    assert.throws(() => readerOf(things, reading), TypeError)
  })
})
