/** What billing cycles bring to the service. */
import { nothing } from "@svc/kernel/part"
import { migrations } from "./migrations.ts"
import { BillingCycleRepository } from "./repository.ts"

export const billingCycles = {
  ...nothing,
  services: BillingCycleRepository.layer,
  migrations
}
