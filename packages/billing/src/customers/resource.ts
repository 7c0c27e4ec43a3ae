/** What customers bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { customerFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CustomersByReference } from "./model.ts"
import { CustomerRepository } from "./repository.ts"
import { Customers } from "./service.ts"

const byReference = Layer.effect(CustomersByReference, Effect.map(CustomerRepository, ({ findAll }) => findAll))

export const customers = {
  ...nothing,
  services: contribute(FollowUps, customerFollowUps).pipe(
    Layer.provideMerge(Layer.merge(Customers.layer, byReference)),
    Layer.provideMerge(CustomerRepository.layer)
  ),
  routes: http.layer,
  migrations
}
