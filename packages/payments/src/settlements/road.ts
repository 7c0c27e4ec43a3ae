/** Turns a decision about a settlement into the writes of a commit. */
import type { Effects } from "@svc/kernel/resource/change"
import type { Addition } from "@svc/kernel/road/decision"
import { paymentIntents } from "../payment-intents/model.ts"
import { settlementArrived, settlementEvents, settlements } from "./model.ts"
import type { SettlementDecision } from "./rules.ts"

/** The further writes of the commit that writes the settlement. */
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

/** The writes that a settlement adds to the commit of a capture or a refund, which already writes the payment. */
export const additionOf = (decision: SettlementDecision): Addition => {
  const { writes = [], ...effects } = effectsOf(decision)
  return { ...effects, writes: [settlements.write(decision.settlement), ...writes] }
}
