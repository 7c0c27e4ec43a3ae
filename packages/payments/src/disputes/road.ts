/** From a decision about a dispute to what a commit writes. */
import type { Commit, KeyWrite, Write } from "@svc/kernel/road/decision"
import { paymentIntents } from "../payment-intents/model.ts"
import { type Dispute, disputeEvents, disputes, encode } from "./model.ts"
import type { DisputeDecision } from "./rules.ts"

export const wireOf = (dispute: Dispute): string => encode(dispute).wire

/** `records` is what the network keeps of it in its own books, where they are here. */
export const commitOf = ({ clear, dispute, entries, events, intent, moments, set }: DisputeDecision, cause: string, key?: KeyWrite, records: ReadonlyArray<Write> = []): Commit => {
  const { row, wire } = encode(dispute)
  return {
    account_id: dispute.merchant_id,
    at: dispute.updated_at,
    cause,
    writes: [
      { table: disputes, row },
      ...(intent === undefined ? [] : [{ table: paymentIntents, row: intent.encoded.row }]),
      ...records
    ],
    entries,
    events: events.map((event) => disputeEvents.draft(event, dispute, wire)),
    set,
    clear,
    moments,
    ...(key === undefined ? {} : { key })
  }
}
