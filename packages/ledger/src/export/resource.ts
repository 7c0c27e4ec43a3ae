/** What the export brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { FinancialEventRepository } from "../financial-events/repository.ts"
import * as http from "./http.ts"
import { LedgerExport } from "./service.ts"

export const ledgerExport = {
  ...nothing,
  services: LedgerExport.layer.pipe(Layer.provide(FinancialEventRepository.layer)),
  routes: http.layer
}
