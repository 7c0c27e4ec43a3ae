/** What checkpoints bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { Effect, Layer } from "effect"
import { BookChecks } from "../financial-events/service.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { CheckpointRepository } from "./repository.ts"
import { Checkpoints } from "./service.ts"
import { CheckpointWorker } from "./worker.ts"

export const checkpoints = {
  ...nothing,
  services: contribute(BookChecks, Effect.map(Checkpoints, ({ holds }) => [holds])).pipe(
    Layer.provideMerge(Checkpoints.layer),
    Layer.provide(CheckpointRepository.layer)
  ),
  routes: http.layer,
  workers: CheckpointWorker,
  migrations
}
