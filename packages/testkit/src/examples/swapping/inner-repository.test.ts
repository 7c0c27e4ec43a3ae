/** A repository that no type of the application names says that money is owed. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { BalanceAccount, BalanceAccountId } from "@svc/ledger/balances/model"
import { BalanceRepository } from "@svc/ledger/balances/repository"
import { DateTime, Effect } from "effect"
import { replacingWithin } from "../../replacing.ts"
import { services } from "../../services.ts"

const owing = BalanceAccount.make({
  id: BalanceAccountId.make("ba_01KDVK5D80000000000000000A"),
  account_id: "acct_01KDVK5D80000000000000000A",
  currency: "EUR",
  available: -500,
  pending: 200,
  reserved: 0,
  updated_at: DateTime.makeUnsafe(0)
})

const openBalance = replacingWithin(BalanceRepository, { open: () => Effect.succeed([owing]) })

layer(services.pipe(openBalance), { timeout: "60 seconds" })("a repository that its resource keeps to itself", (it) => {
  it.effect("makes the closing of the account fail", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account } = yield* accounts.create({ name: "Acme", sandbox: true })
      const refused = yield* Effect.flip(accounts.move(account.id, "close"))
      assert.include(refused.message, "the EUR balance is not zero (available -500, pending 200, reserved 0")
    }))
})
