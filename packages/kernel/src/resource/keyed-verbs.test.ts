import { assert, layer } from "@effect/vitest"
import { road } from "@svc/testkit/road"
import { Data, Deferred, Effect, Fiber, Result } from "effect"
import { openAccount } from "../road/account-fixture.ts"
import { Committer } from "../road/committer.ts"
import type { KeyWrite } from "../road/decision.ts"
import { now } from "../values/time.ts"
import { calledOutside, InvalidState, notFound, VersionConflict } from "./errors.ts"
import { Idempotency, keyDone, keyHeld } from "./idempotency.ts"
import type { Keyed } from "./idempotency.ts"
import { keyedVerbs, modeOf } from "./keyed-verbs.ts"
import type { Loading, Resumed, Work } from "./keyed-verbs.ts"

/** Told only after a call to the outside. */
class Unreachable extends Data.TaggedError("Unreachable") {
  get [calledOutside](): true {
    return true
  }
}

interface Thing {
  readonly version: number
  readonly open: boolean
}
type Account = { readonly id: string }
type ThingWork = Work<Account, Thing>

const kept = { type: "thing", id: "thing_1" }
const closed = new InvalidState({ message: "It is closed.", details: { state: "closed" } })
const open: Thing = { version: 1, open: true }

let keys = 0
const fresh = (): Keyed => ({ key: `keyed-verbs-${++keys}`, operation: "thing.close", fingerprint: "f" })

/** A world of one thing: what the database has of it, what this process remembers, and what a verb does with it. */
const world = Effect.gen(function*() {
  const committer = yield* Committer
  const idempotency = yield* Idempotency
  const account: Account = { id: yield* openAccount }
  const seen: Array<ThingWork> = []
  const state: { stored: Thing | undefined; remembered: Thing | undefined; reads: number } = {
    stored: open,
    remembered: undefined,
    reads: 0
  }

  const write = Effect.fnUntraced(function*(key: KeyWrite) {
    yield* committer.commit({
      account_id: account.id,
      at: yield* now,
      cause: key.key,
      writes: [],
      entries: [],
      events: [],
      set: [],
      clear: [],
      key
    })
  })
  const reply = (text: string) => ({ status: 200, body: `{"says":"${text}"}` })
  const answer = Effect.fnUntraced(function*(work: Pick<ThingWork, "keyed" | "announced">, text: string) {
    yield* write(keyDone(work.keyed, kept, reply(text), modeOf(work)))
    return reply(text)
  })
  /** Closes what is open. */
  const close = Effect.fnUntraced(function*(work: ThingWork) {
    seen.push(work)
    return work.resource.open ? yield* answer(work, `closed ${work.resource.version}`) : yield* closed
  })
  const loading: Loading<Account, Thing, never> = {
    name: "thing",
    get: () =>
      Effect.suspend(() => {
        state.reads++
        return state.stored === undefined ? Effect.fail(notFound("thing")) : Effect.succeed(state.stored)
      }),
    recall: () => state.remembered,
    resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
    actsOutside: false
  }
  const verbs = <E = never>(changes: Partial<Loading<Account, Thing, E>> = {}) =>
    keyedVerbs<Account, Thing, E>(idempotency, { ...loading, ...changes })
  const command = (keyed: Keyed = fresh()) => ({ account, id: "thing_1", keyed, payload: undefined })
  return { account, answer, close, command, reply, seen, state, verbs, write }
})

layer(road, { excludeTestServices: true })("a keyed verb", (it) => {
  it.effect("acts once on the resource, and is replayed whatever became of it", () =>
    Effect.gen(function*() {
      const { close, command, reply, seen, state, verbs } = yield* world
      const closing = verbs().on("Things.close", close)
      const asked = command()
      assert.deepStrictEqual(yield* closing(asked), { ...reply("closed 1"), replayed: false, key: asked.keyed.key })
      assert.deepStrictEqual(seen.map(({ announced, resource }) => [announced, resource]), [[false, open]])
      state.stored = undefined
      assert.deepStrictEqual(yield* closing(asked), { ...reply("closed 1"), replayed: true, key: asked.keyed.key })
      assert.strictEqual((yield* Effect.flip(closing(command())))._tag, "NotFound")
      assert.strictEqual(seen.length, 1)
    }))

  it.effect("acts on what this process remembers, without reading it", () =>
    Effect.gen(function*() {
      const { close, command, state, verbs } = yield* world
      state.remembered = { version: 4, open: true }
      assert.include((yield* verbs().on("Things.close", close)(command())).body, "closed 4")
      assert.strictEqual(state.reads, 0)
    }))

  it.effect("is not refused for what was only remembered", () =>
    Effect.gen(function*() {
      const { close, command, seen, state, verbs } = yield* world
      state.remembered = { version: 1, open: false }
      state.stored = { version: 2, open: true }
      assert.include((yield* verbs().on("Things.close", close)(command())).body, "closed 2")
      assert.deepStrictEqual(seen.map(({ resource }) => resource.version), [1, 2])
    }))

  it.effect("is refused at once where what is remembered is what there is", () =>
    Effect.gen(function*() {
      const { close, command, seen, state, verbs } = yield* world
      state.remembered = { version: 3, open: false }
      state.stored = { version: 3, open: false }
      assert.deepStrictEqual(yield* Effect.result(verbs().on("Things.close", close)(command())), Result.fail(closed))
      assert.deepStrictEqual([seen.length, state.reads], [1, 1])
    }))

  it.effect("that has called the outside is not tried again on what is stored", () =>
    Effect.gen(function*() {
      const { command, state, verbs } = yield* world
      const unavailable = new Unreachable()
      state.remembered = open
      state.stored = { version: 2, open: true }
      let calls = 0
      const answer = yield* Effect.result(
        verbs().on("Things.close", () =>
          Effect.suspend(() => {
            calls++
            return Effect.fail(unavailable)
          }))(command())
      )
      assert.deepStrictEqual([answer, calls], [Result.fail(unavailable), 1])
    }))

  it.effect("acts only on the version that the caller read, remembered or not", () =>
    Effect.gen(function*() {
      const { close, command, state, verbs } = yield* world
      const closing = verbs().on("Things.close", close)
      state.remembered = { version: 1, open: true }
      state.stored = { version: 2, open: true }
      const stale = yield* Effect.result(closing({ ...command(), version: 7 }))
      assert.deepStrictEqual(
        stale,
        Result.fail(
          new VersionConflict({ message: "The thing is at version 2, not 7. Read it again and decide anew.", details: { version: 2 } })
        )
      )
      assert.include((yield* closing({ ...command(), version: 2 })).body, "closed 2")
    }))

  it.effect.each<[name: string, resumed: Resumed<Thing>, says: string, acted: number]>([
    ["has its answer by now", { _tag: "Answered", reply: { status: 200, body: `{"says":"found"}` } }, "found", 0],
    ["goes on from where it stands", { _tag: "GoesOn", resource: { version: 5, open: true } }, "closed 5", 1]
  ])("that stopped half way %s, and is not asked for its version again", ([, resumed, says, acted]) =>
    Effect.gen(function*() {
      const { close, command, seen, state, verbs, write } = yield* world
      const asked = { ...command(), version: 1 }
      yield* write(keyHeld(asked.keyed, kept, yield* now))
      state.stored = { version: 2, open: true }
      const asks: Array<boolean> = []
      const closing = verbs({
        resume: (work) =>
          Effect.sync(() => {
            asks.push(work.announced)
            return resumed
          })
      }).on("Things.close", close)
      assert.include((yield* closing(asked)).body, says)
      assert.deepStrictEqual([asks, seen.map(({ announced }) => announced)], [[true], Array.from({ length: acted }, () => true)])
    }))

  it.effect("that acts outside is carried out whole when its caller goes away", () =>
    Effect.gen(function*() {
      const { answer, command, reply, verbs } = yield* world
      const [called, back] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const asked = command()
      const closing = verbs({ actsOutside: true }).on("Things.close", (work) =>
        Deferred.succeed(called, undefined).pipe(Effect.andThen(Deferred.await(back)), Effect.andThen(answer(work, "whole"))))
      const fiber = yield* Effect.forkChild(closing(asked))
      yield* Deferred.await(called)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(back, undefined)
      const idempotency = yield* Idempotency
      const row = yield* idempotency.find(asked.account.id, asked.keyed.key).pipe(Effect.repeat({
        until: (found) =>
          found !== undefined
      }))
      assert.strictEqual(row?.response_body, reply("whole").body)
    }))

  it.effect.each<[name: string, resumed: Resumed<Thing>, says: string]>([
    ["has its answer by now", { _tag: "Answered", reply: { status: 200, body: `{"says":"found"}` } }, "found"],
    ["goes on with what it made", { _tag: "GoesOn", resource: { version: 5, open: true } }, "closed 5"]
  ])("that makes a resource and acts on it, and stopped half way, %s", ([, resumed, says]) =>
    Effect.gen(function*() {
      const { close, command, state, verbs, write } = yield* world
      const asked = command()
      const ids: Array<string> = []
      let made = 0
      const making = verbs({
        get: (_, id) =>
          Effect.sync(() => {
            ids.push(id)
            return state.stored ?? open
          }),
        resume: () => Effect.succeed(resumed)
      }).makingAndActing("Things.makeAndClose", ({ keyed }: Work<Account, undefined>) =>
        Effect.suspend(() => {
          made++
          // The process dies behind the commit that makes the thing: nobody hears an answer.
          return Effect.andThen(Effect.flatMap(now, (at) => write(keyHeld(keyed, kept, at))), Effect.die("the process died"))
        }), close)
      yield* Effect.exit(making(asked))
      assert.include((yield* making(asked)).body, says)
      assert.deepStrictEqual([made, ids], [1, ["thing_1"]])
    }))

  it.effect("that makes a resource and acts on it is carried out whole when its caller goes away", () =>
    Effect.gen(function*() {
      const { answer, close, command, verbs } = yield* world
      const [called, back] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const asked = command()
      const making = verbs({ actsOutside: true }).makingAndActing("Things.makeAndClose", (work: Work<Account, undefined>) =>
        Deferred.succeed(called, undefined).pipe(Effect.andThen(Deferred.await(back)), Effect.andThen(answer(work, "whole"))), close)
      const fiber = yield* Effect.forkChild(making(asked))
      yield* Deferred.await(called)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(back, undefined)
      const idempotency = yield* Idempotency
      const row = yield* idempotency.find(asked.account.id, asked.keyed.key).pipe(Effect.repeat({
        until: (found) =>
          found !== undefined
      }))
      assert.include(row?.response_body ?? "", "whole")
    }))

  it.effect("that makes a resource has none to begin with, and is replayed like any other", () =>
    Effect.gen(function*() {
      const { answer, command, reply, verbs } = yield* world
      let made = 0
      const making = verbs().making("Things.make", (work: Work<Account, undefined>) =>
        Effect.suspend(() => {
          assert.isUndefined(work.resource)
          return answer(work, `made ${++made}`)
        }))
      const asked = command()
      assert.deepStrictEqual([yield* making(asked), yield* making(asked)].map(({ body, replayed }) => [body, replayed]), [[
        reply("made 1").body,
        false
      ], [reply("made 1").body, true]])
    }))
})
