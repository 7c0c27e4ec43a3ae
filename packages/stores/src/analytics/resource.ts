/** What analytics bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { migrations } from "./migrations.ts"
import { AnalyticsRepository } from "./repository.ts"
import { Analytics } from "./service.ts"

export const analytics = {
  ...nothing,
  services: Analytics.layer.pipe(Layer.provide(AnalyticsRepository.layer)),
  migrations
}
