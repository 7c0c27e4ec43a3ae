/** What a passkey proves and what it does not: answers that no browser gives, by an authenticator that does what it is told. */
import { assert, layer } from "@effect/vitest"
import { Passkeys } from "@svc/accounts/passkeys/service"
import { People } from "@svc/accounts/people/service"
import { Effect, Redacted } from "effect"
import { servicesWith } from "../services.ts"
import { makeAuthenticator } from "./authenticator.ts"

const origin = "https://pay.example.com"

const invited = Effect.gen(function*() {
  const people = yield* People
  const { secret } = yield* people.invite({ account_id: null, role: "viewer", email: null })
  return people.join(Redacted.value(secret), { name: "Ada Berg", email: null })
})

/** Somebody who joined with the passkey of an authenticator. */
const joined = Effect.gen(function*() {
  const passkeys = yield* Passkeys
  const authenticator = makeAuthenticator()
  const asked = yield* passkeys.askForNew({ purpose: "join", name: "Ada Berg", user_id: null })
  const user_id = yield* passkeys.add({
    answer: authenticator.create(asked, { origin, counter: 1 }),
    purpose: "join",
    name: "Phone",
    owner: yield* invited
  })
  return { authenticator, user_id }
})

const refusedFor = (error: { readonly _tag: string; readonly reason?: string }) => error.reason ?? error._tag

layer(servicesWith({ base_url: origin }), { excludeTestServices: true, timeout: "60 seconds" })("a passkey", (it) => {
  it.effect("proves whose it is", () =>
    Effect.gen(function*() {
      const passkeys = yield* Passkeys
      const { authenticator, user_id } = yield* joined
      const asked = yield* passkeys.askForProof({ purpose: "sign in", user_id: null })
      assert.deepStrictEqual(asked.allowCredentials, [])
      assert.strictEqual(asked.userVerification, "required")
      assert.strictEqual(yield* passkeys.prove(authenticator.prove(asked, { origin, counter: 2 }), "sign in"), user_id)
      const [passkey] = yield* passkeys.list(user_id)
      assert.strictEqual(passkey?.name, "Phone")
      assert.isNotNull(passkey?.last_used_at)
    }))

  it.effect("is refused for another site, another purpose, an old challenge, a counter that fell, or without its person", () =>
    Effect.gen(function*() {
      const passkeys = yield* Passkeys
      const { authenticator } = yield* joined
      const ask = passkeys.askForProof({ purpose: "sign in", user_id: null })
      const why = (answer: string, purpose = "sign in") => Effect.map(Effect.flip(passkeys.prove(answer, purpose)), refusedFor)

      assert.strictEqual(
        yield* why(authenticator.prove(yield* ask, { origin: "https://pay.example.org", rpId: "pay.example.com", counter: 2 })),
        "invalid"
      )
      assert.strictEqual(yield* why(authenticator.prove(yield* ask, { origin, rpId: "example.com", counter: 2 })), "invalid")
      assert.strictEqual(yield* why(authenticator.prove(yield* ask, { origin, isVerified: false, counter: 2 })), "invalid")
      assert.strictEqual(yield* why(authenticator.prove(yield* ask, { origin, counter: 1 })), "invalid")
      assert.strictEqual(yield* why(authenticator.prove(yield* ask, { origin, counter: 2 }), "confirm ses_1"), "stale")
      assert.strictEqual(yield* why(makeAuthenticator().prove(yield* ask, { origin, counter: 2 })), "unknown")
      assert.strictEqual(yield* why("{}"), "invalid")
      assert.strictEqual(yield* why("no JSON"), "invalid")

      const answer = authenticator.prove(yield* ask, { origin, counter: 3 })
      yield* passkeys.prove(answer, "sign in")
      assert.strictEqual(yield* why(answer), "stale")
    }))

  it.effect("proves once where two send the same answer at once", () =>
    Effect.gen(function*() {
      const passkeys = yield* Passkeys
      const { authenticator } = yield* joined
      const answer = authenticator.prove(yield* passkeys.askForProof({ purpose: "sign in", user_id: null }), { origin, counter: 2 })
      const both = yield* Effect.all([1, 2].map(() => Effect.exit(passkeys.prove(answer, "sign in"))), { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
    }))

  it.effect("lets one of two join who take a link at once, and a link whose passkey was refused still works", () =>
    Effect.gen(function*() {
      const passkeys = yield* Passkeys
      const owner = yield* invited
      const join = (answering: { readonly origin: string }) =>
        Effect.gen(function*() {
          const asked = yield* passkeys.askForNew({ purpose: "join", name: "Ada", user_id: null })
          const answer = makeAuthenticator().create(asked, answering)
          return yield* passkeys.add({ answer, purpose: "join", name: "Phone", owner })
        })
      assert.strictEqual(refusedFor(yield* Effect.flip(join({ origin: "https://evil.example" }))), "invalid")
      const both = yield* Effect.all([1, 2].map(() => Effect.result(join({ origin }))), { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
    }))

  it.effect("is never removed where it is the last way in, not by two at once either", () =>
    Effect.gen(function*() {
      const passkeys = yield* Passkeys
      const { user_id } = yield* joined
      const [first] = yield* passkeys.list(user_id)
      assert.strictEqual(refusedFor(yield* Effect.flip(passkeys.remove(user_id, first?.id ?? ""))), "LastWayIn")

      const second = makeAuthenticator()
      const asked = yield* passkeys.askForNew({ purpose: "add", name: "Ada Berg", user_id })
      assert.lengthOf(asked.excludeCredentials ?? [], 1)
      yield* passkeys.add({ answer: second.create(asked, { origin }), purpose: "add", name: "Key", owner: Effect.succeed(user_id) })
      const all = yield* passkeys.list(user_id)
      const removed = yield* Effect.all(all.map(({ id }) => Effect.result(passkeys.remove(user_id, id))), { concurrency: 2 })
      assert.deepStrictEqual(removed.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
      assert.lengthOf(yield* passkeys.list(user_id), 1)
    }))

  it.effect("is somebody's own: nobody else renames or removes it", () =>
    Effect.gen(function*() {
      const passkeys = yield* Passkeys
      const [mine, others] = [yield* joined, yield* joined]
      const [passkey] = yield* passkeys.list(others.user_id)
      const id = passkey?.id ?? ""
      assert.strictEqual(refusedFor(yield* Effect.flip(passkeys.rename(mine.user_id, id, "Mine"))), "NotFound")
      assert.strictEqual(refusedFor(yield* Effect.flip(passkeys.remove(mine.user_id, id))), "NotFound")
      yield* passkeys.rename(others.user_id, id, "Key in the safe")
      assert.strictEqual((yield* passkeys.list(others.user_id))[0]?.name, "Key in the safe")
    }))
})
