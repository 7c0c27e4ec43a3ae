/** What accounts on the tool server bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { ToolAccountRepository } from "./repository.ts"
import { layerTiers, ToolAccounts } from "./service.ts"

export const toolAccounts = {
  ...nothing,
  services: Layer.merge(ToolAccounts.layer, layerTiers).pipe(Layer.provide(ToolAccountRepository.layer)),
  routes: http.layer,
  migrations
}
