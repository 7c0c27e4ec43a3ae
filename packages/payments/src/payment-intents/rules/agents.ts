/**
 * What the policy of an agent key does to the payments that are made with it. Its budgets hold room for a payment from the commit that
 * makes it to the one that captures it or ends it without money: what is spent and reserved of a budget never passes it, and no timer has
 * to put it right.
 */
import type { CounterMove } from "@svc/kernel/road/decision"
import type { Rail } from "../../rails/rail.ts"
import { AgentBudgetExceeded } from "../errors.ts"
import { EXPIRES } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import type { AgentTerms, BudgetShare } from "../model/agent-terms.ts"
import { amend, timerAt } from "./decision.ts"
import type { IntentDecision } from "./decision.ts"

/** What budgets are counted under; calls of tools are counted under the same. */
const BUDGET = "agent_budget"

/** The 10 minutes after which a payment that was made and not authorized gives its room back. */
const ABANDONED_SECONDS = 600

const none: ReadonlyArray<never> = []

const move = <R>({ key, period, start }: BudgetShare, add: CounterMove["add"], limit?: CounterMove<R>["limit"]): CounterMove<R> => ({
  name: BUDGET,
  key,
  ...(period === "life" ? {} : { window: { period, start } }),
  add,
  ...(limit === undefined ? {} : { limit })
})

const exceeded = ({ cents, key, period }: BudgetShare, limit: number, left: number): AgentBudgetExceeded =>
  new AgentBudgetExceeded({
    key,
    period,
    limit,
    left,
    message: `The payment counts ${cents} cents. Of the ${limit} cents that the agent key ${key} may spend ${
      period === "life" ? "in all" : `this ${period}`
    }, ${left} are left.`
  })

const taken = (share: BudgetShare): CounterMove<AgentBudgetExceeded> =>
  move(share, { spent: 0, reserved: share.cents }, { at_most: share.at_most, refusal: ({ left, limit }) => exceeded(share, limit, left) })

/**
 * The payment as an agent makes it: under these terms, in the room that the budgets have for it, and not kept waiting for an agent that is
 * gone.
 */
export const forAgent = (decided: IntentDecision, terms: AgentTerms): IntentDecision<AgentBudgetExceeded> => {
  const intent = amend(decided.intent, { agent: terms })
  return {
    ...decided,
    intent,
    events: decided.events.map(({ type }) => ({ type, intent })),
    // One that is blocked waits for its review instead.
    set: intent.state === "created" ? [timerAt(EXPIRES, intent, intent.created_at, ABANDONED_SECONDS)] : decided.set,
    counters: terms.budgets.map(taken)
  }
}

/** What of a share this part of the payment comes to; a part of a cent is a cent. */
const partOf = (cents: number, { amount, captured_amount }: PaymentIntent): number => {
  const whole = BigInt(cents) * BigInt(captured_amount)
  return Number((whole + BigInt(amount) - 1n) / BigInt(amount))
}

/** The money was taken: so much of the room is spent, and the rest is there again. What is refunded later was spent all the same. */
export const spent = (captured: PaymentIntent): ReadonlyArray<CounterMove> =>
  captured.agent === null
    ? none
    : captured.agent.budgets.map((share) => move(share, { spent: partOf(share.cents, captured), reserved: -share.cents }))

/** It ended without money: all of the room is there again. */
export const givenBack = (before: PaymentIntent): ReadonlyArray<CounterMove> =>
  before.agent === null ? none : before.agent.budgets.map((share) => move(share, { spent: 0, reserved: -share.cents }))

/** The rails that may be tried for a payment. */
export const railsFor = ({ agent }: Pick<PaymentIntent, "agent">, all: ReadonlyArray<Rail>): ReadonlyArray<Rail> => {
  const allowed = agent?.rails ?? null
  return allowed === null ? all : all.filter(({ name }) => allowed.includes(name))
}
