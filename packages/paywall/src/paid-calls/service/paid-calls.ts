/**
 * Calls that are paid when they are made: each step durable, so that whoever comes after a crash finishes what was delivered and undoes the
 * rest.
 */
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import { isLostRace } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now, realNow } from "@svc/kernel/values/time"
import { type CallBudgetExceeded, InsufficientCredits, type ToolCall } from "@svc/metering/tool-calls/model"
import { delivered, doubt, giveUp, release, settle } from "@svc/metering/tool-calls/rules"
import type { CallCharge } from "@svc/metering/tool-calls/service/charge-plan-and-credits"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { Cents } from "@svc/tool-kit/call"
import { Context, Effect, Layer, Schema } from "effect"
import { hash } from "node:crypto"
import { MerchantAccount } from "../../merchant/merchant-account.ts"
import { PaymentMethods } from "../../merchant/payment-methods.ts"
import { PlatformPayments } from "../../merchant/platform-payments.ts"
import * as Credentials from "../../payment/credentials.ts"
import type { FacilitatorVerdict } from "../../payment/facilitator.ts"
import { PaidWith } from "../../payment/model.ts"
import { open, seal } from "../../payment/sealed.ts"
import { type PaidCall, paidCalls, type PaidCallStep } from "../model.ts"
import { PaidCallRepository } from "../repository.ts"
import { beginPaidCall, forgetting, isPrepaid, NEVER_KNOWN, ran, received, undone, writtenOff } from "../rules.ts"
import { makeMoney, type TakenMoney } from "./money.ts"
import { makePrepay, type PrepayOutcome } from "./prepay.ts"

const payment = fromJsonText(PaidWith)
const encodePayment = Schema.encodeSync(payment)
const decodePayment = Schema.decodeUnknownSync(payment)

/** What came of the money. */
export type CollectOutcome =
  | { readonly _tag: "Settled" | "Pending" | "WrittenOff"; readonly step: PaidCallStep }
  | { readonly _tag: "Refused"; readonly reason: string }

export interface NewPaidCall {
  readonly charge: CallCharge
  /** The tool's own limit. */
  readonly seconds: number
  readonly sandbox: boolean
  readonly payment: PaidWith
}

const make = Effect.gen(function*() {
  const meter = yield* Meter
  const merchantAccount = yield* MerchantAccount
  const [methods, repository] = [yield* PaymentMethods, yield* PaidCallRepository]
  const [platformPayments, money] = [yield* PlatformPayments, yield* makeMoney]

  const begin = Effect.fnUntraced(
    function*({ charge, payment, sandbox, seconds }: NewPaidCall): Effect.fn.Return<PaidCallStep, CallBudgetExceeded | CommitRefused> {
      const { account_id, id } = charge.draft
      const secret = yield* merchantAccount.secret
      const paid = beginPaidCall(
        { id, account_id, sandbox, payment: seal(secret, encodePayment(payment)), signed_for: charge.quote },
        yield* now
      )
      const reservation = Effect.flatMap(
        meter.quote(charge),
        (quoted) => meter.reserve(quoted, seconds, { writes: [paidCalls.write(paid)] })
      )
      // Credits do not pay for it, so they cannot be used up.
      const call = yield* Effect.catchIf(reservation, (error) => error instanceof InsufficientCredits, Effect.die)
      return { call, paid }
    }
  )

  const deliver = Effect.fnUntraced(
    function*({ call, paid }: PaidCallStep, result: string, cents: Cents): Effect.fn.Return<PaidCallStep, CommitRefused> {
      const at = yield* now
      const has = ran(paid, { cents, result }, at)
      return {
        call: yield* meter.step(delivered(call, hash("sha256", result, "hex"), at), { writes: [paidCalls.write(has)] }),
        paid: has
      }
    }
  )

  const doubted = Effect.fnUntraced(function*({ call, paid }: PaidCallStep) {
    const at = yield* now
    return { call: yield* meter.step(doubt(call, at)), paid }
  })

  /**
   * Lets go of the money, then of the claims, then of the room: so often as it takes. Pending while it is not known whether any is held.
   */
  const undo = Effect.fnUntraced(
    function*({ call, paid }: PaidCallStep, error: string): Effect.fn.Return<"Undone" | "Pending", CommitRefused> {
      const at = yield* now
      const marked = call.error === null ? yield* meter.step(giveUp(call, error, at)) : call
      if (call.paid_by === "card" && !(yield* platformPayments.letGo(yield* merchantAccount.merchant(paid.sandbox), call.id))) {
        yield* doubted({ call: marked, paid })
        return "Pending"
      }
      yield* repository.unclaim(call.account_id, call.id)
      const nothing = undone(paid, at)
      yield* meter.step(release(marked, marked.error ?? error, at), { writes: [paidCalls.write(nothing)], set: forgetting(paid, at) })
      return "Undone"
    }
  )

  const paymentOf = (paid: PaidCall) => Effect.map(merchantAccount.secret, (secret) => decodePayment(open(secret, paid.payment ?? "")))
  const { finish: finishPrepaid, ...prepaid } = yield* makePrepay({ doubted, paymentOf, undo })

  const settled = Effect.fnUntraced(
    function*(
      { call, paid }: PaidCallStep,
      payment: PaidWith,
      { reference, simulated }: TakenMoney
    ): Effect.fn.Return<CollectOutcome, CommitRefused> {
      const at = yield* now
      const receipt = Credentials.receipt(payment, { reference, simulated, at, cents: paid.taken }, methods.of(paid.sandbox))
      const has = received(paid, JSON.stringify(receipt), at)
      const done = yield* meter.step(settle(call, paid.taken, { receipt: reference }, at), {
        writes: [paidCalls.write(has)],
        set: forgetting(paid, at)
      })
      return { _tag: "Settled", step: { call: done, paid: has } }
    }
  )

  /** Takes the money for what was delivered. `again`: somebody may have tried before. */
  const collect = Effect.fnUntraced(function*(step: PaidCallStep, again: boolean): Effect.fn.Return<CollectOutcome, CommitRefused> {
    const { call, paid } = step
    const payment = yield* paymentOf(paid)
    const outcome = yield* money.take(step, payment, again)
    switch (outcome._tag) {
      case "Settled":
        return yield* settled(step, payment, outcome)
      case "Unknown":
        return { _tag: "Pending", step: yield* doubted(step) }
      case "Refused":
        return (yield* undo(step, "not_settled")) === "Pending" ? { _tag: "Pending", step } : outcome
      case "Lost": {
        const at = yield* now
        const kept = writtenOff(paid, at)
        return {
          _tag: "WrittenOff",
          step: {
            call: yield* meter.step(release(call, NEVER_KNOWN, at), { writes: [paidCalls.write(kept)], set: forgetting(paid, at) }),
            paid: kept
          }
        }
      }
    }
  })

  const find = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<PaidCallStep, NotFound> {
    const call = yield* meter.get(account, id)
    const paid = yield* repository.find(account, id)
    return paid === undefined ? yield* notFound("call") : { call, paid }
  })

  const attempt = Effect.fnUntraced(function*(account: string, id: string) {
    const step = yield* find(account, id)
    const { call, paid } = step
    if (call.state === "settled" || call.state === "released") return
    if (isPrepaid(step)) return yield* finishPrepaid(step)
    if (paid.result === null || call.error !== null) return void (yield* undo(step, call.error ?? "abandoned"))
    const collected = yield* collect(step, true)
    if (collected._tag === "Settled" || collected._tag === "WrittenOff") yield* repository.renew(account, id, yield* realNow)
  })

  return {
    begin,
    verify: money.verify,
    prepay: prepaid.prepay,
    deliverPrepaid: prepaid.deliver,
    keepAsCredits: prepaid.keepAsCredits,
    deliver,
    doubted,
    undo,
    collect,
    find,
    finish: (account: string, id: string) => Effect.retry(attempt(account, id), { times: 5, while: isLostRace }),
    forget: repository.forget
  }
})

export class PaidCalls extends Context.Service<PaidCalls, {
  /** Reserves room, and keeps what it is paid with. From here on a timer looks after the call. */
  readonly begin: (beginning: NewPaidCall) => Effect.Effect<PaidCallStep, CallBudgetExceeded | CommitRefused>
  /** Whether the facilitator would carry the transfer out. Moves nothing. */
  readonly verify: (
    step: PaidCallStep,
    payment: Extract<PaidWith, { readonly _tag: "Stablecoin" }>
  ) => Effect.Effect<FacilitatorVerdict>
  /** Takes the whole price before the run, whose work would stay when the payment failed. `seconds` is the tool's own limit. */
  readonly prepay: (step: PaidCallStep, seconds: number) => Effect.Effect<PrepayOutcome, CommitRefused>
  /** Keeps the result of a call whose money has come. */
  readonly deliverPrepaid: (step: PaidCallStep, result: string) => Effect.Effect<PaidCallStep, CommitRefused>
  /** The money has come, and the tool did not deliver. */
  readonly keepAsCredits: (step: PaidCallStep) => Effect.Effect<ToolCall, CommitRefused>
  /** Keeps the result, before any money is taken for it. Refused where the call was given up meanwhile. */
  readonly deliver: (step: PaidCallStep, result: string, cents: Cents) => Effect.Effect<PaidCallStep, CommitRefused>
  /** The outcome of the payment is unknown: a timer asks for it later. */
  readonly doubted: (step: PaidCallStep) => Effect.Effect<PaidCallStep, CommitRefused>
  readonly undo: (step: PaidCallStep, error: string) => Effect.Effect<"Undone" | "Pending", CommitRefused>
  readonly collect: (step: PaidCallStep, again: boolean) => Effect.Effect<CollectOutcome, CommitRefused>
  readonly find: (account: string, id: string) => Effect.Effect<PaidCallStep, NotFound>
  /** For the timer: finishes what was delivered, undoes the rest. */
  readonly finish: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** For the timer: the time to fetch the result is over. */
  readonly forget: (account: string, id: string) => Effect.Effect<void>
}>()("@svc/paywall/PaidCalls") {
  static readonly layer = Layer.effect(PaidCalls, make)
}
