/** What files bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { FileRepository } from "./repository.ts"
import { Files } from "./service.ts"

export const files = {
  ...nothing,
  services: Files.layer.pipe(Layer.provide(FileRepository.layer)),
  routes: http.layer,
  migrations
}
