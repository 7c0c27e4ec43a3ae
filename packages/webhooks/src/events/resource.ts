/** What events bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { Rebuild } from "../log/rebuild.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { EventRepository } from "./repository.ts"
import { Events } from "./service.ts"

export const events = {
  ...nothing,
  services: Layer.merge(Events.layer.pipe(Layer.provide(EventRepository.layer)), Rebuild.layer),
  routes: http.layer,
  migrations
}
