/** What quotes bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import { Rates } from "../rates/service.ts"
import * as http from "./http.ts"
import { quoteJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { QuoteRepository } from "./repository.ts"
import { Quotes } from "./service.ts"

export const quotes = {
  ...nothing,
  services: Quotes.layer.pipe(Layer.provide(QuoteRepository.layer), Layer.provideMerge(Rates.layer)),
  routes: http.layer,
  timers: quoteJobs,
  migrations
}
