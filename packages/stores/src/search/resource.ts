/** What search brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { migrations } from "./migrations.ts"
import { SearchRepository } from "./repository.ts"
import { Search } from "./service.ts"

export const search = {
  ...nothing,
  services: Search.layer.pipe(Layer.provide(SearchRepository.layer)),
  migrations
}
