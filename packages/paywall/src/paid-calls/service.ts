/**
 * Calls that are paid when they are made: each step durable, so that whoever comes after a crash finishes what was delivered and undoes the
 * rest.
 */
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import { isLostRace } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { fromJsonText } from "@svc/kernel/values/json"
import { now, realNow } from "@svc/kernel/values/time"
import { type BudgetExceeded, CreditsExhausted, type ToolCall } from "@svc/metering/tool-calls/model"
import { delivered, doubt, giveUp, release, settle } from "@svc/metering/tool-calls/rules"
import type { CallCharge } from "@svc/metering/tool-calls/service/charge-plan-and-credits"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { Cents } from "@svc/tool-kit/call"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { hash } from "node:crypto"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { PaymentMethods } from "../merchant/payment-methods.ts"
import { PlatformPayments } from "../merchant/platform-payments.ts"
import * as Credentials from "../payment/credentials.ts"
import { Facilitator } from "../payment/facilitator.ts"
import { PaidWith, validUntil } from "../payment/model.ts"
import { open, seal } from "../payment/sealed.ts"
import { FORGOTTEN, type PaidCall, paidCalls } from "./model.ts"
import { PaidCallRepository } from "./repository.ts"
import { askedAgain, beginPaidCall, NEVER_KNOWN, ran, received, undone, writtenOff } from "./rules.ts"

const payment = fromJsonText(PaidWith)
const encodePayment = Schema.encodeSync(payment)
const decodePayment = Schema.decodeUnknownSync(payment)

/** How far a call is. */
export interface PaidCallStep {
  readonly call: ToolCall
  readonly paid: PaidCall
}

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

type Stored = Settled | { readonly _tag: "Unknown" } | { readonly _tag: "Refused"; readonly reason: string } | { readonly _tag: "Lost" }
interface Settled {
  readonly _tag: "Settled"
  readonly reference: string
  readonly simulated: boolean
}

/** Days for which what was paid for can be fetched. */
const DAYS = 1

/** The timer that forgets the result. */
const forgetting = ({ id }: PaidCall, at: DateTime.Utc) => [{ kind: FORGOTTEN, resource_id: id, due_at: DateTime.add(at, { days: DAYS }) }]

/** Takes the money of a call from what its caller pays with. */
const makeTaking = Effect.gen(function*() {
  const merchantAccount = yield* MerchantAccount
  const methods = yield* PaymentMethods
  const facilitator = yield* Facilitator
  const platformPayments = yield* PlatformPayments

  const transferred = Effect.fnUntraced(
    function*(
      { call, paid }: PaidCallStep,
      payment: Extract<PaidWith, { readonly _tag: "Stablecoin" }>,
      again: boolean
    ): Effect.fn.Return<Stored> {
      const { stablecoin } = methods.of(paid.sandbox)
      if (stablecoin === undefined) return { _tag: "Unknown" }
      const merchant = yield* merchantAccount.merchant(paid.sandbox)
      const books = again ? yield* platformPayments.booked(merchant, call.id) : undefined
      const answer = books === undefined
        ? yield* facilitator.settle({ payment, stablecoin, cents: paid.signed_for }, paid.taken)
        : { _tag: "Settled", transaction: books, simulated: facilitator.simulated } as const
      const { nonce } = payment.signed.authorization
      const transfer = again ? askedAgain(answer, { at: yield* realNow, nonce, until: validUntil(payment) }) : answer
      if (transfer._tag === "Used") return { _tag: "Unknown" }
      if (transfer._tag !== "Settled") return transfer
      yield* platformPayments.book(merchant, call.id, paid.taken, transfer.transaction)
      return { _tag: "Settled", reference: transfer.transaction, simulated: transfer.simulated }
    }
  )

  return Effect.fnUntraced(function*(step: PaidCallStep, payment: PaidWith, again: boolean) {
    const { call, paid } = step
    const merchant = yield* merchantAccount.merchant(paid.sandbox)
    // A permission of which nothing is taken is not carried out, and of a card nothing stays held.
    const free: Effect.Effect<Stored> = Effect.map(
      platformPayments.letGo(merchant, call.id),
      (gone) => gone ? { _tag: "Settled", reference: "", simulated: paid.sandbox } : { _tag: "Unknown" }
    )
    const card: Effect.Effect<Stored> = Effect.map(
      platformPayments.take(merchant, call.id, paid.taken),
      (took) => took._tag === "Settled" ? { ...took, simulated: paid.sandbox } : took
    )
    return yield* paid.taken === 0 ? free : payment._tag === "Card" ? card : transferred(step, payment, again)
  })
})

const make = Effect.gen(function*() {
  const meter = yield* Meter
  const merchantAccount = yield* MerchantAccount
  const methods = yield* PaymentMethods
  const repository = yield* PaidCallRepository
  const platformPayments = yield* PlatformPayments
  const takeMoney = yield* makeTaking

  const begin = Effect.fnUntraced(
    function*({ charge, payment, sandbox, seconds }: NewPaidCall): Effect.fn.Return<PaidCallStep, BudgetExceeded | CommitRefused> {
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
      const call = yield* Effect.catchIf(reservation, (error) => error instanceof CreditsExhausted, Effect.die)
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

  const paymentOf = Effect.fnUntraced(function*({ payment }: PaidCall) {
    return decodePayment(open(yield* merchantAccount.secret, payment ?? ""))
  })

  const settled = Effect.fnUntraced(
    function*(
      { call, paid }: PaidCallStep,
      payment: PaidWith,
      { reference, simulated }: Settled
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
    const money = yield* takeMoney(step, payment, again)
    switch (money._tag) {
      case "Settled":
        return yield* settled(step, payment, money)
      case "Unknown":
        return { _tag: "Pending", step: yield* doubted(step) }
      case "Refused":
        return (yield* undo(step, "not_settled")) === "Pending" ? { _tag: "Pending", step } : money
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
    if (paid.result === null || call.error !== null) return void (yield* undo(step, call.error ?? "abandoned"))
    const collected = yield* collect(step, true)
    if (collected._tag === "Settled" || collected._tag === "WrittenOff") yield* repository.renew(account, id, yield* realNow)
  })

  return {
    begin,
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
  readonly begin: (beginning: NewPaidCall) => Effect.Effect<PaidCallStep, BudgetExceeded | CommitRefused>
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
