/** What this package brings: payments by agents, the disputes that its tools prepare, the sandbox for code, the routes of snapshots. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { agentPayments } from "./agent-payments/resource.ts"
import { codeSandbox } from "./code-sandbox/resource.ts"
import { ownDisputes } from "./own-disputes/resource.ts"
import { snapshots } from "./snapshots/resource.ts"

export const tools = pipe(agentPayments, and(ownDisputes), and(codeSandbox), and(snapshots))
