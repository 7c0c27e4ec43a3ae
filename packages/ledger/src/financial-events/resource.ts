/** What financial events bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { FinancialEventRepository } from "./repository.ts"
import { BookChecks, Ledger } from "./service.ts"

export const financialEvents = {
  ...nothing,
  services: Ledger.layer.pipe(Layer.provide(FinancialEventRepository.layer), Layer.provideMerge(BookChecks.layer)),
  routes: http.layer,
  migrations
}
