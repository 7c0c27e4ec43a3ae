/** The services of this package, wired. What remains to be given is the database. */
import { Layer } from "effect"
import { BalanceRepository } from "./balances/repository.ts"
import { Balances } from "./balances/service.ts"
import { FinancialEventRepository } from "./financial-events/repository.ts"
import { Ledger } from "./financial-events/service.ts"

/** `Ledger` and `Balances`, for handlers and the command line. */
export const layer = Layer.mergeAll(
  Layer.provide(Ledger.layer, FinancialEventRepository.layer),
  Layer.provide(Balances.layer, BalanceRepository.layer)
)
