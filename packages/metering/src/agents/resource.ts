/** What agents that look after themselves bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { Agents } from "./service.ts"

export const agents = { ...nothing, services: Agents.layer, routes: http.layer }
