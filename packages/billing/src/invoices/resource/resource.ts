/** What invoices bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import { migrations } from "../migrations.ts"
import { InvoiceJson, invoices as table } from "../model.ts"
import { InvoiceRepository } from "../repository.ts"
import { Invoices } from "../service/invoices.ts"
import * as http from "./http.ts"
import { invoiceJobs } from "./jobs.ts"

const log = logged({ table, resource_type: "invoice", shown: InvoiceJson, numberedBy: "finalized" })

export const invoices = {
  ...nothing,
  services: Layer.merge(Invoices.layer, log).pipe(Layer.provideMerge(InvoiceRepository.layer)),
  routes: http.layer,
  timers: invoiceJobs,
  migrations
}
