/** The services, routes, timers and tables of quotes. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { quoteFollowUps, quoteJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { Quotes } from "./service.ts"

export const quotes = {
  ...nothing,
  services: contribute(FollowUps, quoteFollowUps).pipe(Layer.provideMerge(Quotes.layer)),
  routes: http.layer,
  timers: quoteJobs,
  migrations
}
