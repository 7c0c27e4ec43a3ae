/** What API keys bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { AccountRepository, DerivedColumns } from "../accounts/repository.ts"
import { AgentKeyRepository } from "../agent-keys/repository.ts"
import * as authorization from "./authorization.ts"
import * as http from "./http.ts"
import { KnownKeys } from "./known-keys.ts"
import { migrations } from "./migrations.ts"
import { ApiKeyRepository } from "./repository.ts"
import { ApiKeys } from "./service.ts"

export const apiKeys = {
  ...nothing,
  services: ApiKeys.layer.pipe(
    Layer.provideMerge(KnownKeys.layer),
    Layer.provide([AccountRepository.layer, ApiKeyRepository.layer, AgentKeyRepository.layer]),
    // The lowest part that reads accounts brings what packages above contribute their columns to.
    Layer.provideMerge(DerivedColumns.layer)
  ),
  /** With the authorization, which every group of routes stands behind. */
  routes: http.layer.pipe(Layer.provideMerge(authorization.layer)),
  migrations
}
