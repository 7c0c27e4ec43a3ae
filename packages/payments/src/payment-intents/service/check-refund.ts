/**
 * Decides which refunds are refused. Three checks, in this order:
 *
 * 1. The payment: its state, an open call to the provider, the amount that is left (`checkRefundAmount` in `rules/refund.ts`).
 * 2. Its disputes: no refund while a dispute is open (`refuseRefundWhileDisputed` in `disputes/service.ts`).
 * 3. Its subscription: no refund of money that became credit (`refuseRefundOfCredit` in billing's `subscriptions/service/changes.ts`).
 *
 * The second and the third are `RefundGuards`, which packages contribute. Requests are checked before for their scope and for a closed
 * account (`accounts/src/access/permits.ts`); a suspended account may refund. A second look (202) comes after.
 */
import { Effect } from "effect"
import type { RefundTerms } from "../model.ts"
import { refundOptionsOf } from "../model/refunds.ts"
import type { RefundRequest } from "../model/requests.ts"
import { RefundGuards } from "../provider/refund-guards.ts"
import type { IntentWork } from "../road.ts"
import { checkRefundAmount } from "../rules/refund.ts"

/** Makes the function that gives the amount and the options of a refund that is not refused. */
export const makeCheckRefund = Effect.map(
  RefundGuards,
  (refundGuards) =>
    Effect.fnUntraced(function*({ payload, resource }: IntentWork<RefundRequest>) {
      const amount = yield* Effect.fromResult(checkRefundAmount(resource, payload.amount))
      const refund: RefundTerms = { amount, ...refundOptionsOf(payload) }
      yield* Effect.forEach(refundGuards.all(), (guard) => guard(resource, refund), { discard: true })
      return refund
    })
)
