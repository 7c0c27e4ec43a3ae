/** What agent keys bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { agentKeyJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { AgentKeyRepository } from "./repository.ts"
import { AgentKeys } from "./service/agent-keys.ts"
import { AgentKeyUses } from "./service/uses.ts"

export const agentKeys = {
  ...nothing,
  services: Layer.merge(AgentKeys.layer, AgentKeyUses.layer).pipe(Layer.provide(AgentKeyRepository.layer)),
  routes: http.layer,
  timers: agentKeyJobs,
  migrations
}
