import { assert, layer } from "@effect/vitest"
import { road } from "@svc/testkit/road"
import { Data, DateTime, Effect, Result } from "effect"
import { openAccount } from "../road/account-fixture.ts"
import { Committer } from "../road/committer.ts"
import type { KeyWrite } from "../road/decision.ts"
import { now, realNow, standingAt } from "../values/time.ts"
import { calledOutside, InvalidState } from "./errors.ts"
import { Idempotency, keyDone, once } from "./idempotency.ts"
import type { Begun, Keyed } from "./idempotency.ts"

/** Told only after a call to the outside. */
class Unreachable extends Data.TaggedError("Unreachable") {
  get [calledOutside](): true {
    return true
  }
}

const requestOf = (key: string): Keyed => ({ key, operation: "thing.change", fingerprint: "fp" })
const resource = { type: "thing", id: "thing_1" }
const reply = { status: 200, body: `{"done":true}` }
const refusal = new InvalidState({ message: "It has changed already.", details: { state: "changed" } })

const write = Effect.fnUntraced(function*(account_id: string, key: KeyWrite) {
  const committer = yield* Committer
  yield* committer.commit({ account_id, at: yield* now, cause: key.key, writes: [], entries: [], events: [], set: [], clear: [], key })
})

/** The key announced before a provider call, its lease over at once. */
const announced = (request: Keyed): Effect.Effect<KeyWrite> =>
  Effect.map(now, (at) => ({ ...request, resource_type: resource.type, resource_id: resource.id, mode: "first" as const, lease_until: at }))

layer(road, { excludeTestServices: true })("a keyed request", (it) => {
  it.effect.each<[before: "a new key" | "an abandoned key"]>([["a new key"], ["an abandoned key"]])(
    "under %s, refused because the same request was faster, is answered as that was",
    ([before]) =>
      Effect.gen(function*() {
        const idempotency = yield* Idempotency
        const account = yield* openAccount
        const request = requestOf(`race-${before}`)
        if (before === "an abandoned key") {
          yield* write(account, yield* announced(request))
          // This process has seen it, so it looks the key up first.
          idempotency.seen(request.key)
        }
        let acted = 0
        const answer = yield* once(idempotency, account, request, (begun) =>
          Effect.gen(function*() {
            acted++
            // The other sender commits between our look at the key and our look at the resource.
            yield* write(account, keyDone(request, resource, reply, begun._tag === "Resume" ? "finish" : "first"))
            return yield* refusal
          }))
        assert.deepStrictEqual(answer, { ...reply, replayed: true, key: request.key })
        assert.strictEqual(acted, 1)
      })
  )

  it.effect.each([["far ahead", 4_000_000_000_000], ["far behind", 1_000_000_000_000]] as const)(
    "owns its key by the world's time, in an account whose clock is %s",
    ([name, present]) =>
      Effect.gen(function*() {
        const idempotency = yield* Idempotency
        const account = yield* openAccount
        const begin = (request: Keyed) => standingAt(present)(Effect.result(idempotency.begin(account, request)))
        const [held, over] = [requestOf(`held-${name}`), requestOf(`over-${name}`)]
        const key = yield* announced(held)
        const later = DateTime.add(yield* realNow, { minutes: 1 })
        yield* write(account, { ...key, lease_until: later })
        yield* write(account, yield* announced(over))
        const refused = yield* begin(held)
        assert.strictEqual(Result.isFailure(refused) ? refused.failure._tag : refused.success._tag, "IdempotencyInProgress")
        assert.deepStrictEqual(yield* begin(over), Result.succeed({ _tag: "Resume", resource_id: resource.id }))
      })
  )

  it.effect("refused by the rules is refused, and its key not consumed", () =>
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const account = yield* openAccount
      const request = requestOf("refused")
      const answer = yield* Effect.result(once(idempotency, account, request, () => Effect.fail(refusal)))
      assert.deepStrictEqual(answer, Result.fail(refusal))
      assert.isUndefined(yield* idempotency.find(account, request.key))
    }))

  it.effect("that could not reach the outside is not made again behind the caller's back", () =>
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const account = yield* openAccount
      const request = requestOf("unreachable")
      const unavailable = new Unreachable()
      let acted = 0
      const answer = yield* Effect.result(once(idempotency, account, request, () =>
        Effect.gen(function*() {
          acted++
          yield* write(account, yield* announced(request))
          return yield* unavailable
        })))
      assert.deepStrictEqual(answer, Result.fail(unavailable))
      assert.strictEqual(acted, 1)
    }))

  it.effect("whose key another process left half way takes it up", () =>
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const account = yield* openAccount
      const request = requestOf("half-way")
      yield* write(account, yield* announced(request))
      const seen: Array<Begun["_tag"]> = []
      const answer = yield* once(idempotency, account, request, (begun) =>
        Effect.gen(function*() {
          seen.push(begun._tag)
          yield* write(account, keyDone(request, resource, reply, begun._tag === "Resume" ? "finish" : "first"))
          return reply
        }))
      assert.deepStrictEqual(answer, { ...reply, replayed: false, key: request.key })
      // It did not know the key, and found out when its commit was refused.
      assert.deepStrictEqual(seen, ["First", "Resume"])
    }))
})
