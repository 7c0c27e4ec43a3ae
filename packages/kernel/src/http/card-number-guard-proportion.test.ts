import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { type Dice, kinds, makeDice, ordinaryBody } from "../values/ordinary-body-fixture.ts"
import { refusalOf } from "./card-number-guard.ts"

/** How many of the bodies are refused. */
const refused = (bodies: number, makeBody: (dice: Dice) => string) =>
  Effect.map(Random.Random, (random) => {
    const dice = makeDice(random)
    return Array.from({ length: bodies }, () => makeBody(dice)).filter((body) => refusalOf(body) !== undefined).length
  })

/**
 * Numbers of 14 to 19 digits of any kind: so many of a thousand of them may look like a card number, which is one in ten of those in a
 * network's range. Of all others none may.
 */
const perThousand: Readonly<Record<string, number>> = { parcel: 2, gtin14: 2, shopify_id: 10, snowflake: 30 }

describe("of bodies without card numbers", () => {
  it.effect("at most 1 in 1,000 is refused, of 100,000", () =>
    Effect.gen(function*() {
      assert.isAtMost(yield* Random.withSeed(refused(100_000, ordinaryBody), "one"), 100)
    }), 60_000)

  it.effect.each(kinds)("$name: next to none", ({ make, name }) =>
    Effect.gen(function*() {
      const bodies = 20_000
      const count = yield* Random.withSeed(refused(bodies, (dice) => JSON.stringify({ metadata: { [name]: make(dice) } })), name)
      assert.isAtMost(count, bodies * (perThousand[name] ?? 0) / 1000)
    }))
})
