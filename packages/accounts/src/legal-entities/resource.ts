/** What legal entities bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { legalEntityJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { LegalEntitiesById } from "./model.ts"
import { LegalEntityRepository } from "./repository.ts"
import { LegalEntities } from "./service.ts"

const byId = Layer.effect(LegalEntitiesById, Effect.map(LegalEntityRepository, ({ findAll }) => findAll))

export const legalEntities = {
  ...nothing,
  services: Layer.merge(LegalEntities.layer, byId).pipe(Layer.provideMerge(LegalEntityRepository.layer)),
  routes: http.layer,
  timers: legalEntityJobs,
  migrations
}
