/** What the assistant brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { Assistant } from "./service.ts"

export const assistant = { ...nothing, services: Assistant.layer, routes: http.layer }
