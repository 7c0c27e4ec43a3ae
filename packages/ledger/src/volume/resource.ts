/** What volume brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { VolumeRepository } from "./repository.ts"
import { Volumes } from "./service.ts"

export const volume = {
  ...nothing,
  services: Volumes.layer.pipe(Layer.provide(VolumeRepository.layer)),
  routes: http.layer,
  migrations
}
