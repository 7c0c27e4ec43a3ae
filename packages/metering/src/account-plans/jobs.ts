/** What of plans happens without a request. */
import { Effect } from "effect"
import { MONTH } from "./model.ts"
import { AccountPlans } from "./service.ts"

export const accountPlanJobs = Effect.map(AccountPlans, ({ giveMonth }) => new Map([[MONTH, giveMonth]]))
