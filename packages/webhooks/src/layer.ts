/** The services of this package, wired. What remains to be given is the database, and Egress for the worker. */
import type { EgressPolicy } from "@svc/kernel/egress/model"
import { Layer } from "effect"
import { Attempts } from "./deliveries/attempts.ts"
import { WorkerClient } from "./deliveries/connection.ts"
import { DeliveryQueue } from "./deliveries/queue.ts"
import { DeliveryRepository } from "./deliveries/repository.ts"
import { Deliveries } from "./deliveries/service.ts"
import { DeliverySignal } from "./deliveries/signal.ts"
import { WebhookWorker } from "./deliveries/worker.ts"
import { EndpointRepository } from "./endpoints/repository.ts"
import { WebhookEndpoints } from "./endpoints/service.ts"
import { EventRepository } from "./events/repository.ts"
import { Events } from "./events/service.ts"

/**
 * `Events`, `WebhookEndpoints` and `Deliveries`, for handlers and the command line, and the listener by
 * which a `Committer` built upon this layer wakes the workers. Endpoints may be at the addresses of `policy`.
 */
export const layer = (policy: EgressPolicy) =>
  Layer.mergeAll(Events.layer, WebhookEndpoints.layer(policy), Deliveries.layer, DeliverySignal.layerCommitListener).pipe(
    Layer.provideMerge(DeliverySignal.layer),
    Layer.provide([EventRepository.layer, EndpointRepository.layer, DeliveryRepository.layer])
  )

/** What the worker works with, for whoever drives deliveries by hand. */
export const layerQueue = Layer.merge(DeliveryQueue.layer, Attempts.layer).pipe(Layer.provideMerge(WorkerClient.layer))

/** Delivers webhooks until its scope closes, then finishes what is under way, for at most ten seconds. */
export const workers = WebhookWorker.pipe(Layer.provide(layerQueue))
