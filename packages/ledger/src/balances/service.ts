/** Reading balances. What moves them are the entries of the ledger. */
import { notFound } from "@svc/kernel/errors"
import type { NotFound, ValidationError } from "@svc/kernel/errors"
import { checkPage } from "@svc/kernel/pages"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { BalanceAccountId } from "./model.ts"
import type { BalanceAccount } from "./model.ts"
import { BalanceRepository } from "./repository.ts"

const isId = Schema.is(BalanceAccountId)

export class Balances extends Context.Service<Balances, {
  /** One balance account a currency, newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<BalanceAccount>, ValidationError>
  /** The one of a currency; undefined before the first money in it. */
  readonly ofCurrency: (account: string, currency: string) => Effect.Effect<BalanceAccount | undefined>
  readonly get: (account: string, id: string) => Effect.Effect<BalanceAccount, NotFound>
}>()("@svc/ledger/Balances") {
  static readonly layer = Layer.effect(Balances, Effect.gen(function*() {
    const repository = yield* BalanceRepository

    const list = Effect.fn("Balances.list")(function*(account: string, page: PageRequest) {
      return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
    })

    const get = Effect.fn("Balances.get")(function*(account: string, id: string) {
      const balance = isId(id) ? yield* repository.find(account, id) : undefined
      return balance ?? (yield* notFound("balance account"))
    })

    return Balances.of({ list, get, ofCurrency: repository.ofCurrency })
  }))
}
