import { assert, layer } from "@effect/vitest"
import { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { nextId } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Client, decode, emit, layer as layerFixture, openAccount } from "../fixture.ts"
import { EventList } from "./api.ts"
import { Event } from "./model.ts"

const list = decode(EventList)
const services = layerFixture(layerDatabase)

const seqs = Effect.fnUntraced(function*(account: string, query: string) {
  const { send } = yield* Client
  const page = yield* list(yield* send(account, "GET", `/events?${query}`))
  return { ...page, data: page.data.map((event) => event.event_seq) }
})

/** An id that no event has, next to one that an event has. */
const neighbour = (id: string) => `${id.slice(0, -1)}${id.endsWith("Z") ? "Y" : "Z"}`

/** Seven events, the even ones of another type. */
const sevenEvents = Effect.gen(function*() {
  const account = yield* openAccount
  for (let n = 1; n <= 7; n++) {
    yield* emit(account, [{ resource: `pi_${n}`, type: n % 2 === 0 ? "payment_intent.refunded" : "payment_intent.captured" }])
  }
  return account
})

layer(services)("the event log", (it) => {
  it.effect("lists newest first, by pages and by cursors", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* sevenEvents
      const all = yield* list(yield* send(account, "GET", "/events"))
      assert.deepStrictEqual(all.data.map((event) => event.event_seq), [7, 6, 5, 4, 3, 2, 1])
      const id = (seq: number) => all.data[7 - seq]?.id ?? ""
      assert.deepInclude(yield* seqs(account, "per_page=3"), { data: [7, 6, 5], total: 7, page: 1, per_page: 3, has_more: true })
      assert.deepInclude(yield* seqs(account, "per_page=3&page=3"), { data: [1], has_more: false })
      assert.deepInclude(yield* seqs(account, `per_page=3&after=${id(5)}`), { data: [4, 3, 2], has_more: true })
      assert.deepInclude(yield* seqs(account, `per_page=3&before=${id(3)}`), { data: [6, 5, 4], has_more: true })
    }))

  it.effect("takes any id as a place, in either direction", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* sevenEvents
      const { data } = yield* list(yield* send(account, "GET", "/events"))
      const [first, last] = ["evt_00000000000000000000000000", "evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]
      const falling = [7, 6, 5, 4, 3, 2, 1]
      const rising = falling.toReversed()
      const cases: ReadonlyArray<readonly [query: string, expected: ReadonlyArray<number>]> = [
        [`after=${first}`, []],
        [`before=${first}`, falling],
        [`after=${last}`, falling],
        [`before=${last}`, []],
        [`after_seq=0&after=${first}`, rising],
        [`after_seq=0&before=${first}`, []],
        [`after_seq=0&after=${last}`, []],
        [`after_seq=0&before=${last}`, rising],
        ...data.flatMap(({ event_seq: seq, id }) => {
          const place = neighbour(id)
          const behind = place > id ? seq : seq - 1
          return [
            [`after=${place}`, falling.filter((n) => n <= behind)],
            [`before=${place}`, falling.filter((n) => n > behind)],
            [`after_seq=0&after=${place}`, rising.filter((n) => n > behind)],
            [`after_seq=0&before=${place}`, rising.filter((n) => n <= behind)],
            [`after_seq=0&after=${id}`, rising.filter((n) => n > seq)],
            [`after_seq=0&before=${id}`, rising.filter((n) => n < seq)]
          ] as const
        })
      ]
      for (const [query, expected] of cases) assert.deepStrictEqual((yield* seqs(account, query)).data, expected, query)
    }))

  it.effect("runs forwards from a sequence number", () =>
    Effect.gen(function*() {
      const account = yield* sevenEvents
      assert.deepInclude(yield* seqs(account, "after_seq=0&per_page=100"), { data: [1, 2, 3, 4, 5, 6, 7], has_more: false })
      assert.deepInclude(yield* seqs(account, "after_seq=4&per_page=2"), { data: [5, 6], total: 3, has_more: true })
      assert.deepInclude(yield* seqs(account, "after_seq=7"), { data: [], total: 0, has_more: false })
    }))

  it.effect("narrows to a type", () =>
    Effect.gen(function*() {
      const account = yield* sevenEvents
      assert.deepStrictEqual((yield* seqs(account, "type=payment_intent.refunded")).data, [6, 4, 2])
      assert.deepStrictEqual((yield* seqs(account, "type=payment_intent.refunded&after_seq=2")).data, [4, 6])
      assert.deepStrictEqual((yield* seqs(account, "type=order.fulfilled")).data, [])
    }))

  it.effect("shows one event with its data as it was stored", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      // Printed again, this number would end in zeros and the spaces would be gone.
      const data = "{\"id\":\"pi_1\",  \"big\":12345678901234567890}"
      yield* emit(account, [{ resource: "pi_1", data }])
      const listed = yield* send(account, "GET", "/events")
      const [event] = (yield* list(listed)).data
      const one = yield* send(account, "GET", `/events/${event?.id}`)
      assert.strictEqual(one.status, 200)
      assert.isTrue(one.text.endsWith(`,"data":${data}}`))
      assert.include(listed.text, one.text)
      assert.include(yield* decode(Event)(one), { account_id: account, event_seq: 1, resource_version: 1, type: "payment_intent.captured" })
    }))

  it.effect.each([
    { query: "type=payment_intent.exploded", code: "type" },
    { query: "after_seq=-1", code: "after_seq" },
    { query: "after_seq=1.5", code: "after_seq" },
    { query: "per_page=101", code: "per_page" },
    { query: "page=0", code: "page" },
    { query: "page=600&per_page=20", code: "page" },
    { query: "after=x", code: "after" },
    { query: "after=evt_1", code: "after" },
    { query: "before=whq_00000000000000000000000000", code: "before" },
    { query: "after=evt_00000000000000000000000000&before=evt_00000000000000000000000000", code: "before" },
    { query: "page=1&after=evt_00000000000000000000000000", code: "page" }
  ])("refuses $query", ({ code, query }) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const refused = yield* send(yield* sevenEvents, "GET", `/events?${query}`)
      assert.strictEqual(refused.status, 400)
      assert.strictEqual((yield* decode(ValidationError)(refused)).code, code)
    }))

  it.effect("another account's event is like none at all", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const sql = yield* SqlClient.SqlClient
      const [owner, other] = [yield* openAccount, yield* openAccount]
      yield* emit(owner, [{ resource: "pi_1" }, { resource: "pi_1" }])
      const [event] = yield* sql<{ readonly id: string }>`SELECT id FROM events WHERE account_id = ${owner} AND seq = 2`
      const foreign = yield* send(other, "GET", `/events/${event?.id}`)
      const unknown = yield* send(other, "GET", `/events/${yield* nextId("evt")}`)
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual(foreign.text, unknown.text)
      yield* decode(NotFound)(foreign)
      assert.deepStrictEqual((yield* seqs(other, "")).data, [])
      yield* emit(other, [{ resource: "pi_2" }])
      // It stands before all of the other's events, which were made later, whatever its number in its own log.
      for (const [side, data] of [["after", []], ["before", [1]]] as const) {
        assert.deepStrictEqual((yield* seqs(other, `${side}=${event?.id}`)).data, [...data])
        const cursor = yield* send(other, "GET", `/events?${side}=${event?.id}`)
        assert.strictEqual(cursor.text, (yield* send(other, "GET", `/events?${side}=${neighbour(event?.id ?? "")}`)).text)
      }
    }))
})
