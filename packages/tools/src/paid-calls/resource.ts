/** What calls that are paid when they are made bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import { House } from "./house.ts"
import { paidCallJobs } from "./jobs.ts"
import { facilitator } from "./methods.ts"
import { migrations } from "./migrations.ts"
import * as paywall from "./paywall.ts"
import { PaidCallRepository } from "./repository.ts"
import { PaidCalls } from "./service.ts"
import { Till } from "./till.ts"

export const paidCalls = {
  ...nothing,
  services: paywall.layer.pipe(
    Layer.provideMerge(PaidCalls.layer),
    Layer.provideMerge(House.layer),
    Layer.provide([Till.layer, PaidCallRepository.layer, facilitator])
  ),
  timers: paidCallJobs,
  migrations
}
