/** What bank links bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { bankLinkJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { BankLinks } from "./service.ts"

export const bankLinks = { ...nothing, services: BankLinks.layer, routes: http.layer, timers: bankLinkJobs, migrations }
