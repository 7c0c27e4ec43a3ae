/** What vectors bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { VectorIndexes } from "./indexes.ts"
import { migrations } from "./migrations.ts"
import { VectorRepository } from "./repository.ts"
import { Vectors } from "./service.ts"

export const vectors = {
  ...nothing,
  services: Vectors.layer.pipe(Layer.provide(VectorIndexes.layer), Layer.provide(VectorRepository.layer)),
  migrations
}
