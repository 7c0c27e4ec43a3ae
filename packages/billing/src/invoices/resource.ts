/** What invoices bring to the service. */
import { nothing } from "@svc/kernel/part"
import { migrations } from "./migrations.ts"
import { InvoiceRepository } from "./repository.ts"

export const invoices = {
  ...nothing,
  services: InvoiceRepository.layer,
  migrations
}
