/** What conversions bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import * as http from "./http.ts"
import { conversionFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { ConversionJson, conversions as table } from "./model.ts"
import { Conversions } from "./service.ts"

const log = logged({ table, resource_type: "conversion", shown: ConversionJson })

export const conversions = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, conversionFollowUps), log).pipe(Layer.provideMerge(Conversions.layer)),
  routes: http.layer,
  migrations
}
