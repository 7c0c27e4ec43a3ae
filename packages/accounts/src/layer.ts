/** What this package brings: who the merchants are, and with which keys they call. */
import { and } from "@svc/kernel/part"
import { pipe } from "effect"
import { agentKeys } from "./agent-keys/resource.ts"
import { apiKeys } from "./api-keys/resource.ts"
import { auditLog } from "./audit-log/resource.ts"
import { accounts as accountsPart } from "./accounts/resource.ts"
import { legalEntities } from "./legal-entities/resource.ts"
import { testClocks } from "./test-clocks/resource.ts"
import { toolCallers } from "./tool-callers/resource.ts"

export const accounts = pipe(apiKeys, and(accountsPart), and(legalEntities), and(testClocks), and(agentKeys), and(toolCallers), and(auditLog))
