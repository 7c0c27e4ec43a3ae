/**
 * Calls whose work stays when their payment fails: the money comes before the run. Nobody can give a transfer back, so what the tool does
 * not deliver for it becomes credits of the account.
 */
import type { CommitRefused } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { callKeyOf, CreditGrantId, creditGrants } from "@svc/metering/credit-grants/model"
import { newGrant } from "@svc/metering/credit-grants/rules"
import type { ToolCall } from "@svc/metering/tool-calls/model"
import { prepaying, release, settle } from "@svc/metering/tool-calls/rules"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { creditsEnd } from "../../credit-purchases/rules.ts"
import { MerchantAccount } from "../../merchant/merchant-account.ts"
import { PaymentMethods } from "../../merchant/payment-methods.ts"
import { PlatformPayments } from "../../merchant/platform-payments.ts"
import * as Credentials from "../../payment/credentials.ts"
import type { PaidWith } from "../../payment/model.ts"
import { type PaidCall, paidCalls, type PaidCallStep } from "../model.ts"
import { ahead, forgetting, KEPT_AS_CREDITS, NEVER_KNOWN, ran, received, undone } from "../rules.ts"
import { makeMoney, type MoneyOutcome } from "./money.ts"

export type PrepayOutcome =
  | { readonly _tag: "Taken"; readonly step: PaidCallStep }
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Refused"; readonly reason: string }

/** The steps that these calls share with all others. */
interface SharedSteps {
  readonly paymentOf: (paid: PaidCall) => Effect.Effect<PaidWith>
  readonly doubted: (step: PaidCallStep) => Effect.Effect<PaidCallStep, CommitRefused>
  readonly undo: (step: PaidCallStep, error: string) => Effect.Effect<"Undone" | "Pending", CommitRefused>
}

type Taken = Extract<PrepayOutcome, { readonly _tag: "Taken" }> | Exclude<MoneyOutcome, { readonly _tag: "Settled" }>

export const makePrepay = Effect.fnUntraced(function*({ doubted, paymentOf, undo }: SharedSteps) {
  const [meter, money, methods] = [yield* Meter, yield* makeMoney, yield* PaymentMethods]
  const [merchantAccount, platformPayments] = [yield* MerchantAccount, yield* PlatformPayments]

  const take = Effect.fnUntraced(
    function*({ call, paid }: PaidCallStep, seconds: number, again: boolean): Effect.fn.Return<Taken, CommitRefused> {
      const payment = yield* paymentOf(paid)
      const outcome = yield* money.take({ call, paid }, payment, again)
      if (outcome._tag !== "Settled") return outcome
      const { reference, simulated } = outcome
      const at = yield* now
      const receipt = Credentials.receipt(payment, { reference, simulated, at, cents: paid.taken }, methods.of(paid.sandbox))
      const has = received(paid, JSON.stringify(receipt), at)
      const running = yield* meter.step(prepaying({ ...call, receipt: reference }, seconds, at), { writes: [paidCalls.write(has)] })
      return { _tag: "Taken", step: { call: running, paid: has } }
    }
  )

  /** Takes the whole price before the run. `seconds` is the tool's own limit. */
  const prepay = Effect.fnUntraced(
    function*({ call, paid }: PaidCallStep, seconds: number): Effect.fn.Return<PrepayOutcome, CommitRefused> {
      const at = yield* now
      const asked = ahead(paid, at)
      const step = { call: yield* meter.step(prepaying(call, seconds, at), { writes: [paidCalls.write(asked)] }), paid: asked }
      const outcome = yield* take(step, seconds, false)
      if (outcome._tag === "Taken") return outcome
      if (outcome._tag === "Refused") return (yield* undo(step, "not_settled")) === "Pending" ? { _tag: "Pending" } : outcome
      yield* doubted(step)
      return { _tag: "Pending" }
    }
  )

  /** Keeps what the tool delivered for the money. */
  const deliver = Effect.fnUntraced(function*({ call, paid }: PaidCallStep, result: string): Effect.fn.Return<PaidCallStep, CommitRefused> {
    const at = yield* now
    const has = ran(paid, { cents: paid.taken, result }, at)
    const done = settle(call, paid.taken, { result_sha256: hash("sha256", result, "hex") }, at)
    return { call: yield* meter.step(done, { writes: [paidCalls.write(has)], set: forgetting(paid, at) }), paid: has }
  })

  /** The tool did not deliver: the money is the account's, in credits that pay for this call first. The claims stay with the payment. */
  const keepAsCredits = Effect.fnUntraced(
    function*({ call, paid }: PaidCallStep): Effect.fn.Return<ToolCall, CommitRefused> {
      const at = yield* now
      const books = yield* platformPayments.booked(yield* merchantAccount.merchant(paid.sandbox), call.id)
      const grant = newGrant({
        id: CreditGrantId.make(yield* nextId("cg")),
        account_id: call.account_id,
        cents: paid.taken,
        source: "purchase",
        payment_intent_id: books?.intent ?? null,
        purchase_id: null,
        pays_for: callKeyOf(call),
        expires_at: creditsEnd(at)
      }, at)
      return yield* meter.step(release(call, KEPT_AS_CREDITS, at), {
        writes: [creditGrants.write(grant)],
        set: forgetting(paid, at)
      })
    }
  )

  /** For the timer: whoever took the money, or ran the tool for it, is gone. */
  const finish = Effect.fnUntraced(function*(step: PaidCallStep): Effect.fn.Return<void, CommitRefused> {
    if (step.paid.receipt !== null) return void (yield* keepAsCredits(step))
    const outcome = yield* take(step, 0, true)
    switch (outcome._tag) {
      case "Taken":
        return void (yield* keepAsCredits(outcome.step))
      case "Unknown":
        return void (yield* doubted(step))
      case "Refused":
        return void (yield* undo(step, "not_settled"))
      case "Lost": {
        const at = yield* now
        const nothing = undone(step.paid, at)
        yield* meter.step(release(step.call, NEVER_KNOWN, at), { writes: [paidCalls.write(nothing)], set: forgetting(nothing, at) })
      }
    }
  })

  return { prepay, deliver, keepAsCredits, finish }
})
