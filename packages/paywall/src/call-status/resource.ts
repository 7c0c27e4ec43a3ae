/** What the state of calls brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { CallStatuses } from "./service.ts"

export const callStatus = { ...nothing, services: CallStatuses.layer, routes: http.layer }
