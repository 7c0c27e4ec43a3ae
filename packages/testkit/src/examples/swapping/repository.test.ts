/** A repository says that payments are under way. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { Effect } from "effect"
import { replacing } from "../../replacing.ts"
import { services } from "../../services.ts"

const busy = replacing(PaymentIntentRepository, { held: () => Effect.succeed(3) })

layer(services.pipe(busy), { timeout: "60 seconds" })("a repository with payments under way", (it) => {
  it.effect("makes the closing of the account fail", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account } = yield* accounts.create({ name: "Acme", sandbox: true })
      const refused = yield* Effect.flip(accounts.move(account.id, "close"))
      assert.strictEqual(refused._tag, "InvalidState")
      assert.include(refused.message, "3 payments are authorized or under way")
    }))
})
