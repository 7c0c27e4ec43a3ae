/** What balance accounts bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { BalanceRepository } from "./repository.ts"
import { Balances } from "./service.ts"

export const balances = {
  ...nothing,
  services: Balances.layer.pipe(Layer.provide(BalanceRepository.layer)),
  routes: http.layer,
  migrations
}
