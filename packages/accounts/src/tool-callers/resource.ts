/** What recognising the callers of tools brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { ToolCallers } from "./service.ts"

export const toolCallers = { ...nothing, services: ToolCallers.layer }
