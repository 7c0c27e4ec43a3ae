/** What attestations bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { migrations } from "./migrations.ts"
import { AttestationRepository } from "./repository.ts"
import { Attestations } from "./service.ts"

export const attestations = {
  ...nothing,
  services: Attestations.layer.pipe(Layer.provide(AttestationRepository.layer)),
  migrations
}
