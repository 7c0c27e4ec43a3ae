/** What deliveries bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { EndpointRepository } from "../endpoints/repository.ts"
import { layerAgenda } from "./agenda.ts"
import { Attempts } from "./attempts.ts"
import { WorkerClient } from "./connection.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { DeliveryQueue } from "./queue.ts"
import { DeliveryRepository } from "./repository.ts"
import { Deliveries } from "./service.ts"
import { WebhookWorker } from "./worker.ts"

/** What the worker works with, for whoever drives deliveries by hand. */
export const layerQueue = Layer.merge(DeliveryQueue.layer, Attempts.layer).pipe(Layer.provideMerge(WorkerClient.layer))

export const deliveries = {
  ...nothing,
  services: Deliveries.layer.pipe(Layer.provide([DeliveryRepository.layer, EndpointRepository.layer])),
  routes: http.layer,
  /**
   * Delivers webhooks until its scope closes, then finishes what is under way, for at most ten seconds; and as the clocks of accounts move.
   */
  workers: Layer.merge(WebhookWorker, layerAgenda).pipe(Layer.provide(layerQueue)),
  migrations
}
