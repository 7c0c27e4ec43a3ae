/** What plans bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { PlansById } from "./model.ts"
import { PlanRepository } from "./repository.ts"
import { Plans } from "./service.ts"

const byId = Layer.effect(PlansById, Effect.map(PlanRepository, ({ findByIds }) => findByIds))

export const plans = {
  ...nothing,
  services: Layer.merge(Plans.layer, byId).pipe(Layer.provideMerge(PlanRepository.layer)),
  routes: http.layer,
  migrations
}
