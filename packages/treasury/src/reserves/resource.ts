/** What reserves bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { ReserveRepository } from "./repository.ts"
import { Reserves } from "./service.ts"

export const reserves = {
  ...nothing,
  services: Reserves.layer.pipe(Layer.provide(ReserveRepository.layer)),
  routes: http.layer,
  migrations
}
