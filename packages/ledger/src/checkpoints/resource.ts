/** What checkpoints bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { CheckpointRepository } from "./repository.ts"
import { Checkpoints } from "./service.ts"
import { CheckpointWorker } from "./worker.ts"

export const checkpoints = {
  ...nothing,
  services: Checkpoints.layer.pipe(Layer.provide(CheckpointRepository.layer)),
  routes: http.layer,
  workers: CheckpointWorker,
  migrations
}
