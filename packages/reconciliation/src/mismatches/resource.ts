/** What mismatches bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { MismatchRepository } from "./repository.ts"
import { Mismatches } from "./service.ts"

export const mismatches = { ...nothing, services: Mismatches.layer.pipe(Layer.provide(MismatchRepository.layer)), routes: http.layer, migrations }
