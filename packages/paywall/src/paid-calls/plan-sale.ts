/**
 * The plan that a call needs, paid for by the call's own challenge. It is the same purchase that the page of that answer makes, so it is
 * paid once, by whichever comes first.
 */
import { now } from "@svc/kernel/values/time"
import { plans } from "@svc/metering/plans/model"
import type { RefusedCall, ToolAnswer, UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { Effect, Option, Redacted, Result } from "effect"
import type { CreditPurchase, PaymentMeans } from "../credit-purchases/model.ts"
import { purchaseOf } from "../credit-purchases/offer.ts"
import { expiryFrom } from "../credit-purchases/rules.ts"
import { simulated } from "../credit-purchases/service/charger.ts"
import { CreditPurchases } from "../credit-purchases/service/purchases.ts"
import type { Admitted } from "../gate/admitted.ts"
import type { PlanSold, Why } from "../gate/paywall.ts"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { Pages } from "../merchant/pages.ts"
import { PaymentMethods } from "../merchant/payment-methods.ts"
import * as Credentials from "../payment/credentials.ts"
import type { Methods, Payment, Problem } from "../payment/model.ts"
import { withRefusal } from "./replies.ts"
import { PaidCallRepository } from "./repository.ts"

/** What is sold to who is on no plan. */
const SOLD = "pro"

type Demanded = (admitted: Admitted, why: Why, problem?: Problem) => Effect.Effect<UnpaidAnswer>

const meansOf = (payment: Payment): PaymentMeans =>
  payment._tag === "Card"
    ? { kind: "card", token: simulated(Redacted.value(payment.token)) }
    : { kind: "stablecoin", protocol: payment.protocol, signed: payment.signed, signature: payment.signature }

/** A payment that is good for the plan, before anything has moved. */
interface Buying {
  readonly admitted: Admitted
  readonly payment: Payment
  readonly methods: Methods
  readonly keys: ReadonlyArray<string>
}

export const makePlanSale = (demanded: Demanded) =>
  Effect.gen(function*() {
    const [merchantAccount, methods, purchases, repository, pages] = [
      yield* MerchantAccount,
      yield* PaymentMethods,
      yield* CreditPurchases,
      yield* PaidCallRepository,
      yield* Pages
    ]

    const pending = (id: string): ToolAnswer => ({ _tag: "Pending", call_id: id, status_url: pages.purchase(id), headers: {} })

    const again = (admitted: Admitted, why: string) => demanded(admitted, "TIER_REQUIRED", { name: "verification-failed", why })

    const soldBy = Effect.fnUntraced(
      function*(
        { admitted, methods: offered, payment }: Buying,
        { amount, payment_intent_id }: CreditPurchase,
        reference: string | undefined
      ): Effect.fn.Return<PlanSold> {
        const isSimulated = payment._tag === "Card" ? admitted.call.account?.sandbox === true : methods.facilitator === undefined
        const settled = { at: yield* now, cents: amount, reference: reference ?? payment_intent_id ?? "", simulated: isSimulated }
        return { _tag: "PlanSold", ...Credentials.receipt(payment, settled, offered) }
      }
    )

    /** As it stands, of a purchase that is not to be charged: somebody was here before. */
    const asItStands = Effect.fnUntraced(function*(buying: Buying, account: string, id: string): Effect.fn.Return<ToolAnswer | PlanSold> {
      const purchase = Option.getOrUndefined(yield* Effect.option(purchases.get(account, id)))
      if (purchase?.state === "paid") return yield* soldBy(buying, purchase, undefined)
      // The request that came first is about to begin.
      if (purchase === undefined) {
        return refuse("IDEMPOTENCY_CONFLICT", "Its payment is being taken.", { retry_after: 1 }, { "retry-after": "1" })
      }
      if (purchase.charge !== null) return pending(id)
      return yield* again(buying.admitted, "The plan that this challenge sold can be paid no more. Answer a challenge of this answer.")
    })

    const bought = Effect.fnUntraced(
      function*(buying: Buying, facts: NonNullable<Admitted["caller"]>["account"]): Effect.fn.Return<ToolAnswer | PlanSold> {
        const { admitted, keys, payment } = buying
        const { call, tool } = admitted
        const at = yield* now
        const takenClaim = yield* repository.claim(facts.id, call.id, keys.map((key) => ({ key: `plan:${key}`, fleeting: false })), at)
        const id = purchaseOf(payment.challenge?.callId ?? takenClaim?.call_id ?? call.id)
        if (takenClaim !== undefined) return yield* asItStands(buying, facts.id, id)
        const wanted = {
          id,
          account_id: facts.id,
          amount: plans[SOLD].price,
          plan: SOLD,
          tool: tool.name,
          pays_for: null,
          expires_at: expiryFrom(at)
        } as const
        const charged = yield* Effect.orDie(purchases.charge(facts, wanted, meansOf(payment), true))
        if (charged === undefined) {
          yield* repository.unclaim(facts.id, call.id)
          return yield* asItStands(buying, facts.id, id)
        }
        const { money, purchase } = charged
        if (purchase.state === "paid") return yield* soldBy(buying, purchase, money._tag === "Taken" ? money.reference : undefined)
        if (money._tag !== "Declined") return pending(id)
        yield* repository.unclaim(facts.id, call.id)
        const demand = yield* again(admitted, money.why)
        return withRefusal(demand, Credentials.refusal(payment, money.reason ?? money.why, buying.methods))
      }
    )

    return Effect.fnUntraced(function*(admitted: Admitted): Effect.fn.Return<ToolAnswer | PlanSold, RefusedCall> {
      const { arguments_sha256, call, caller, request, tool } = admitted
      if (caller === undefined) return yield* demanded(admitted, "TIER_REQUIRED")
      const at = yield* now
      const offered = methods.of(caller.account.sandbox)
      const asked = { tool: tool.name, argumentsSha256: arguments_sha256, mode: call.mode }
      const { credential } = Credentials.read(request, { secret: yield* merchantAccount.secret, now: at, call: asked, methods: offered })
      if (credential._tag === "None") return yield* demanded(admitted, "TIER_REQUIRED")
      if (credential._tag === "Malformed") return yield* demanded(admitted, "TIER_REQUIRED", credential.problem)
      const { price } = plans[SOLD]
      const most = call.agent?.policy.max_amount_minor_cents
      if (most !== undefined && price > most) {
        return yield* Effect.fail(
          refuse("AGENT_AMOUNT_NOT_ALLOWED", `The plan ${SOLD} costs ${price} cents, and one payment of this key may come to ${most}.`)
        )
      }
      // What an agent pays for a plan is in no budget, so who has one leaves plans to the account's owner.
      if (admitted.chain.some(({ asked, budgets = {} }) => asked !== true && Object.keys(budgets).length > 0)) {
        return yield* Effect.fail(
          refuse(
            "AGENT_BUDGET_EXCEEDED",
            "A key with a budget buys no plan. The account's owner buys it with POST /v1/credits/purchases; " +
              "who signed up without an account opens one with POST /v1/accounts."
          )
        )
      }
      const checked = Credentials.check(credential, { cents: price, methods: offered, now: at })
      if (Result.isFailure(checked)) return yield* demanded(admitted, "TIER_REQUIRED", checked.failure)
      return yield* bought({ admitted, payment: credential, methods: offered, keys: checked.success.keys }, caller.account)
    })
  })
