/** What of agent keys happens without a request. */
import { Effect } from "effect"
import { EXPIRE } from "./model.ts"
import { AgentKeys } from "./service/agent-keys.ts"

/** The timers of agent keys, by kind. */
export const agentKeyJobs = Effect.map(AgentKeys, ({ expire }) => new Map([[EXPIRE, expire]]))
