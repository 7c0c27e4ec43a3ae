/**
 * Applies the policy of an agent key to the payments of the key. The budgets reserve the amount of a payment from the commit that creates
 * the payment to the commit that captures or ends it. The spent and the reserved amount together never exceed a budget, and no timer has to
 * correct them.
 */
import type { CounterMove } from "@svc/kernel/road/decision"
import type { Rail } from "../../rails/rail.ts"
import { AgentBudgetExceeded } from "../errors.ts"
import { EXPIRES } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import type { AgentTerms, BudgetShare } from "../model/agent-terms.ts"
import { amend, timerAt } from "./decision.ts"
import type { IntentDecision } from "./decision.ts"

/** The name of the counters of budgets. Tool calls use the same counters. */
const BUDGET = "agent_budget"

/** 10 minutes: a payment that is not authorized by then is cancelled, and releases its budget. */
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

/** Creates the payment of an agent: sets these terms, reserves the budgets, and sets the timer that cancels an abandoned payment. */
export const forAgent = (decided: IntentDecision, terms: AgentTerms): IntentDecision<AgentBudgetExceeded> => {
  const intent = amend(decided.intent, { agent: terms })
  return {
    ...decided,
    intent,
    events: decided.events.map(({ type }) => ({ type, intent })),
    // A blocked payment waits for its review instead.
    set: intent.state === "created" ? [timerAt(EXPIRES, intent, intent.created_at, ABANDONED_SECONDS)] : decided.set,
    counters: terms.budgets.map(taken)
  }
}

/** The part of a budget share that the captured amount uses, rounded up to a cent. */
const partOf = (cents: number, { amount, captured_amount }: PaymentIntent): number => {
  const whole = BigInt(cents) * BigInt(captured_amount)
  return Number((whole + BigInt(amount) - 1n) / BigInt(amount))
}

/** Spends the captured part of the reserved budgets and releases the rest. A later refund does not restore a budget. */
export const spendBudgets = (captured: PaymentIntent): ReadonlyArray<CounterMove> =>
  captured.agent === null
    ? none
    : captured.agent.budgets.map((share) => move(share, { spent: partOf(share.cents, captured), reserved: -share.cents }))

/** Releases the reserved budgets of a payment that ended without money. */
export const releaseBudgets = (before: PaymentIntent): ReadonlyArray<CounterMove> =>
  before.agent === null ? none : before.agent.budgets.map((share) => move(share, { spent: 0, reserved: -share.cents }))

/** The rails that may be tried for a payment. */
export const railsFor = ({ agent }: Pick<PaymentIntent, "agent">, all: ReadonlyArray<Rail>): ReadonlyArray<Rail> => {
  const allowed = agent?.rails ?? null
  return allowed === null ? all : all.filter(({ name }) => allowed.includes(name))
}
