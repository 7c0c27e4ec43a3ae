/** What a stream holds for its reader, and for the one who comes back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { EventLog, Held, Outlet } from "./event-log.ts"

const bounds = { unread: 100, allUnread: 1_000, replay: 200, allReplay: 1_000 }
const read = (outlet: Outlet) => Effect.map(Stream.runCollect(outlet.bytes), (all) => all.map((bytes) => new TextDecoder().decode(bytes)).join(""))

describe("a stream", () => {
  it.effect("ends when its reader leaves too much untaken, and one message may be larger", () => Effect.gen(function*() {
    const held = new Held(bounds)
    const outlet = yield* Outlet.make(held)
    outlet.send("x".repeat(500))
    assert.strictEqual(held.unread, 500)
    outlet.send("y")
    outlet.send("z")
    assert.strictEqual(yield* read(outlet), "x".repeat(500))
    assert.strictEqual(held.unread, 0)
  }))

  it.effect("ends when the readers of all streams together leave too much untaken, and lets go what a reader left who is gone", () => Effect.gen(function*() {
    const held = new Held({ ...bounds, unread: 10_000 })
    const [one, other] = [yield* Outlet.make(held), yield* Outlet.make(held)]
    one.send("x".repeat(1_001))
    other.send("y")
    assert.strictEqual(yield* read(other), "")
    one.close()
    assert.strictEqual(held.unread, 0)
  }))

  it.effect("keeps so much and no more once it was read, and says what it no longer knows", () => Effect.gen(function*() {
    const held = new Held({ ...bounds, unread: 10_000, allUnread: 10_000 })
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

  it.effect("has one reader: a new one takes the place of the old one", () => Effect.gen(function*() {
    const held = new Held(bounds)
    const log = new EventLog(0, held, true)
    const [one, other] = [yield* Outlet.make(held), yield* Outlet.make(held)]
    log.attach(one, 0)
    log.attach(other, 0)
    log.push("a")
    log.detach(one)
    log.end()
    assert.deepStrictEqual([yield* read(one), yield* read(other)], ["", "id: 0.1\ndata: a\n\n"])
  }))
})
