/** Reading balances. What moves them are the entries of the ledger. */
import { notFound } from "@svc/kernel/resource/errors"
import type { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { checkPage } from "@svc/kernel/resource/pages"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { BalanceAccountId } from "./model.ts"
import type { BalanceAccount } from "./model.ts"
import { BalanceRepository } from "./repository.ts"

const inWords = ({ available, currency, pending, reserved }: BalanceAccount) =>
  `the ${currency} balance is not zero (available ${available}, pending ${pending}, reserved ${reserved}` +
  `${available < 0 ? "; what the account owes is paid, or written off by the operator with POST /v1/write_offs" : ""})`

const isId = Schema.is(BalanceAccountId)

export class Balances extends Context.Service<Balances, {
  /** One balance account a currency, newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<BalanceAccount>, ValidationError>
  /** The balance account of a currency; undefined before the first money in it. */
  readonly ofCurrency: (account: string, currency: string) => Effect.Effect<BalanceAccount | undefined>
  /** Says in words which balances stand against closing the account. */
  readonly againstClosing: (account: string) => Effect.Effect<ReadonlyArray<string>>
  readonly get: (account: string, id: string) => Effect.Effect<BalanceAccount, NotFound>
}>()("@svc/ledger/Balances") {
  static readonly layer = Layer.effect(
    Balances,
    Effect.gen(function*() {
      const repository = yield* BalanceRepository

      const list = Effect.fn("Balances.list")(function*(account: string, page: PageRequest) {
        return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
      })

      const get = Effect.fn("Balances.get")(function*(account: string, id: string) {
        const balance = isId(id) ? yield* repository.find(account, id) : undefined
        return balance ?? (yield* notFound("balance account"))
      })

      return Balances.of({
        list,
        get,
        ofCurrency: repository.ofCurrency,
        againstClosing: (account) => Effect.map(repository.open(account), (open) => open.map(inWords))
      })
    })
  )
}
