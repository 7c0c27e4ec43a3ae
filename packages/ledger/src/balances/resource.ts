/** What balance accounts bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { BalanceRepository } from "./repository.ts"
import { Balances } from "./service.ts"

const closingChecks = Effect.map(Balances, ({ againstClosing }) => [againstClosing])

export const balances = {
  ...nothing,
  services: contribute(ClosingChecks, closingChecks).pipe(Layer.provideMerge(Balances.layer), Layer.provide(BalanceRepository.layer)),
  routes: http.layer,
  migrations
}
