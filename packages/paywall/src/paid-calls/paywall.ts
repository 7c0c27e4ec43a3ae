/** Calls that are paid for when they are made: asked for with 402, and answered against whatever they bring to pay with. */
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { now } from "@svc/kernel/values/time"
import { plans } from "@svc/metering/plans/model"
import { creditHeaders } from "@svc/metering/tool-calls/credit-summary"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { RefusedCall, ToolAnswer, ToolRequest, UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { priceIn } from "@svc/tool-kit/tool"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { offerOf, sealOffer } from "../credit-purchases/offer.ts"
import type { Admitted } from "../gate/admitted.ts"
import { Paywall, type Priced, type Why } from "../gate/paywall.ts"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { Pages } from "../merchant/pages.ts"
import { PaymentMethods } from "../merchant/payment-methods.ts"
import * as Credentials from "../payment/credentials.ts"
import { type Methods, type Payment, type Problem, validUntil } from "../payment/model.ts"
import { open, seal } from "../payment/sealed.ts"
import { write402 } from "../payment/write-402.ts"
import { claimsOf } from "./claims.ts"
import { makePlanSale } from "./plan-sale.ts"
import { makePurchase } from "./purchase.ts"
import { withRefusal } from "./replies.ts"

const foreign: Problem = {
  name: "invalid-challenge",
  why: "The challenge was given to another account. Answer the one that comes with this, with the key that it was asked for with."
}

const hasCredential = ({ headers, meta }: ToolRequest): boolean =>
  /(?:^|,)\s*payment\s/iu.test(`${headers["authorization"] ?? ""},${headers["payment-authorization"] ?? ""}`) ||
  headers["payment-signature"] !== undefined || headers["x-payment"] !== undefined ||
  "org.paymentauth/credential" in meta || "x402/payment" in meta || "x402.payment" in meta

/** No challenge has expired by then. */
const BEGINNING = DateTime.makeUnsafe(0)

/** Seconds before its end at which every transfer that was ever good is good. */
const BEFORE_ITS_END = 60

/** A moment at which the payment was in time. */
const inTime = (payment: Payment): DateTime.Utc =>
  payment._tag === "Card" ? BEGINNING : DateTime.makeUnsafe((validUntil(payment) - BEFORE_ITS_END) * 1000)

const make = Effect.gen(function*() {
  const meter = yield* Meter
  const merchantAccount = yield* MerchantAccount
  const methods = yield* PaymentMethods
  const pages = yield* Pages
  const purchase = yield* makePurchase
  const callers = yield* ToolCallers
  const idempotency = yield* Idempotency

  const demanded = Effect.fnUntraced(function*(admitted: Admitted, why: Why, problem?: Problem): Effect.fn.Return<UnpaidAnswer> {
    const { arguments_sha256, call, caller, prepared, request, tool } = admitted
    const lite = priceIn(tool.meta.prices, "lite")
    const secret = yield* merchantAccount.secret
    const key = caller === undefined ? undefined : admitted.key
    const cents = prepared.quote
    const plan = why === "TIER_REQUIRED" && tool.meta.planOnly === true ? { cents: plans.pro.price, plan: "pro" as const } : { cents }
    const at = yield* now
    const sandbox = caller?.account.sandbox ?? true
    const answer = write402({
      purchase: {
        tool: tool.name,
        mode: call.mode,
        argumentsSha256: arguments_sha256,
        ...plan,
        ...(key === undefined ? {} : { account: seal(secret, key) })
      },
      ...(lite < cents ? { litePriceCents: lite } : {}),
      why,
      methods: methods.of(sandbox),
      sandbox,
      callId: call.id,
      url: request.url,
      now: at,
      secret,
      ...pages.of(sealOffer(secret, offerOf(admitted, plan, at))),
      accept: request.headers["accept-payment"],
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(admitted.terms.counterOffer === undefined ? {} : { more: { counter_offer: admitted.terms.counterOffer } }),
      ...(problem === undefined ? {} : { problem })
    })
    if (caller === undefined) return answer
    return { ...answer, headers: { ...answer.headers, ...creditHeaders(yield* meter.summary(caller.account.id)) } }
  })

  const read = Effect.fnUntraced(function*(request: ToolRequest, call: Priced, at: DateTime.Utc, offered: Methods) {
    return Credentials.read(request, { secret: yield* merchantAccount.secret, now: at, call, methods: offered }).credential
  })

  /** Whose payment it is tells the challenge, also when it comes late: what was paid with it is still to be had. */
  const keyOf = Effect.fnUntraced(function*(request: ToolRequest, call: Priced) {
    const credential = yield* read(request, call, BEGINNING, methods.of(true))
    const account = credential._tag === "Card" || credential._tag === "Stablecoin" ? credential.challenge?.account : undefined
    return account === undefined ? undefined : open(yield* merchantAccount.secret, account)
  })

  /** Whether the challenge was given to another account than the one that answers it. */
  const isForeign = Effect.fnUntraced(function*({ caller, key }: Admitted, sealed: string | undefined) {
    const asked = sealed === undefined || caller === undefined ? undefined : open(yield* merchantAccount.secret, sealed)
    if (asked === undefined || asked === key) return false
    const whose = yield* Effect.option(callers.find(asked))
    return Option.isNone(whose) || whose.value.account.id !== caller?.account.id
  })

  const pricedOf = ({ arguments_sha256, call, tool }: Admitted): Priced => ({
    tool: tool.name,
    argumentsSha256: arguments_sha256,
    mode: call.mode
  })

  /** A payment that is not good any more may have been, and may have paid. */
  const before = Effect.fnUntraced(function*(admitted: Admitted, offered: Methods) {
    const late = yield* read(admitted.request, pricedOf(admitted), BEGINNING, offered)
    if (late._tag === "None" || late._tag === "Malformed") return undefined
    const checked = Credentials.check(late, {
      cents: late.challenge?.cents ?? admitted.prepared.quote,
      methods: offered,
      now: inTime(late)
    })
    const earlier = Result.isFailure(checked)
      ? undefined
      : yield* purchase.held(claimsOf({ ...admitted, payer: checked.success.payer }, late, checked.success.keys), admitted)
    return earlier?._tag === "Unpaid" ? undefined : earlier
  })

  const demand = Effect.fnUntraced(function*(admitted: Admitted, why: Why): Effect.fn.Return<ToolAnswer, RefusedCall> {
    const { caller, prepared, request } = admitted
    const at = yield* now
    const sandbox = caller?.account.sandbox ?? true
    const offered = methods.of(sandbox)
    const refused = (problem: Problem) =>
      Effect.flatMap(
        before(admitted, offered),
        (answer) => answer === undefined ? demanded(admitted, why, problem) : Effect.succeed(answer)
      )
    const credential = yield* read(request, pricedOf(admitted), at, offered)
    if (credential._tag === "None") return (yield* purchase.repeated(admitted)) ?? (yield* demanded(admitted, why))
    if (credential._tag === "Malformed") return yield* refused(credential.problem)
    const checked = Credentials.check(credential, { cents: prepared.quote, methods: offered, now: at })
    if (Result.isFailure(checked)) return yield* refused(checked.failure)
    if (yield* isForeign(admitted, credential.challenge?.account)) return yield* demanded(admitted, why, foreign)
    const account_id = caller?.account.id ?? (yield* merchantAccount.merchant(sandbox)).id
    const { keys, payer } = checked.success
    // What pays is carried to its end, also when whoever pays hangs up.
    const answer = yield* idempotency.toTheEnd(purchase.paid({ ...admitted, payment: credential, payer, account_id, sandbox, keys }))
    if (answer._tag !== "Unpaid") return answer
    const again = yield* demanded(admitted, "PAYMENT_REQUIRED", { name: "verification-failed", why: answer.why })
    return answer.reason === undefined ? again : withRefusal(again, Credentials.refusal(credential, answer.reason, offered))
  })

  return Paywall.of({ keyOf, demand, sellPlan: yield* makePlanSale(demanded), hasCredential })
})

export const layer = Layer.effect(Paywall, make)
