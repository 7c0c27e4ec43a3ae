/** The verbs of a billing cycle: charge by timer or by request, record results. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Addition, Follower, KeyWrite } from "@svc/kernel/road/decision"
import type { DisputedPayment } from "@svc/payments/disputes/model"
import type { ChangedIntent, EndedIntent, IntentRefund } from "@svc/payments/payment-intents/model"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import type { MethodChanged, MethodMoved, PaymentMethod } from "@svc/payments/payment-methods/model"
import { Context, type DateTime, Effect, Layer } from "effect"
import type { DefaultMethodChanged } from "../../customers/model.ts"
import { ATTEMPT, type BillingCycle, type BillingCycleFilter, type CycleAttempt, type RecordChargeResultRequest } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"
import { ChargeHandover, type ChargingCycle } from "./charge-handover.ts"
import { type ChargeNow, type ChargeNowFailure, type ChargeOutcome, makeChargingNow } from "./charging-now.ts"
import { makeOutcomes } from "./outcomes.ts"
import { makeProceeding } from "./proceeding.ts"
import { makeRecording, type RecordFailure } from "./recording.ts"

/** A change that lost a race is made again. */
const committed = <A, E>(change: Effect.Effect<A, E | CommitRefused>) => untilCommitted("billing cycle", change)

export class BillingCycles extends Context.Service<BillingCycles, {
  /** The account's cycles with these ids, in any order. */
  readonly findByIds: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<BillingCycle>>
  /** The cycle that the subscription was last charged for. */
  readonly latestCharged: (account: string, subscription: string) => Effect.Effect<BillingCycle | undefined>
  /** The oldest pending cycle of each of these subscriptions, in any order. */
  readonly oldestPending: (account: string, subscriptions: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<BillingCycle>>
  readonly get: (account: string, id: string) => Effect.Effect<BillingCycle, NotFound>
  readonly list: (account: string, filter: BillingCycleFilter, page: PageRequest) => Effect.Effect<Page<BillingCycle>>
  readonly attempts: (account: string, id: string) => Effect.Effect<ReadonlyArray<CycleAttempt>, NotFound>
  /**
   * Records that the merchant took the money elsewhere, or did not get it. A repeated result changes nothing. A payment of the cycle that
   * waits for its customer is cancelled.
   */
  readonly recordChargeResult: (
    account: string,
    id: string,
    result: RecordChargeResultRequest
  ) => Effect.Effect<BillingCycle, RecordFailure | VersionConflict>
  /** Charges a pending cycle now. A failure leaves the scheduled attempts unchanged. */
  readonly chargeNow: (account: AccountFacts, id: string, how: ChargeNow) => Effect.Effect<ChargeOutcome, ChargeNowFailure>
  /** The same for a request with a key. The commit that begins the attempt writes the key. The caller handles a lost race. */
  readonly chargeKeyed: (
    account: AccountFacts,
    id: string,
    how: ChargeNow,
    key: KeyWrite
  ) => Effect.Effect<ChargeOutcome, ChargeNowFailure | CommitRefused>
  /** The outcome of the last requested attempt. An attempt in progress is continued. */
  readonly lastTry: (account: string, id: string) => Effect.Effect<ChargeOutcome, NotFound | ChargeFailure>
  /** Makes the payment of the current attempt, for callers whose own commit began the attempt. Gives the outcome. */
  readonly follow: (facts: ChargingCycle) => Effect.Effect<ChargeOutcome, ChargeFailure>
  /** The same without the outcome. */
  readonly charge: (facts: ChargingCycle) => Effect.Effect<void, ChargeFailure>
  /**
   * For the timer: begins a due attempt, continues the current attempt, or ends the grace period. Cancels the payment of a voided cycle.
   */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict | ChargeFailure>
  /** For a changed default method of a customer: charges the customer's open cycles without their own method at once. */
  readonly onDefaultMethod: Follower<DefaultMethodChanged, never>
  /** For a payment method that a customer lost: checks the open cycles of subscriptions with this method at once. */
  readonly onMethodMoved: Follower<MethodMoved, never>
  readonly onMethodRevoked: Follower<MethodChanged, never>
  /** For payments on behalf of a cycle: the further writes of their commits. */
  readonly onCapture: Follower<ChangedIntent, never>
  readonly onEnd: Follower<EndedIntent, never>
  readonly onRefund: Follower<IntentRefund, never>
  readonly onDispute: Follower<DisputedPayment, never>
  readonly onDisputeWon: Follower<DisputedPayment, never>
}>()("@svc/billing/BillingCycles") {
  static readonly layer = Layer.effect(
    BillingCycles,
    Effect.gen(function*() {
      const { findByIds, get, list, of, oldestPending, pendingByDefault, pendingByMethod } = yield* BillingCycleRepository
      const { beginNow, charge, follow, lastTry } = yield* makeChargingNow
      const outcomes = yield* makeOutcomes
      const proceed = yield* makeProceeding
      const record = yield* makeRecording

      const lookAt = (ids: ReadonlyArray<string>, at: DateTime.Utc): Addition => ({
        set: ids.map((resource_id) => ({ kind: ATTEMPT, resource_id, due_at: at }))
      })

      const lost = ({ account_id, id }: PaymentMethod, customer: string | null, at: DateTime.Utc) =>
        customer === null
          ? Effect.succeed({})
          : Effect.map(pendingByMethod(account_id, customer, id), (ids) => lookAt(ids, at))

      return BillingCycles.of({
        findByIds,
        get,
        latestCharged: Effect.fn("BillingCycles.latestCharged")((account: string, subscription: string) =>
          Effect.map(of(account, subscription), (all) => all.findLast(({ attempts }) => attempts.length > 0))
        ),
        list,
        oldestPending,
        attempts: Effect.fn("BillingCycles.attempts")((account: string, id: string) =>
          Effect.map(get(account, id), ({ attempts }) => attempts)
        ),
        recordChargeResult: Effect.fn("BillingCycles.recordChargeResult")(record, committed),
        chargeNow: Effect.fn("BillingCycles.chargeNow")(function*(account: AccountFacts, id: string, how: ChargeNow) {
          return yield* follow(yield* committed(beginNow(account, id, how)))
        }),
        chargeKeyed: Effect.fn("BillingCycles.chargeKeyed")((account: AccountFacts, id: string, how: ChargeNow, key: KeyWrite) =>
          Effect.flatMap(beginNow(account, id, how, key), follow)
        ),
        lastTry: Effect.fn("BillingCycles.lastTry")(lastTry),
        follow: Effect.fn("BillingCycles.follow")(follow),
        charge: Effect.fn("BillingCycles.charge")((facts: ChargingCycle) => Effect.asVoid(charge(facts))),
        proceed: Effect.fn("BillingCycles.proceed")(proceed, committed),
        onDefaultMethod: ({ customer: { account_id, customer_id, default_payment_method_id } }, { at }) =>
          default_payment_method_id === null
            ? Effect.succeed({})
            : Effect.map(pendingByDefault(account_id, customer_id), (ids) => lookAt(ids, at)),
        onMethodMoved: ({ from, method }, { at }) => lost(method, from, at),
        onMethodRevoked: ({ method }, { at }) => lost(method, method.customer_id, at),
        ...outcomes
      })
    })
  ).pipe(Layer.provide(ChargeHandover.layer))
}
