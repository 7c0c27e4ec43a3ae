/** What payments by agents bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { AgentPayments } from "./service.ts"

export const agentPayments = { ...nothing, services: AgentPayments.layer }
