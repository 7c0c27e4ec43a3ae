/** From a decision about a settlement to what a commit writes. */
import type { Effects } from "@svc/kernel/resource/change"
import type { Addition } from "@svc/kernel/road/decision"
import { paymentIntents } from "../payment-intents/model.ts"
import { settlementArrived, settlementEvents, settlements } from "./model.ts"
import type { SettlementDecision } from "./rules.ts"

/** What the commit of a settlement writes besides the settlement. */
export const effectsOf = ({ clear, entries, event, intent, set, settlement }: SettlementDecision): Effects => ({
  writes: intent === undefined ? [] : [paymentIntents.write(intent)],
  entries,
  events: event === undefined
    ? []
    : [settlementEvents.draft(event, settlement, settlements.encode(settlement).wire, () => ({ status: settlement.status }))],
  set,
  clear,
  moments: event === "completed" && settlement.amount > 0 ? [settlementArrived.of(settlement)] : []
})

/** What the commit of a capture or a refund writes of its settlement. The payment is in that commit already. */
export const additionOf = (decision: SettlementDecision): Addition => {
  const { writes = [], ...effects } = effectsOf(decision)
  return { ...effects, writes: [settlements.write(decision.settlement), ...writes] }
}
