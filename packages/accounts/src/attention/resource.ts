/** What attention brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { AttentionRepository, AttentionSources } from "./repository.ts"
import { Attention } from "./service.ts"

export const attention = {
  ...nothing,
  services: Attention.layer.pipe(Layer.provideMerge(AttentionRepository.layer), Layer.provideMerge(AttentionSources.layer)),
  routes: http.layer
}
