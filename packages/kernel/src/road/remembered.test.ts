import { assert, describe, it } from "@effect/vitest"
import { Effect, Hash } from "effect"
import { remembered } from "./remembered.ts"

interface Thing {
  readonly id: string
  readonly version: number
  readonly open: boolean
}

const thing = (id: string, version = 1, open = true): Thing => ({ id, version, open })
const written = Effect.void
const refused = Effect.fail("refused")

/** Another id that falls on the same place as this one. */
const neighbourOf = (id: string): string => {
  for (let n = 0;; n++) if ((Hash.string(`thing_${n}`) & 1_023) === (Hash.string(id) & 1_023) && `thing_${n}` !== id) return `thing_${n}`
}

describe("what a process wrote a moment ago", () => {
  const make = () => remembered<Thing>(({ open }) => open)

  it.effect("is remembered as it was last written", () =>
    Effect.gen(function*() {
      const memory = make()
      assert.isUndefined(memory.recall("a"))
      yield* memory.written(thing("a"), written)
      const latest = thing("a", 2)
      yield* memory.written(latest, written)
      assert.strictEqual(memory.recall("a"), latest)
      assert.isUndefined(memory.recall("b"))
    }))

  it.effect("is remembered only once it is written", () =>
    Effect.gen(function*() {
      const memory = make()
      yield* memory.written(thing("a"), Effect.sync(() => assert.isUndefined(memory.recall("a"))))
      assert.isDefined(memory.recall("a"))
    }))

  it.effect("is forgotten when it cannot be written, for it may be old", () =>
    Effect.gen(function*() {
      const memory = make()
      yield* memory.written(thing("a"), written)
      assert.strictEqual(yield* Effect.flip(memory.written(thing("a", 2), refused)), "refused")
      assert.isUndefined(memory.recall("a"))
    }))

  it.effect("is forgotten when nobody is likely to change it again", () =>
    Effect.gen(function*() {
      const memory = make()
      yield* memory.written(thing("a"), written)
      yield* memory.written(thing("a", 2, false), written)
      assert.isUndefined(memory.recall("a"))
    }))

  it.effect("makes room for another at its place, and is not taken for it", () =>
    Effect.gen(function*() {
      const memory = make()
      const other = neighbourOf("a")
      yield* memory.written(thing("a"), written)
      assert.isUndefined(memory.recall(other))
      // That the other one could not be written says nothing of this one.
      yield* Effect.flip(memory.written(thing(other), refused))
      assert.isDefined(memory.recall("a"))
      yield* memory.written(thing(other), written)
      assert.isUndefined(memory.recall("a"))
      assert.strictEqual(memory.recall(other)?.id, other)
    }))
})
