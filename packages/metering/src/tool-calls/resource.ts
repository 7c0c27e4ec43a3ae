/** What calls bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { toolCallJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { ToolCallRepository } from "./repository.ts"
import { Meter } from "./service/meter.ts"

export const toolCalls = {
  ...nothing,
  services: Meter.layer.pipe(Layer.provide(ToolCallRepository.layer)),
  timers: toolCallJobs,
  migrations
}
