/** What plans bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { accountPlanJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { AccountPlanRepository } from "./repository.ts"
import { AccountPlans } from "./service.ts"

export const accountPlans = {
  ...nothing,
  services: AccountPlans.layer.pipe(Layer.provideMerge(AccountPlanRepository.layer)),
  timers: accountPlanJobs,
  migrations
}
