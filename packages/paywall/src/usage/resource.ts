/** What usage brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { UsageRepository } from "./repository.ts"
import { UsageReports } from "./service.ts"

export const usage = { ...nothing, services: UsageReports.layer.pipe(Layer.provide(UsageRepository.layer)), routes: http.layer }
