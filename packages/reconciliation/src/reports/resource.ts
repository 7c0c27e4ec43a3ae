/** What reports bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { reportJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { ReportRepository } from "./repository.ts"
import { Reports } from "./service/reports.ts"

export const reports = { ...nothing, services: Reports.layer.pipe(Layer.provide(ReportRepository.layer)), routes: http.layer, timers: reportJobs, migrations }
