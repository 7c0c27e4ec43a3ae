/** What calls as merchants see them bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { ToolCallRecords } from "./service.ts"

export const toolCalls = { ...nothing, services: ToolCallRecords.layer, routes: http.layer }
