/** What recognising the callers of tools brings to the service. */
import { nothing } from "@svc/kernel/part"
import { ToolCallers } from "./service.ts"

export const toolCallers = { ...nothing, services: ToolCallers.layer }
