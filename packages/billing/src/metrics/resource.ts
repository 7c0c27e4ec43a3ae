/** What metrics bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { MetricsRepository } from "./repository.ts"
import { MetricsReports } from "./service.ts"

export const metrics = {
  ...nothing,
  services: MetricsReports.layer.pipe(Layer.provide(MetricsRepository.layer)),
  routes: http.layer,
  migrations
}
