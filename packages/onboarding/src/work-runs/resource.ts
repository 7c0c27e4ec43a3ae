/** What work runs bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { WorkRuns } from "./service.ts"

export const workRuns = { ...nothing, services: WorkRuns.layer, routes: http.layer, migrations }
