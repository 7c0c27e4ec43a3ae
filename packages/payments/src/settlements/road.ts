/** From a decision about a settlement to what a commit writes. */
import type { Addition, Commit } from "@svc/kernel/road/decision"
import { paymentIntents } from "../payment-intents/model.ts"
import { encode, settlementArrived, settlementEvents, settlements } from "./model.ts"
import type { Settlement } from "./model.ts"
import type { SettlementDecision } from "./rules.ts"

/** What the commit of a capture or a refund writes of its settlement. */
export const additionOf = ({ clear, entries, event, intent, set, settlement }: SettlementDecision): Required<Pick<Addition, "writes" | "entries" | "events" | "set" | "clear" | "moments">> => {
  const { row, wire } = encode(settlement)
  return {
    writes: [
      { table: settlements, row },
      ...(intent === undefined ? [] : [{ table: paymentIntents, row: intent.encoded.row }])
    ],
    entries,
    events: event === undefined ? [] : [settlementEvents.draft(event, settlement, wire)],
    set,
    clear,
    moments: event === "completed" && settlement.amount > 0 ? [settlementArrived.of(settlement)] : []
  }
}

/** A step of its own. */
export const commitOf = (decided: SettlementDecision, cause: string): Commit => ({
  account_id: decided.settlement.merchant_id,
  at: decided.settlement.updated_at,
  cause,
  ...additionOf(decided)
})

export const wireOf = (settlement: Settlement): string => encode(settlement).wire
