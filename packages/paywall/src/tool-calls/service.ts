/** Calls with the round trips of their payments. */
import type { NotFound } from "@svc/kernel/resource/errors"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { Context, Effect, Layer } from "effect"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { PaymentMethods } from "../merchant/payment-methods.ts"
import { decodeReceipt } from "../paid-calls/model.ts"
import { PaidCalls } from "../paid-calls/service/paid-calls.ts"
import type { Methods } from "../payment/model.ts"
import { networkOf } from "../payment/x402.ts"
import type { ToolCallDetail } from "./model.ts"

type Payment = NonNullable<ToolCallDetail["payment"]>

const acceptedBy = ({ card, stablecoin }: Methods): Payment["accepts"] => [
  ...(card === undefined ? [] : [{ method: "card", network: card.networkId, asset: null, pay_to: null } as const]),
  ...(stablecoin === undefined
    ? []
    : [{ method: "stablecoin", network: networkOf(stablecoin), asset: stablecoin.asset, pay_to: stablecoin.payTo } as const])
]

export class ToolCallRecords extends Context.Service<ToolCallRecords, {
  readonly get: (account: string, id: string) => Effect.Effect<ToolCallDetail, NotFound>
}>()("@svc/paywall/ToolCallRecords") {
  static readonly layer = Layer.effect(
    ToolCallRecords,
    Effect.gen(function*() {
      const [meter, calls, merchantAccount, methods] = [yield* Meter, yield* PaidCalls, yield* MerchantAccount, yield* PaymentMethods]

      const paymentOf = Effect.fnUntraced(function*(account: string, id: string) {
        const { paid } = yield* calls.find(account, id)
        const merchant = yield* merchantAccount.merchant(paid.sandbox)
        return {
          sandbox: paid.sandbox,
          merchant_id: merchant.id,
          quoted: paid.signed_for,
          accepts: acceptedBy(methods.of(paid.sandbox)),
          delivered: paid.result !== null,
          taken: paid.receipt === null ? 0 : paid.taken,
          receipt_headers: paid.receipt === null ? {} : decodeReceipt(paid.receipt).headers
        } satisfies Payment
      })

      return ToolCallRecords.of({
        get: Effect.fn("ToolCallRecords.get")(function*(account: string, id: string) {
          const { shares: _shares, ...call } = yield* meter.get(account, id)
          return { ...call, payment: yield* Effect.orElseSucceed(paymentOf(account, id), () => null) }
        })
      })
    })
  )
}
