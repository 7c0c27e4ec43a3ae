/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { BalancesGroup } from "./balances/api.ts"
import { CheckpointsGroup } from "./checkpoints/api.ts"
import { LedgerExportGroup } from "./export/api.ts"
import { FinancialEventsGroup } from "./financial-events/api.ts"
import { VolumeGroup } from "./volume/api.ts"

export const contract = HttpApi.make("svc")
  .add(FinancialEventsGroup)
  .add(BalancesGroup)
  .add(CheckpointsGroup)
  .add(LedgerExportGroup)
  .add(VolumeGroup)
