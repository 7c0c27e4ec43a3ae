/** Balances say that money is owed: accounts and write-offs, which both ask them, hear the same. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { BalanceAccount, BalanceAccountId } from "@svc/ledger/balances/model"
import { Balances } from "@svc/ledger/balances/service"
import { WriteOffs } from "@svc/treasury/write-offs/service"
import { DateTime, Effect } from "effect"
import { replacing } from "../../replacing.ts"
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

const debt = replacing(Balances, {
  ofCurrency: () => Effect.succeed(owing),
  againstClosing: () => Effect.succeed(["500 euro cents are owed"])
})

layer(services.pipe(debt), { timeout: "60 seconds" })("balances of a test", (it) => {
  it.effect("are what accounts and write-offs see", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account: { id } } = yield* accounts.create({ name: "Acme", sandbox: true })
      const open = yield* Effect.flip(accounts.move(id, "close"))
      assert.include(open.message, "500 euro cents are owed")
      const early = yield* Effect.flip((yield* WriteOffs).create({
        keyed: { key: IdempotencyKey.make("debt"), operation: "write_off.create", fingerprint: "0".repeat(64) },
        payload: { merchant_id: id, currency: "EUR", reason: "The business has closed" }
      }))
      assert.include(early.message, "The account owes 500 minor units of EUR, and 200 of its money are still pending")
    }))
})
