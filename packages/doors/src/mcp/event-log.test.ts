/** What a stream holds for its reader, and for the one who comes back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { EventLog, HeldCharacters, Outlet } from "./event-log.ts"
import { Limits } from "./limits.ts"

const bounds = { room: 100, unread: 100, allUnread: 1_000, replay: 200, allReplay: 1_000 }
const read = (outlet: Outlet) =>
  Effect.map(Stream.runCollect(outlet.bytes), (all) => all.map((bytes) => new TextDecoder().decode(bytes)).join(""))

describe("a stream", () => {
  it.effect("ends when its reader leaves too much untaken, and one message may be larger", () =>
    Effect.gen(function*() {
      const held = new HeldCharacters(bounds)
      const outlet = yield* Outlet.make(held)
      outlet.send("x".repeat(500))
      assert.strictEqual(held.unread, 500)
      outlet.send("y")
      outlet.send("z")
      assert.strictEqual(yield* read(outlet), "x".repeat(500))
      assert.strictEqual(held.unread, 0)
    }))

  it.effect("carries the answers of all calls of a session, also when they come before its reader could take any", () =>
    Effect.gen(function*() {
      const limits = yield* Limits
      const outlet = yield* Outlet.make(new HeldCharacters(limits))
      const large = "x".repeat(300_000)
      for (let call = 0; call < limits.runs; call++) outlet.send(large)
      outlet.end()
      assert.strictEqual((yield* read(outlet)).length, limits.runs * large.length)
    }))

  it.effect("has no room for more calls until its reader has taken what there is, and none after its end", () =>
    Effect.gen(function*() {
      const held = new HeldCharacters({ ...bounds, unread: 1_000 })
      const [log, outlet] = [new EventLog(0, held, false), yield* Outlet.make(held)]
      log.attach(outlet, 0)
      assert.isTrue(yield* log.room)
      log.push("x".repeat(100))
      const waiting = yield* Effect.forkChild(log.room, { startImmediately: true })
      assert.isUndefined(waiting.pollUnsafe())
      const reading = yield* Effect.forkChild(read(outlet), { startImmediately: true })
      assert.isTrue(yield* Fiber.join(waiting))
      log.push("y".repeat(100))
      outlet.end()
      assert.isFalse(yield* log.room)
      assert.strictEqual(yield* Fiber.join(reading), `data: ${"x".repeat(100)}\n\ndata: ${"y".repeat(100)}\n\n`)
    }))

  it.effect("ends when the readers of all streams together leave too much untaken, and lets go what a reader left who is gone", () =>
    Effect.gen(function*() {
      const held = new HeldCharacters({ ...bounds, unread: 10_000 })
      const [one, other] = [yield* Outlet.make(held), yield* Outlet.make(held)]
      one.send("x".repeat(1_001))
      other.send("y")
      assert.strictEqual(yield* read(other), "")
      one.close()
      assert.strictEqual(held.unread, 0)
    }))

  it.effect("keeps so much and no more once it was read, and says what it no longer knows", () =>
    Effect.gen(function*() {
      const held = new HeldCharacters({ ...bounds, unread: 10_000, allUnread: 10_000 })
      const log = new EventLog(3, held, true)
      for (let at = 0; at < 10; at++) log.push("x".repeat(50))
      assert.isTrue(log.knows(0))
      const outlet = yield* Outlet.make(held)
      log.attach(outlet, 0)
      log.push("last")
      assert.deepStrictEqual([log.knows(0), log.knows(10), log.knows(11), log.knows(12)], [false, true, true, false])
      assert.isAtMost(held.replay, bounds.replay)
      log.end()
      assert.match(yield* read(outlet), /^id: 3\.1\n[^]*id: 3\.11\ndata: last\n\n$/u)
      log.forget()
      assert.strictEqual(held.replay, 0)
    }))

  it.effect("keeps two readers connected, sends each event to the latest, and to the other one once that has left", () =>
    Effect.gen(function*() {
      const held = new HeldCharacters(bounds)
      const log = new EventLog(0, held, true)
      const [one, other] = [yield* Outlet.make(held), yield* Outlet.make(held)]
      log.attach(one, 0)
      log.attach(other, 0)
      log.push("a")
      const reading = yield* Effect.forkChild(read(other), { startImmediately: true })
      other.end()
      assert.strictEqual(yield* Fiber.join(reading), "id: 0.1\ndata: a\n\n")
      log.detach(other)
      assert.isTrue(log.hasReader)
      log.push("b")
      log.end()
      assert.strictEqual(yield* read(one), "id: 0.2\ndata: b\n\n")
    }))

  it.effect("ends the reader that came first when there are too many", () =>
    Effect.gen(function*() {
      const held = new HeldCharacters(bounds)
      const log = new EventLog(0, held, true)
      const readers = yield* Effect.forEach([1, 2, 3, 4, 5], () => Outlet.make(held))
      for (const reader of readers) log.attach(reader, log.last)
      const [first = assert.fail("no reader"), ...others] = readers
      assert.strictEqual(yield* read(first), "")
      log.detach(first)
      log.push("a")
      log.end()
      assert.deepStrictEqual(yield* Effect.forEach(others, read), ["", "", "", "id: 0.1\ndata: a\n\n"])
    }))
})
