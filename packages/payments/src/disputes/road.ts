/** From a decision about a dispute to the commit that writes it, and to the answer of the request. */
import { type Effects, roadOf } from "@svc/kernel/resource/change"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import type { Write } from "@svc/kernel/road/decision"
import { Effect } from "effect"
import { type PaymentIntent, paymentIntents } from "../payment-intents/model.ts"
import { Rails, recordsOf } from "../rails/rail.ts"
import { disputeEvents, disputes } from "./model.ts"
import type { DisputeDecision } from "./rules.ts"

export const makeDisputeRoad = Effect.gen(function*() {
  const rails = yield* Rails
  const road = yield* roadOf(disputes, { type: "dispute" })

  /** The rows that the simulated network keeps in its own books of money that it took or gave back. */
  const recordsOfDispute = (
    { dispute: { amount, currency, merchant_id, network_reference, status, updated_at } }: DisputeDecision,
    { metadata, selected_rail }: PaymentIntent
  ): ReadonlyArray<Write> => {
    const rail = selected_rail === null || (status !== "open" && status !== "won") ? undefined : rails.byName(selected_rail)
    const operation = status === "open" ? "dispute" : "dispute_reversal"
    return rail === undefined
      ? []
      : recordsOf(rail, { operation, merchant: merchant_id, at: updated_at, metadata, reference: network_reference, amount, currency })
  }

  const effectsOf = (decision: DisputeDecision, payment: PaymentIntent | undefined): Effects => {
    const { dispute, events, intent, ...rest } = decision
    const { wire } = disputes.encode(dispute)
    return {
      ...rest,
      writes: [
        ...(intent === undefined ? [] : [paymentIntents.write(intent)]),
        ...(payment === undefined ? [] : recordsOfDispute(decision, payment))
      ],
      events: events.map((event) => disputeEvents.draft(event, dispute, wire, () => ({ status: dispute.status })))
    }
  }

  return {
    /** Commits a step of a dispute. `payment` is given where the step moves money at the network. */
    commit: (decision: DisputeDecision, cause: string, payment?: PaymentIntent) =>
      road.commit(decision.dispute, effectsOf(decision, payment), cause),
    /** Commits what a request came to, and answers with the dispute: 201 where the request opened it. */
    answer: (work: Pick<Work<unknown, unknown>, "announced" | "keyed">, decision: DisputeDecision, opened?: PaymentIntent) =>
      road.answer(work, decision.dispute, effectsOf(decision, opened), opened === undefined ? 200 : 201)
  }
})
