/** What this package promises. The SDK imports this and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { FinancialEventsGroup } from "./financial-events/api.ts"
import { BalancesGroup } from "./balances/api.ts"
import { CheckpointsGroup } from "./checkpoints/api.ts"
import { LedgerExportGroup } from "./export/api.ts"

export const contract = HttpApi.make("svc")
  .add(FinancialEventsGroup)
  .add(BalancesGroup)
  .add(CheckpointsGroup)
  .add(LedgerExportGroup)
