import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { both, type ById, expander, kind, refersTo } from "./expansion.ts"

/** A chain of four: a shelf stands in a room, a room in a house, a house in a town. */
const Town = Schema.Struct({ id: Schema.String })
class TownsById extends Context.Service<TownsById, ById<typeof Town.Type>>()("test/TownsById") {}
const town = kind({ schema: Town, scope: "towns:read", byId: TownsById })

const inTown = refersTo("town", town)
const House = Schema.Struct({ id: Schema.String, town_id: Schema.String, ...inTown.fields })
class HousesById extends Context.Service<HousesById, ById<typeof House.Type>>()("test/HousesById") {}
const house = kind({ schema: House, scope: "houses:read", byId: HousesById }, inTown)

const inHouse = refersTo("house", house)
const Room = Schema.Struct({ id: Schema.String, house_id: Schema.String, ...inHouse.fields })
class RoomsById extends Context.Service<RoomsById, ById<typeof Room.Type>>()("test/RoomsById") {}
const room = kind({ schema: Room, scope: "rooms:read", byId: RoomsById }, inHouse)

const inRoom = refersTo("room", room)
const ofShelves = both(inRoom, inTown)
const Shelf = Schema.Struct({ id: Schema.String, room_id: Schema.NullOr(Schema.String), town_id: Schema.String, ...ofShelves.fields })

const [t1, t2] = [{ id: "t1" }, { id: "t2" }]
const [h1, h2] = [{ id: "h1", town_id: "t1" }, { id: "h2", town_id: "t2" }]
const [r1, r2, r3] = [{ id: "r1", house_id: "h1" }, { id: "r2", house_id: "h2" }, { id: "r3", house_id: "h1" }]
const [s1, s2, s3, s4, s5] = [
  { id: "s1", room_id: "r1", town_id: "t2" },
  { id: "s2", room_id: "r2", town_id: "t2" },
  { id: "s3", room_id: "r3", town_id: "gone" },
  { id: "s4", room_id: null, town_id: "t2" },
  { id: "s5", room_id: "r1", town_id: "t2" }
]
const shelves: ReadonlyArray<typeof Shelf.Type> = [s1, s2, s3, s4, s5]

/** Finds among these and notes each query. */
const finder =
  <A extends { readonly id: string }>(queries: Array<string>, name: string, all: ReadonlyArray<A>): ById<A> => (account, ids) =>
    Effect.sync(() => {
      queries.push(`${account} ${name} ${ids.join(",")}`)
      return all.filter(({ id }) => ids.includes(id)).toReversed()
    })

const withFinders = <A, E, R>(queries: Array<string>, effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(TownsById, finder(queries, "towns", [t1, t2])),
    Effect.provideService(HousesById, finder(queries, "houses", [h1, h2])),
    Effect.provideService(RoomsById, finder(queries, "rooms", [r1, r2, r3]))
  )

describe("what may be expanded", () => {
  it("is each chain of references up to three", () => {
    assert.deepStrictEqual([...ofShelves.paths], ["room", "room.house", "room.house.town", "town"])
    const onShelves = refersTo(
      "shelf",
      kind({ schema: Shelf, scope: "shelves:read", byId: Effect.succeed<ById<typeof Shelf.Type>>(() => Effect.succeed([])) }, ofShelves)
    )
    assert.deepStrictEqual([...onShelves.paths], ["shelf", "shelf.room", "shelf.room.house", "shelf.town"])
  })

  const decode = Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(Schema.Struct(ofShelves.query)))
  it.each([["room"], ["room.house.town"], [["room", "town"]], [undefined]])("%j is one of them", (value) => {
    assert.strictEqual(decode(value === undefined ? {} : { "expand[]": value })._tag, "Success")
  })
  it.each([["floor"], [""], ["room.floor"], ["room.house.town.mayor"], ["room."], [["room", "floor"]], ["room_id"], ["__proto__"]])(
    "%j is not",
    (value) => {
      const refused = decode({ "expand[]": value })
      assert(refused._tag === "Failure")
      assert.include(
        refused.failure.message,
        "Expected what can be expanded here: \"room\", \"room.house\", \"room.house.town\", \"town\". A path follows at most 3 references"
      )
    }
  )
})

describe("expanding", () => {
  it.effect("shows what is referred to whole, by one query a level, and what is not there as null", () =>
    Effect.gen(function*() {
      const queries: Array<string> = []
      const { expand } = yield* withFinders(queries, expander(ofShelves))
      const shown = yield* expand("acct_1", shelves, ["room.house.town", "room", "town"])
      const [inFirst, inSecond] = [{ ...h1, town: t1 }, { ...h2, town: t2 }]
      assert.deepStrictEqual(shown, [
        { ...s1, room: { ...r1, house: inFirst }, town: t2 },
        { ...s2, room: { ...r2, house: inSecond }, town: t2 },
        { ...s3, room: { ...r3, house: inFirst }, town: null },
        { ...s4, room: null, town: t2 },
        { ...s5, room: { ...r1, house: inFirst }, town: t2 }
      ])
      assert.sameMembers(queries, ["acct_1 rooms r1,r2,r3", "acct_1 houses h1,h2", "acct_1 towns t2,t1", "acct_1 towns t2,gone"])
    }))

  it.effect("asks for nothing that is not wanted, and for no one where nobody is referred to", () =>
    Effect.gen(function*() {
      const queries: Array<string> = []
      const { expand } = yield* withFinders(queries, expander(ofShelves))
      assert.strictEqual(yield* expand("acct_1", shelves, []), shelves)
      assert.deepStrictEqual(yield* expand("acct_1", [], ["room", "town"]), [])
      const lonely: typeof Shelf.Type = { id: "s", room_id: null, town_id: "t1" }
      assert.deepStrictEqual(yield* expand("acct_1", [lonely], ["room.house"]), [{ ...lonely, room: null }])
      assert.deepStrictEqual(queries, [])
      yield* expand("acct_1", shelves, ["room"])
      assert.deepStrictEqual(queries, ["acct_1 rooms r1,r2,r3"])
    }))

  it.effect("finds what is referred to by another field than its id", () =>
    Effect.gen(function*() {
      const Street = Schema.Struct({ id: Schema.String, street_id: Schema.String })
      const [broad, narrow] = [{ id: "1", street_id: "Broad Street" }, { id: "2", street_id: "Narrow Lane" }]
      const byName: ById<typeof Street.Type> = (_account, names) =>
        Effect.succeed([narrow, broad].filter(({ street_id }) => names.includes(street_id)))
      const { expand } = yield* expander(
        refersTo("street", kind({ schema: Street, scope: "streets:read", byId: Effect.succeed(byName), key: "street_id" }))
      )
      const doors: ReadonlyArray<{ readonly street_id: string; readonly street?: object | null }> = [{ street_id: "Broad Street" }, {
        street_id: "1"
      }, { street_id: "Narrow Lane" }]
      const shown = yield* expand("acct_1", doors, ["street"])
      assert.deepStrictEqual(shown, [{ street_id: "Broad Street", street: broad }, { street_id: "1", street: null }, {
        street_id: "Narrow Lane",
        street: narrow
      }])
    }))

  it.effect("needs the scope of each kind on the way", () =>
    Effect.gen(function*() {
      const { scopes } = yield* withFinders([], expander(ofShelves))
      assert.deepStrictEqual(scopes([]), [])
      assert.deepStrictEqual(scopes(["room.house", "town"]), ["rooms:read", "houses:read", "towns:read"])
    }))
})
