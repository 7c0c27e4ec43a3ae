import { assert, layer } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { entry, openAccount, write } from "../fixture.ts"

layer(services)("closing an account", (it) => {
  it.effect("is refused while a balance is not zero, with the amounts, and granted when all are", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const id = AccountId.make(yield* openAccount)
      yield* write(id, [entry("payment_captured", 500)], "captured")
      const refused = yield* Effect.flip(accounts.move(id, "close"))
      assert.include(refused.message, "the USD balance is not zero (available 0, pending 500, reserved 0)")
      yield* write(id, [entry("payment_refunded", 500, { pending: true })], "refunded")
      assert.strictEqual((yield* accounts.move(id, "close")).status, "closed")
    }))
})
