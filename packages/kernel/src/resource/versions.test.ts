import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { CommitRefused } from "../road/committer.ts"
import { InvalidState, VersionConflict } from "./errors.ts"
import { atVersion, lostRace, MAX_RACES, untilCommitted } from "./versions.ts"

describe("atVersion", () => {
  const thing = { id: "thing_1", version: 3 }

  it.each([undefined, 3])("expecting %s gives the resource itself", (expected) => {
    const result = atVersion("thing", thing, expected)
    assert.isTrue(Result.isSuccess(result) && result.success === thing)
  })

  it.each([2, 4, 0])("expecting %s is refused with the version there is", (expected) => {
    assert.deepStrictEqual(
      atVersion("payment method", thing, expected),
      Result.fail(
        new VersionConflict({
          message: `The payment method is at version 3, not ${expected}. Read it again and decide anew.`,
          details: { version: 3 }
        })
      )
    )
  })
})

describe("untilCommitted", () => {
  /** Loses its race this often, then does this. */
  const losing = <A, E>(times: number, then: Effect.Effect<A, E>) => {
    let tries = 0
    return {
      tries: () => tries,
      change: Effect.suspend((): Effect.Effect<A, E | CommitRefused> => ++tries <= times ? Effect.fail(lostRace()) : then)
    }
  }

  it.effect.each([0, 1, MAX_RACES - 1])("a change that lost its race %i times is made", (times) =>
    Effect.gen(function*() {
      const { change, tries } = losing(times, Effect.succeed("done"))
      assert.strictEqual(yield* untilCommitted("thing", change), "done")
      assert.strictEqual(tries(), times + 1)
    }))

  it.effect("one that never wins ends, and its caller is told why", () =>
    Effect.gen(function*() {
      const { change, tries } = losing(Number.POSITIVE_INFINITY, Effect.succeed("done"))
      const refused = yield* Effect.flip(untilCommitted("payment method", change))
      assert.instanceOf(refused, VersionConflict)
      assert.include(refused.message, "The payment method kept changing")
      assert.strictEqual(tries(), MAX_RACES)
    }))

  it.effect("a refusal is final", () =>
    Effect.gen(function*() {
      const refusal = new InvalidState({ message: "It is closed.", details: { state: "closed" } })
      const { change, tries } = losing(2, Effect.fail(refusal))
      assert.deepStrictEqual(yield* Effect.result(untilCommitted("thing", change)), Result.fail(refusal))
      assert.strictEqual(tries(), 3)
    }))
})
