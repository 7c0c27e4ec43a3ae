/** What customers bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { CustomerFinders } from "@svc/payments/customer-keys/service"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { customerFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CustomersByReference } from "./model.ts"
import { CustomerRepository } from "./repository.ts"
import { Customers } from "./service.ts"

const byReference = Layer.effect(CustomersByReference, Effect.map(CustomerRepository, ({ findAll }) => findAll))

const finders = Effect.map(Customers, ({ findByEither }) => [
  (account: string, key: string) => Effect.map(findByEither(account, key), (customer) => customer?.customer_id)
])

export const customers = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, customerFollowUps), contribute(CustomerFinders, finders)).pipe(
    Layer.provideMerge(Layer.merge(Customers.layer, byReference)),
    Layer.provideMerge(CustomerRepository.layer)
  ),
  routes: http.layer,
  migrations
}
