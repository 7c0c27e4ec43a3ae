/** From a decision about agent keys to what a commit writes. */
import type { Commit } from "@svc/kernel/road/decision"
import { type AgentKey, agentKeys, EXPIRE } from "./model.ts"
import type { KeyDecision } from "./rules.ts"

const timerOf = ({ id }: AgentKey) => ({ kind: EXPIRE, resource_id: id })

export const commitOf = ({ begins, ends, key, others }: KeyDecision, cause: string): Commit => ({
  account_id: key.account_id,
  at: key.updated_at,
  cause,
  writes: [key, ...others].map(agentKeys.write),
  entries: [],
  events: [],
  set: begins.flatMap((one) => one.expires_at === null ? [] : [{ ...timerOf(one), due_at: one.expires_at }]),
  clear: ends.flatMap((one) => one.expires_at === null ? [] : [timerOf(one)])
})
