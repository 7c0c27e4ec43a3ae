/** What reports bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { ComparisonRepository } from "./repository/comparison.ts"
import { ProgressRepository } from "./repository/progress.ts"
import { ReportRepository } from "./repository/reports.ts"
import { Reports } from "./service/reports.ts"
import { ReportWorker } from "./worker.ts"

const repositories = Layer.mergeAll(ComparisonRepository.layer, ProgressRepository.layer, ReportRepository.layer)

export const reports = {
  ...nothing,
  services: Reports.layer.pipe(Layer.provide(repositories)),
  routes: http.layer,
  workers: ReportWorker,
  migrations
}
