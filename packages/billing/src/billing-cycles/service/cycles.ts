/** The verbs of a billing cycle: charged by its timer, by a request, or elsewhere. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { InvalidState, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import type { Page, PageRequest } from "@svc/kernel/pages"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Follower, KeyWrite, Write } from "@svc/kernel/road/decision"
import { allows, triggersFrom } from "@svc/kernel/state-machine"
import { untilCommitted } from "@svc/kernel/versions"
import type { Disputed } from "@svc/payments/disputes/model"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { type Ended, type Moved, type PaymentIntent, paymentIntents, type Returned } from "@svc/payments/payment-intents/model"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { change } from "@svc/payments/payment-intents/rules/decision"
import { type ChargeFailure, PaymentIntents } from "@svc/payments/payment-intents/service"
import { Context, Effect, Layer, Result } from "effect"
import type { DefaultMethodChanged } from "../../customers/model.ts"
import { succeeded } from "../../subscriptions/rules/charged.ts"
import { chargingWith } from "../../subscriptions/rules/charging.ts"
import { failed, graceOver, isOver } from "../../subscriptions/rules/failed.ts"
import { leadsTo, reached, timerAt } from "../../subscriptions/rules/steps.ts"
import type { PaymentDoesNotPayCycle } from "../errors.ts"
import { billingCycleMachine } from "../machine.ts"
import { ATTEMPT, type BillingCycle, type BillingCycleFilter, CYCLE_ORIGIN, type CycleAttempt, type RecordChargeResultRequest } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"
import { inFlight, isTried } from "../rules/attempts.ts"
import { paidWith } from "../rules/paying.ts"
import { jitter, makeCharging } from "./charging.ts"
import { HandedOver } from "./handed.ts"
import type { OwedBy } from "./loading.ts"
import { makeMethods } from "./methods.ts"
import { makeOutcomes } from "./outcomes.ts"

/** What a charge that was asked for came to. */
export interface Standing {
  readonly status: "paid" | "failed" | "pending"
  readonly cycle: BillingCycle
  /** The payment, where one was made: of one that is pending, what the customer does next. */
  readonly intent: PaymentIntent | undefined
  readonly decline_code: string | null
}

/** How it is asked for. */
export interface ChargeNow {
  /** Instead of the subscription's own. */
  readonly payment_method_id?: string
  /** Whether the customer is there to take a step, such as 3-D Secure. */
  readonly customer_present: boolean
}

/** A payment that pays a cycle: how much, and what is written of it. */
interface Claimed {
  readonly captured_amount: number
  readonly write: Write
}

/** Why nothing was asked of a provider, or why nobody knows yet what became of it. */
export type ChargeNowFailure = NotFound | InvalidState | ChargeFailure | VersionConflict

const underWay = ({ attempts, status }: BillingCycle) =>
  new PaymentInFlight({
    message: "A charge of this billing cycle is under way. Wait until it is decided, then decide anew.",
    details: { state: status, operation: "charge", payment_intent_id: attempts.at(-1)?.payment_intent_id ?? null, retry_after: 2 }
  })

const notOpen = ({ status }: BillingCycle, verb: string) => {
  const allowed = triggersFrom(billingCycleMachine, status)
  const why = status === "failed" ? "it has failed for good, and all that can follow is that it is paid after all" : "only a pending one is open"
  return new InvalidState({ message: `Cannot ${verb} a billing cycle that is ${status}: ${why}.`, details: { state: status, allowed } })
}

const beingRefunded = ({ id, state }: PaymentIntent) =>
  new PaymentInFlight({
    message: `A refund of the payment ${id} is on its way to the provider. Wait until it is answered, then record what is left.`,
    details: { state, operation: "refund", payment_intent_id: id, retry_after: 2 }
  })

/** Whether a success is told of a payment that was told as failed when it was the last try. */
const isContradicted = ({ attempts, status }: BillingCycle, { payment_intent_id, success }: RecordChargeResultRequest): boolean =>
  success && status === "failed" && payment_intent_id !== undefined && attempts.some((attempt) => attempt.outcome === "failed" && attempt.payment_intent_id === payment_intent_id)

const contradicted = ({ payment_intent_id, status }: BillingCycle) =>
  new InvalidState({
    message: `The payment ${payment_intent_id} failed, so it did not pay this billing cycle. Record the payment that did, under its own payment_intent_id.`,
    details: { state: status, allowed: triggersFrom(billingCycleMachine, status) }
  })

/** What is charged or recorded as paid. Of a cycle that has failed for good the invoice may be void: then nothing is owed for it. */
const payable = (owed: OwedBy): Effect.Effect<OwedBy, InvalidState> =>
  owed.cycle.status === "failed" && owed.invoice?.status === "void"
    ? Effect.fail(new InvalidState({
      message: "The invoice of this billing cycle is void: nothing is owed for it any more. Record or charge nothing for it.",
      details: { state: owed.cycle.status, allowed: [] }
    }))
    : Effect.succeed(owed)

/** Ids of this service's payments begin so. Any other text is the merchant's own reference of money that was taken elsewhere. */
const PAYMENT = "pi_"

export class BillingCycles extends Context.Service<BillingCycles, {
  readonly get: (account: string, id: string) => Effect.Effect<BillingCycle, NotFound>
  readonly list: (account: string, filter: BillingCycleFilter, page: PageRequest) => Effect.Effect<Page<BillingCycle>>
  readonly attempts: (account: string, id: string) => Effect.Effect<ReadonlyArray<CycleAttempt>, NotFound>
  /** The merchant took the money elsewhere, or did not get it. The same result again changes nothing. */
  readonly recordChargeResult: (account: string, id: string, result: RecordChargeResultRequest) =>
    Effect.Effect<BillingCycle, NotFound | InvalidState | PaymentDoesNotPayCycle | PaymentInFlight | VersionConflict>
  /** Charges a pending cycle now, beside its schedule: a failure leaves the scheduled tries as they are. */
  readonly chargeNow: (account: AccountFacts, id: string, how: ChargeNow) => Effect.Effect<Standing, ChargeNowFailure>
  /** The same for a request with a key, which the commit writes that begins the try. A race that is lost is left to whoever keeps the key. */
  readonly chargeKeyed: (account: AccountFacts, id: string, how: ChargeNow, key: KeyWrite) => Effect.Effect<Standing, ChargeNowFailure | CommitRefused>
  /** How the last try stands that was asked for: it is followed where it is under way still. */
  readonly lastTry: (account: string, id: string) => Effect.Effect<Standing, NotFound | ChargeFailure>
  /** Makes the payment of the try under way, for those who began it in their own commit; says how it stands. */
  readonly follow: (owed: Pick<OwedBy, "cycle" | "issuer" | "subscription">) => Effect.Effect<Standing, ChargeFailure>
  /** The same for those who need not hear how it stands. */
  readonly charge: (owed: Pick<OwedBy, "cycle" | "issuer" | "subscription">) => Effect.Effect<void, ChargeFailure>
  /** For the timer: the next try of one that is due, what became of the one under way, or the end of its grace; of one that was voided, the end of its payment. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict | ChargeFailure>
  /** For customers whose default method is another one: what is open of theirs and has no method of its own is tried at once. */
  readonly onDefaultMethod: Follower<DefaultMethodChanged, never>
  /** For payments on behalf of a cycle: what their commits write besides. */
  readonly onCapture: Follower<Moved, never>
  readonly onEnd: Follower<Ended, never>
  readonly onRefund: Follower<Returned, never>
  readonly onDispute: Follower<Disputed, never>
  readonly onDisputeWon: Follower<Disputed, never>
}>()("@svc/billing/BillingCycles") {
  static readonly layer = Layer.effect(BillingCycles, Effect.gen(function*() {
    const repository = yield* BillingCycleRepository
    const { begin, charge, commit, cycleOf, issuerOf, owedBy, skip } = yield* makeCharging
    const payments = yield* PaymentIntents
    const intents = yield* PaymentIntentRepository
    const methods = yield* makeMethods
    const outcomes = yield* makeOutcomes

    const get = Effect.fn("BillingCycles.get")(cycleOf)

    const standingOf = Effect.fnUntraced(function*(cycle: BillingCycle, intent: PaymentIntent | undefined): Effect.fn.Return<Standing> {
      const found = yield* Effect.orDie(cycleOf(cycle.account_id, cycle.id))
      const status = found.status === "charged" ? "paid" : inFlight(found) === undefined ? "failed" : "pending"
      return { status, cycle: found, intent, decline_code: found.attempts.at(-1)?.decline_code ?? null }
    })

    const follow = (owed: Pick<OwedBy, "cycle" | "issuer" | "subscription">) =>
      Effect.flatMap(charge(owed), (intent) => standingOf(owed.cycle, intent))

    /** The method to charge by itself, and whether it is another one than was tried before. */
    const methodFor = Effect.fnUntraced(function*({ cycle, subscription }: OwedBy) {
      const method = yield* methods.of(subscription)
      const tried = cycle.attempts.findLast(({ payment_method_id, trigger }) => payment_method_id !== null && trigger !== "request")
      return { method, isNew: method !== null && cycle.attempts.length > 0 && tried?.payment_method_id !== method }
    })

    /** A try that is due begins; the cycle with it under way, or undefined where there is nothing to try. */
    const tryDue = Effect.fnUntraced(function*(owed: OwedBy): Effect.fn.Return<BillingCycle | undefined, CommitRefused> {
      const { at, cycle } = owed
      const { isNew, method } = yield* methodFor(owed)
      const isDue = cycle.next_attempt_at !== null && reached(cycle.next_attempt_at, at)
      if (!isDue && !isNew) {
        if (isOver(owed)) yield* commit(owed, graceOver(owed), "billing_cycle.grace")
        else yield* commit(owed, leadsTo([], { set: [timerAt(ATTEMPT, cycle, cycle.next_attempt_at ?? cycle.grace_until)] }), "billing_cycle.wait")
        return undefined
      }
      const how = chargingWith(owed.issuer, method, at, isNew
        ? { trigger: "new_method", reason: "There is another payment method" }
        : { trigger: "schedule", reason: "It was due" })
      if (how._tag === "Now") return yield* begin(owed, how)
      yield* skip(owed, how)
      return undefined
    })

    /** A payment that was waiting when its cycle was voided: nobody pays for nothing. */
    const letGo = Effect.fnUntraced(function*({ account_id, id, payment_intent_id }: BillingCycle) {
      if (payment_intent_id === null) return
      const { account } = yield* issuerOf(account_id)
      yield* payments.giveBack({ account, id: payment_intent_id, cause: id })
    })

    const proceedOne = Effect.fnUntraced(function*(account: string, id: string) {
      const cycle = yield* cycleOf(account, id)
      if (cycle.status === "voided") return yield* letGo(cycle)
      if (!isTried(cycle)) return
      const owed = yield* owedBy(cycle)
      const going = inFlight(cycle) === undefined ? yield* tryDue(owed) : cycle
      if (going !== undefined) yield* charge({ ...owed, cycle: going })
    })

    /** Whether the result was told before. */
    const isTold = ({ attempts, payment_intent_id, status }: BillingCycle, { payment_intent_id: reference, success }: RecordChargeResultRequest): boolean => {
      const told = reference ?? null
      const last = attempts.at(-1)
      if (status === "pending") return !success && told !== null && last?.trigger === "recorded" && last.outcome === "failed" && last.payment_intent_id === told
      return payment_intent_id === told && (success ? status === "charged" || status === "refunded" : status === "failed")
    }

    /** The payment of this account that a recorded result names; undefined where the merchant has the money elsewhere. */
    const namedBy = Effect.fnUntraced(function*(account: string, { payment_intent_id: reference }: RecordChargeResultRequest): Effect.fn.Return<PaymentIntent | undefined, NotFound> {
      if (reference?.startsWith(PAYMENT) !== true) return undefined
      return (yield* intents.find(account, reference)) ?? (yield* notFound("payment intent"))
    })

    /**
     * The payment that pays a cycle is the cycle's from then on: what is refunded or disputed of it is so of the cycle, and what of it became credit is not
     * refunded.
     */
    const claimed = ({ at, cycle }: OwedBy, payment: PaymentIntent): Result.Result<Claimed, PaymentDoesNotPayCycle | PaymentInFlight> =>
      Result.flatMap(paidWith(cycle, payment), (captured_amount) => payment.open_call?.operation === "refund"
        ? Result.fail(beingRefunded(payment))
        : Result.succeed({ captured_amount, write: { table: paymentIntents, row: change(payment, at, { origin: { type: CYCLE_ORIGIN, id: cycle.id } }).encoded.row } }))

    const record = Effect.fnUntraced(function*(account: string, id: string, result: RecordChargeResultRequest): Effect.fn.Return<BillingCycle, NotFound | InvalidState | PaymentDoesNotPayCycle | PaymentInFlight | CommitRefused> {
      const cycle = yield* cycleOf(account, id)
      if (isTold(cycle, result)) return cycle
      const named = yield* namedBy(account, result)
      if (!allows(billingCycleMachine, cycle.status, result.success ? "succeed" : "fail")) return yield* notOpen(cycle, "record a result of")
      if (inFlight(cycle) !== undefined) return yield* underWay(cycle)
      if (isContradicted(cycle, result)) return yield* contradicted(cycle)
      const owed = yield* payable(yield* owedBy(cycle))
      const payment_intent_id = result.payment_intent_id ?? null
      const payment = result.success && named !== undefined ? yield* Effect.fromResult(claimed(owed, named)) : undefined
      const decided = result.success
        ? succeeded(owed, {
          payment_intent_id,
          reason: "The merchant recorded that it was paid",
          ...(payment === undefined ? {} : { captured_amount: payment.captured_amount })
        })
        : failed(owed, { cause: "recorded_failure", payment_intent_id, decline_code: null, random: yield* jitter })
      yield* commit(owed, decided, "billing_cycle.record", payment === undefined ? [] : [payment.write])
      return decided.steps.reduce((found, step) => step.of === "billing_cycle" && step.to.id === id ? step.to : found, cycle)
    })

    const beginNow = Effect.fnUntraced(function*(account: AccountFacts, id: string, { customer_present, payment_method_id }: ChargeNow, key?: KeyWrite): Effect.fn.Return<OwedBy, ChargeNowFailure | CommitRefused> {
      const cycle = yield* cycleOf(account.id, id)
      if (!allows(billingCycleMachine, cycle.status, "succeed")) return yield* notOpen(cycle, "charge")
      if (inFlight(cycle) !== undefined) return yield* underWay(cycle)
      const owed = yield* payable(yield* owedBy(cycle))
      const method = payment_method_id ?? (yield* methods.of(owed.subscription))
      if (method === null) {
        return yield* new ValidationError({ code: "payment_method_id", message: "payment_method_id: there is no payment method to charge. Send one, or give the customer a default." })
      }
      yield* methods.check(account, owed.subscription.customer_id, method)
      const begun = yield* begin(owed, { _tag: "Now", trigger: "request", reason: "It was asked for", payment_method_id: method, customer_present }, key)
      return { ...owed, cycle: begun }
    })

    return BillingCycles.of({
      get,
      list: Effect.fn("BillingCycles.list")(repository.list),
      attempts: Effect.fn("BillingCycles.attempts")((account: string, id: string) => Effect.map(cycleOf(account, id), ({ attempts }) => attempts)),
      recordChargeResult: Effect.fn("BillingCycles.recordChargeResult")((account: string, id: string, result: RecordChargeResultRequest) =>
        untilCommitted("billing cycle", record(account, id, result))),
      chargeNow: Effect.fn("BillingCycles.chargeNow")(function*(account: AccountFacts, id: string, how: ChargeNow) {
        return yield* follow(yield* untilCommitted("billing cycle", beginNow(account, id, how)))
      }),
      chargeKeyed: Effect.fn("BillingCycles.chargeKeyed")((account: AccountFacts, id: string, how: ChargeNow, key: KeyWrite) => Effect.flatMap(beginNow(account, id, how, key), follow)),
      lastTry: Effect.fn("BillingCycles.lastTry")(function*(account: string, id: string) {
        const cycle = yield* cycleOf(account, id)
        return inFlight(cycle) === undefined ? yield* standingOf(cycle, undefined) : yield* follow(yield* owedBy(cycle))
      }),
      charge: Effect.fn("BillingCycles.charge")((owed: Pick<OwedBy, "cycle" | "issuer" | "subscription">) => Effect.asVoid(charge(owed))),
      follow: Effect.fn("BillingCycles.follow")(follow),
      proceed: Effect.fn("BillingCycles.proceed")((account: string, id: string) => untilCommitted("billing cycle", proceedOne(account, id))),
      onDefaultMethod: ({ customer: { account_id, customer_id, default_payment_method_id } }, { at }) =>
        default_payment_method_id === null
          ? Effect.succeed({})
          : Effect.map(repository.pendingByDefault(account_id, customer_id), (ids) => ({ set: ids.map((resource_id) => ({ kind: ATTEMPT, resource_id, due_at: at })) })),
      ...outcomes
    })
  })).pipe(Layer.provide(HandedOver.layer))
}
