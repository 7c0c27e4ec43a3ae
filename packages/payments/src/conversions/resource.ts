/** What conversions bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { conversionFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { ConversionRepository } from "./repository.ts"
import { Conversions } from "./service.ts"

export const conversions = {
  ...nothing,
  services: contribute(FollowUps, conversionFollowUps).pipe(Layer.provideMerge(Conversions.layer), Layer.provide(ConversionRepository.layer)),
  routes: http.layer,
  migrations
}
