/** What events bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { EventRepository } from "./repository.ts"
import { Events } from "./service.ts"

export const events = {
  ...nothing,
  services: Events.layer.pipe(Layer.provide(EventRepository.layer)),
  routes: http.layer,
  migrations
}
