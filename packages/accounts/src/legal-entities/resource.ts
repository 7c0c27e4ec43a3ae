/** What legal entities bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { legalEntityJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { LegalEntitiesById } from "./model.ts"
import { LegalEntities } from "./service.ts"

const byId = Layer.effect(LegalEntitiesById, Effect.map(LegalEntities, ({ findByIds }) => findByIds))

export const legalEntities = {
  ...nothing,
  services: Layer.provideMerge(byId, LegalEntities.layer),
  routes: http.layer,
  timers: legalEntityJobs,
  migrations
}
