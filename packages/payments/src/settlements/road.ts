/** Turns a decision about a settlement into the writes of a commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Effects } from "@svc/kernel/resource/change"
import type { Addition } from "@svc/kernel/road/decision"
import { type PaymentIntent, paymentIntents } from "../payment-intents/model.ts"
import { settlementArrived, settlementEvents, settlements } from "./model.ts"
import type { SettlementDecision } from "./rules.ts"

/** The further writes of the commit that writes the settlement. `paid` is the payment before a decision that makes several changes. */
export const effectsOf = ({ clear, entries, events, intent, set }: SettlementDecision, paid?: PaymentIntent): Effects => ({
  writes: intent === undefined ? [] : [{ ...paymentIntents.write(intent), replaces: paid?.version }],
  entries,
  events: events.map(({ settlement: asOf, type }) =>
    settlementEvents.draft(type, asOf, settlements.encode(asOf).wire, () => ({ status: asOf.status }))
  ),
  set,
  clear
})

/** The moments of a step: packages above follow the arrival of money. */
export const momentsOf = ({ settlement }: SettlementDecision, account: AccountFacts): Required<Pick<Effects, "moments">> => ({
  moments: settlement.status === "completed" && settlement.amount > 0 ? [settlementArrived.of({ account, settlement })] : []
})

/** The writes that a settlement adds to the commit of a capture or a refund, which already writes the payment. */
export const additionOf = (decision: SettlementDecision): Addition => {
  const { writes = [], ...effects } = effectsOf(decision)
  return { ...effects, writes: [settlements.write(decision.settlement), ...writes] }
}
