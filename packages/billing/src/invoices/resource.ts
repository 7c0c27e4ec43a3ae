/** What invoices bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { invoiceJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { InvoiceRepository } from "./repository.ts"
import { Invoices } from "./service/invoices.ts"

export const invoices = {
  ...nothing,
  services: Invoices.layer.pipe(Layer.provideMerge(InvoiceRepository.layer)),
  routes: http.layer,
  timers: invoiceJobs,
  migrations
}
