/** What webhook endpoints bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import { DeliveryRepository } from "../deliveries/repository.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { EndpointRepository } from "./repository.ts"
import { WebhookEndpoints } from "./service.ts"

export const endpoints = {
  ...nothing,
  services: WebhookEndpoints.layer.pipe(Layer.provide([EndpointRepository.layer, DeliveryRepository.layer])),
  routes: http.layer,
  migrations
}
