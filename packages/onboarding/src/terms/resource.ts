/** What the terms bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { Terms } from "./service.ts"

export const terms = { ...nothing, services: Terms.layer, routes: http.layer, migrations }
