/** What requests to go live bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { GoLiveRequests } from "./service.ts"

export const goLiveRequests = { ...nothing, services: GoLiveRequests.layer, routes: http.layer, migrations }
