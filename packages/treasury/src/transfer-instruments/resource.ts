/** What transfer instruments bring to the service. */
import { PatchChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { Effect, Layer } from "effect"
import * as http from "./http.ts"
import { destinationChecks, instrumentJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { TransferInstrumentsById } from "./model.ts"
import { TransferInstruments } from "./service.ts"

const byId = Layer.effect(TransferInstrumentsById, Effect.map(TransferInstruments, ({ findByIds }) => findByIds))

export const transferInstruments = {
  ...nothing,
  services: Layer.merge(contribute(PatchChecks, destinationChecks), byId).pipe(
    Layer.provideMerge(TransferInstruments.layer)
  ),
  routes: http.layer,
  timers: instrumentJobs,
  migrations
}
