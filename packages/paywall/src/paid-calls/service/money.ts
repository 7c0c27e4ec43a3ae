/** The money of a call that is paid when it is made: looked at before the run, and taken from what its caller pays with. */
import { realNow } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { MerchantAccount } from "../../merchant/merchant-account.ts"
import { PaymentMethods } from "../../merchant/payment-methods.ts"
import { PlatformPayments } from "../../merchant/platform-payments.ts"
import { Facilitator, type FacilitatorVerdict } from "../../payment/facilitator.ts"
import { type PaidWith, validUntil } from "../../payment/model.ts"
import type { PaidCallStep } from "../model.ts"
import { askedAgain } from "../rules.ts"

type Transfer = Extract<PaidWith, { readonly _tag: "Stablecoin" }>

export interface TakenMoney {
  readonly _tag: "Settled"
  readonly reference: string
  readonly simulated: boolean
}

export type MoneyOutcome =
  | TakenMoney
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Refused"; readonly reason: string }
  | { readonly _tag: "Lost" }

export const makeMoney = Effect.gen(function*() {
  const merchantAccount = yield* MerchantAccount
  const methods = yield* PaymentMethods
  const facilitator = yield* Facilitator
  const platformPayments = yield* PlatformPayments

  const transferred = Effect.fnUntraced(function*({ call, paid }: PaidCallStep, payment: Transfer, again: boolean) {
    const { stablecoin } = methods.of(paid.sandbox)
    if (stablecoin === undefined) return { _tag: "Unknown" } satisfies MoneyOutcome
    const merchant = yield* merchantAccount.merchant(paid.sandbox)
    const books = again ? yield* platformPayments.booked(merchant, call.id) : undefined
    const answer = books === undefined
      ? yield* facilitator.settle({ payment, stablecoin, cents: paid.signed_for }, paid.taken)
      : { _tag: "Settled", transaction: books.transaction, simulated: facilitator.simulated } as const
    const { nonce } = payment.signed.authorization
    const transfer = again ? askedAgain(answer, { at: yield* realNow, nonce, until: validUntil(payment) }) : answer
    if (transfer._tag === "Used") return { _tag: "Unknown" } satisfies MoneyOutcome
    if (transfer._tag !== "Settled") return transfer satisfies MoneyOutcome
    yield* platformPayments.book(merchant, call.id, paid.taken, transfer.transaction)
    return { _tag: "Settled", reference: transfer.transaction, simulated: transfer.simulated } satisfies MoneyOutcome
  })

  /** Whether the transfer would be carried out: balance, window and nonce, which the chain alone knows. Moves nothing. */
  const verify = Effect.fnUntraced(function*({ paid }: PaidCallStep, payment: Transfer): Effect.fn.Return<FacilitatorVerdict> {
    const { stablecoin } = methods.of(paid.sandbox)
    return stablecoin === undefined
      ? { _tag: "Invalid", reason: "stablecoins are not taken here" }
      : yield* facilitator.verify({ payment, stablecoin, cents: paid.signed_for })
  })

  /** Takes what the call came to. `again`: somebody may have tried before. */
  const take = Effect.fnUntraced(
    function*(step: PaidCallStep, payment: PaidWith, again: boolean): Effect.fn.Return<MoneyOutcome> {
      const { call, paid } = step
      const merchant = yield* merchantAccount.merchant(paid.sandbox)
      if (paid.taken === 0) {
        // A permission of which nothing is taken is not carried out, and of a card nothing stays held.
        const gone = yield* platformPayments.letGo(merchant, call.id)
        return gone ? { _tag: "Settled", reference: "", simulated: paid.sandbox } : { _tag: "Unknown" }
      }
      if (payment._tag === "Stablecoin") return yield* transferred(step, payment, again)
      const took = yield* platformPayments.take(merchant, call.id, paid.taken)
      return took._tag === "Settled" ? { ...took, simulated: paid.sandbox } : took
    }
  )

  return { verify, take }
})
