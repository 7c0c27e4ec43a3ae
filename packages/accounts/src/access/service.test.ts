/** Handlers that resources have in common. */
import { assert, describe, it } from "@effect/vitest"
import { LONG_STATEMENTS_AT_ONCE } from "@svc/kernel/http/giving-way"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { Deferred, Effect, Fiber } from "effect"
import { defaultSettings } from "../accounts/settings.ts"
import { type AccountFacts, Caller } from "./model.ts"
import { summing } from "./service.ts"

const account: AccountFacts = {
  id: "acct_1",
  sandbox: true,
  status: "active",
  capabilities: [],
  restrictions: [],
  fee_tier_bps: null,
  settings: defaultSettings,
  api_version: CURRENT_API_VERSION
}

describe("sums", () => {
  it.effect("of all lists together are made as many at a time as long statements are", () =>
    Effect.gen(function*() {
      const end = yield* Deferred.make<void>()
      const working: Array<string> = []
      const sumsOf = (list: string) =>
        summing(() =>
          Effect.suspend(() => {
            working.push(list)
            return Effect.as(Deferred.await(end), [list])
          })
        )
      const lists = ["payments", "payouts", "settlements"]
      const asked = yield* Effect.forEach(lists, (list) =>
        Effect.forkChild(
          Effect.provideService(sumsOf(list)({ query: {} }), Caller, {
            account: { ...account, id: `acct_${list}` },
            keyId: "key_1",
            kind: "secret"
          }),
          { startImmediately: true }
        ))
      assert.deepStrictEqual(working, lists.slice(0, LONG_STATEMENTS_AT_ONCE))
      yield* Deferred.succeed(end, undefined)
      assert.deepStrictEqual(yield* Effect.forEach(asked, Fiber.join), [{ data: ["payments"] }, { data: ["payouts"] }, {
        data: ["settlements"]
      }])
    }))
})
