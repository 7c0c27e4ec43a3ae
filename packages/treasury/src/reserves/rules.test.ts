import { assert, describe, it } from "@effect/vitest"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Effect, Result, Schema } from "effect"
import { type Reserve, ReserveId } from "./model.ts"
import { end, heldOf, hold } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const held = (amount: number) =>
  hold(ReserveId.make(makeId("rsv", at.epochMilliseconds)), {
    merchant_id: "acct_01KDVK5D80000000000000000A",
    amount,
    currency: "USD",
    reason: "risk"
  }, at)

const Steps = Schema.Struct({
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999_999 })),
  steps: Schema.Array(
    Schema.Struct({
      how: Schema.Literals(["release", "forfeit"]),
      share: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))
    })
  ).check(Schema.isMaxLength(8))
})

describe("a reserve", () => {
  it("is held out of what is available, and of nothing else", () => {
    const { entries, requires, reserve } = held(500)
    assert.deepStrictEqual(
      entries.map((
        { delta_available, delta_pending, delta_reserved, event_type }
      ) => [event_type, delta_available, delta_pending, delta_reserved]),
      [["reserve_held", -500, 0, 500]]
    )
    assert.deepStrictEqual(requires.map(({ at_least, bucket, currency }) => [currency, bucket, at_least]), [["USD", "available", 0]])
    assert.deepInclude(reserve, { status: "held", version: 1 })
  })

  it.each(
    [
      ["release", undefined, { released_amount: 500, forfeited_amount: 0, status: "closed" }, [500, -500]],
      ["release", 200, { released_amount: 200, forfeited_amount: 0, status: "held" }, [200, -200]],
      ["forfeit", undefined, { released_amount: 0, forfeited_amount: 500, status: "closed" }, [0, -500]],
      ["forfeit", 200, { released_amount: 0, forfeited_amount: 200, status: "held" }, [0, -200]]
    ] as const
  )("%s of %s", (how, amount, expected, deltas) => {
    const { entries, reserve } = Result.getOrThrow(end(held(500).reserve, how, amount, at))
    assert.deepInclude(reserve, expected)
    assert.deepStrictEqual(entries.map(({ delta_available, delta_reserved }) => [delta_available, delta_reserved]), [[...deltas]])
  })

  it.each([["release", 501], ["forfeit", 501]] as const)("does not %s %i of 500", (how, amount) => {
    const refused = end(held(500).reserve, how, amount, at)
    assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "ValidationError")
  })

  it.effect.prop(
    "gives back and keeps all that was held and no more, in any parts; closed, it allows nothing",
    [Steps],
    ([{ amount, steps }]) =>
      Effect.sync(() => {
        let reserve: Reserve = held(amount).reserve
        let reserved = amount
        for (const { how, share } of steps) {
          const part = Math.max(1, Math.floor(amount * share / 1_000))
          const result = end(reserve, how, part, at)
          if (Result.isFailure(result)) {
            assert.isTrue(reserve.status === "closed" || part > heldOf(reserve))
            continue
          }
          for (const { delta_available, delta_pending, delta_reserved, counter_delta } of result.success.entries) {
            assert.strictEqual(delta_available + delta_pending + delta_reserved + counter_delta, 0)
            reserved += delta_reserved
          }
          reserve = result.success.reserve
        }
        assert.strictEqual(heldOf(reserve), reserved)
        assert.isAtLeast(reserved, 0)
        assert.strictEqual(reserve.status, reserved === 0 ? "closed" : "held")
      })
  )
})
