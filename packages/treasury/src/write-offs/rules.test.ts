import { assert, describe, it } from "@effect/vitest"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Result } from "effect"
import { WriteOffId } from "./model.ts"
import { writeOff } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const decide = (balance: readonly [available: number, pending: number, reserved: number] | undefined, amount?: number) => {
  const [available = 0, pending = 0, reserved = 0] = balance ?? []
  const payload = {
    merchant_id: "acct_01KDVK5D80000000000000000A",
    currency: "USD",
    reason: "closed",
    ...(amount === undefined ? {} : { amount })
  }
  return writeOff(
    WriteOffId.make(makeId("wo", at.epochMilliseconds)),
    payload,
    balance === undefined ? undefined : { available, pending, reserved },
    at
  )
}

describe("a write-off", () => {
  it.each([[undefined, 320], [320, 320], [1, 1]] as const)(
    "of %s of 320 raises the available balance by %i, at the platform's cost",
    (asked, amount) => {
      const decided = Result.getOrThrow(decide([-320, 0, 0], asked))
      assert.deepInclude(decided.writeOff, { amount, currency: "USD", version: 1 })
      assert.deepStrictEqual(
        decided.entries.map((
          { counter_account, counter_delta, delta_available, delta_pending, delta_reserved, event_type, resource_id }
        ) => [event_type, delta_available, delta_pending, delta_reserved, counter_account, counter_delta, resource_id]),
        [["fee_refunded", amount, 0, 0, "P.fees", -amount, decided.writeOff.id]]
      )
    }
  )

  it.each(
    [
      ["no balance", undefined, undefined, "InvalidState"],
      ["a balance of zero", [0, 0, 0], undefined, "InvalidState"],
      ["money", [1, 0, 0], 1, "InvalidState"],
      ["a debt that pending money may pay", [-320, 500, 0], undefined, "InvalidState"],
      ["a debt beside what is reserved", [-320, 0, 1], undefined, "InvalidState"],
      ["a debt that is smaller", [-320, 0, 0], 321, "ValidationError"]
    ] as const
  )("of an account with %s is refused", (_what, balance, amount, tag) => {
    const refused = decide(balance, amount)
    assert.strictEqual(Result.isFailure(refused) ? refused.failure._tag : undefined, tag)
  })
})
