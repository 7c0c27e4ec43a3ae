/** A call of a tool, as the tool sees it: whose it is, and in which mode. */
import type { AgentChainLink } from "@svc/accounts/access/model"
import type { AgentPolicy } from "@svc/accounts/agent-keys/model"

/** What a caller pays for: less for less, or more with what an engineer wants to see. Chosen by `X-Agent-Mode`. */
export const modes = ["standard", "lite", "engineer"] as const
export type Mode = typeof modes[number]

/** Whole US cents. */
export type Cents = number

export const centsText = (cents: Cents): string => cents === 1 ? "1 cent" : `${cents} cents`

/** The account on whose behalf a tool runs. */
export interface CallAccount {
  readonly id: string
  /** Sandbox accounts reach simulated rails only. */
  readonly sandbox: boolean
}

/** The agent key of the call, when it was made with one. */
export interface CallAgent {
  readonly id: string
  readonly policy: AgentPolicy
  /** From the key itself to the one that the account issued. */
  readonly chain: ReadonlyArray<AgentChainLink>
}

/** The only way for a tool to learn whose call it is. Made by the gate, from a key that it has checked. */
export interface Call {
  /** `call_…`; also what the charge and the receipt name. */
  readonly id: string
  readonly mode: Mode
  /** Absent for a tool that needs no key and was called without one. */
  readonly account?: CallAccount
  readonly agent?: CallAgent
}

/** The account of a call to a tool that needs a key: the gate lets no other call get here, so its absence is a defect. */
export const accountOf = ({ account, id }: Call): CallAccount => {
  if (account === undefined) throw new RangeError(`call ${id} has no account, though its tool needs one`)
  return account
}

/** The agent of a call to a tool for agents, in the same way. */
export const agentOf = ({ agent, id }: Call): CallAgent => {
  if (agent === undefined) throw new RangeError(`call ${id} has no agent key, though its tool needs one`)
  return agent
}
