/** What accounts bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { ApiKeyRepository } from "../api-keys/repository.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { AccountRepository } from "./repository.ts"
import { Accounts, ClosingChecks, PatchChecks, SettingsFollowers } from "./service.ts"

export const accounts = {
  ...nothing,
  /** `ClosingChecks`, `PatchChecks` and `SettingsFollowers` for parts above to contribute to. */
  services: Accounts.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(ClosingChecks.layer, PatchChecks.layer, SettingsFollowers.layer)),
    Layer.provide([AccountRepository.layer, ApiKeyRepository.layer])
  ),
  routes: http.layer,
  migrations
}
