/** The changes of a running subscription that move no money at once: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { InvalidState, NotFound, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { atVersion, untilCommitted } from "@svc/kernel/resource/versions"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { PaymentIntent, RefundTerms } from "@svc/payments/payment-intents/model"
import { Context, Effect, Layer, type Result } from "effect"
import { CYCLE_ORIGIN } from "../../billing-cycles/model.ts"
import { commitOf } from "../../engine/road/steps.ts"
import { triedAgain } from "../../engine/subscriptions/again.ts"
import { changeAnchor } from "../../engine/subscriptions/anchor.ts"
import { cancel, uncancel } from "../../engine/subscriptions/cancel.ts"
import { pause } from "../../engine/subscriptions/pause.ts"
import { planChange } from "../../engine/subscriptions/plan-change.ts"
import { previewOf } from "../../engine/subscriptions/preview.ts"
import { checkRefundOfCredit } from "../../engine/subscriptions/refund.ts"
import type { SubscriptionRefusal } from "../../engine/subscriptions/refusals.ts"
import type { SubscriptionOutcome, SubscriptionSnapshot } from "../../engine/subscriptions/snapshot.ts"
import type { PlanNotActive } from "../../plans/errors.ts"
import { CANCEL_SUBSCRIPTIONS } from "../../plans/model.ts"
import { Plans } from "../../plans/service.ts"
import type { Subscription } from "../model.ts"
import type {
  AnchorChange,
  CancelSubscriptionRequest,
  ChangeAnchorRequest,
  PlanChangePreview,
  PreviewChangeRequest
} from "../model/changes.ts"
import { makeSnapshots } from "../provider/snapshots.ts"
import { SubscriptionRepository } from "../repository.ts"
import { makeResuming } from "./resuming.ts"

/** The name in messages. */
const NAME = "subscription"

/** The subscriptions of an archived plan that one run of its timer ends. */
const BATCH = 100

/** A subscription of an account. With `version`, the verb acts only on that version. */
export interface SubscriptionTarget {
  readonly account: Pick<AccountFacts, "id" | "settings">
  readonly id: string
  readonly version?: number | undefined
}

type Changed = Effect.Effect<Subscription, NotFound | VersionConflict | InvalidState | ValidationError | PaymentInFlight>

export class SubscriptionChanges extends Context.Service<SubscriptionChanges, {
  readonly cancel: (which: SubscriptionTarget, request: CancelSubscriptionRequest) => Changed
  readonly uncancel: (which: SubscriptionTarget) => Changed
  readonly pause: (which: SubscriptionTarget) => Changed
  readonly resume: (which: SubscriptionTarget, new_period?: boolean) => Changed
  readonly preview: (
    which: SubscriptionTarget,
    request: PreviewChangeRequest
  ) => Effect.Effect<PlanChangePreview, NotFound | InvalidState | ValidationError | PlanNotActive | PaymentInFlight>
  readonly changeAnchor: (
    which: SubscriptionTarget,
    request: ChangeAnchorRequest
  ) => Effect.Effect<AnchorChange, NotFound | VersionConflict | InvalidState | ValidationError | PaymentInFlight>
  /** For refunds: fails with 400 `validation_error` where money of a billing cycle's payment became credit of the subscription. */
  readonly refuseRefundOfCredit: (intent: PaymentIntent, refunding: RefundTerms) => Effect.Effect<void, ValidationError>
  /** For the timer of an archived plan: ends some of its subscriptions, and gives whether there may be more. */
  readonly endAllOn: (
    account: string,
    plan: string
  ) => Effect.Effect<void, NotFound | VersionConflict | InvalidState | ValidationError | PaymentInFlight | CommitRefused>
}>()("@svc/billing/SubscriptionChanges") {
  static readonly layer = Layer.effect(
    SubscriptionChanges,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const committer = yield* Committer
      const plans = yield* Plans
      const repository = yield* SubscriptionRepository
      const resume = yield* makeResuming
      const snapshots = yield* makeSnapshots

      const commit = Effect.fnUntraced(function*(snapshot: SubscriptionSnapshot, outcome: SubscriptionOutcome, operation: string) {
        const { decision, payments } = yield* snapshots.written(snapshot, outcome)
        const commit = commitOf(snapshot.subscription.account_id, snapshot.at, decision, [operation, snapshot.subscription.id])
        yield* committer.commit({ ...commit, writes: [...commit.writes, ...payments] })
      })

      const loaded = Effect.fnUntraced(function*({ account, id, version }: SubscriptionTarget) {
        const snapshot = yield* snapshots.load(account.id, id)
        yield* Effect.fromResult(atVersion(NAME, snapshot.subscription, version))
        return snapshot
      })

      /** Decides on the current subscription, and again after a lost race. An undefined outcome changes nothing. */
      const change = <O extends SubscriptionOutcome>(
        which: SubscriptionTarget,
        operation: string,
        decide: (snapshot: SubscriptionSnapshot) => Result.Result<O | undefined, SubscriptionRefusal>
      ) =>
        untilCommitted(
          NAME,
          Effect.gen(function*() {
            const snapshot = yield* loaded(which)
            const outcome = yield* Effect.fromResult(decide(snapshot))
            if (outcome !== undefined) yield* commit(snapshot, outcome, operation)
            return { outcome, subscription: outcome?.subscription ?? snapshot.subscription }
          })
        )

      const changed = (
        which: SubscriptionTarget,
        operation: string,
        decide: (snapshot: SubscriptionSnapshot) => Result.Result<SubscriptionOutcome | undefined, SubscriptionRefusal>
      ) => Effect.map(change(which, operation, decide), ({ subscription }) => subscription)

      const endOne = Effect.fn("SubscriptionChanges.cancel")((which: SubscriptionTarget, request: CancelSubscriptionRequest) =>
        changed(which, "subscription.cancel", (snapshot) => cancel(snapshot, request, triedAgain(snapshot.subscription, snapshot.at)))
      )

      const endAllOn = Effect.fn("SubscriptionChanges.endAllOn")(function*(account: string, plan_id: string) {
        const { archive_option } = yield* plans.get(account, plan_id)
        if (archive_option === null || archive_option === "none") return
        const at_period_end = archive_option === "at_period_end"
        const facts = yield* accounts.facts(account)
        const ids = yield* repository.toEnd(account, plan_id, at_period_end, BATCH)
        // Each subscription is one commit: the next run continues after a run that stopped.
        yield* Effect.forEach(ids, (id) =>
          endOne({ account: facts, id }, { reason: "plan_archived", at_period_end }).pipe(
            // The customer has ended the subscription meanwhile.
            Effect.catchTag("InvalidState", () => Effect.void)
          ), { concurrency: 4, discard: true })
        if (ids.length < BATCH) return
        const at = yield* now
        yield* committer.commit({
          account_id: account,
          at,
          cause: internalCause(CANCEL_SUBSCRIPTIONS, plan_id),
          writes: [],
          entries: [],
          events: [],
          set: [{ kind: CANCEL_SUBSCRIPTIONS, resource_id: plan_id, due_at: at }],
          clear: []
        })
      })

      return SubscriptionChanges.of({
        cancel: endOne,
        uncancel: Effect.fn("SubscriptionChanges.uncancel")((which: SubscriptionTarget) =>
          changed(which, "subscription.uncancel", (snapshot) => uncancel(snapshot, triedAgain(snapshot.subscription, snapshot.at)))
        ),
        pause: Effect.fn("SubscriptionChanges.pause")((which: SubscriptionTarget) => changed(which, "subscription.pause", pause)),
        resume: Effect.fn("SubscriptionChanges.resume")(({ account, id, version }: SubscriptionTarget, new_period = false) =>
          resume({ account: account.id, id, version }, new_period)
        ),
        preview: Effect.fn("SubscriptionChanges.preview")(
          function*({ account, id }: SubscriptionTarget, { plan_id, proration_behavior }: PreviewChangeRequest) {
            const snapshot = yield* snapshots.load(account.id, id)
            const plan = plan_id === snapshot.plan.id ? snapshot.plan : yield* plans.planFor(account.id, plan_id)
            return previewOf(snapshot, yield* Effect.fromResult(planChange(snapshot, { plan, proration_behavior })))
          }
        ),
        changeAnchor: Effect.fn("SubscriptionChanges.changeAnchor")(
          function*(which: SubscriptionTarget, { anchor, preview = false }: ChangeAnchorRequest) {
            if (preview) {
              const { line, subscription } = yield* Effect.fromResult(changeAnchor(yield* loaded(which), anchor))
              return { preview, line, subscription }
            }
            const { outcome, subscription } = yield* change(
              which,
              "subscription.change_anchor",
              (snapshot) => changeAnchor(snapshot, anchor)
            )
            return { preview, line: outcome?.line ?? null, subscription }
          }
        ),
        refuseRefundOfCredit: Effect.fnUntraced(function*({ merchant_id, origin }: PaymentIntent, refunding: RefundTerms) {
          const cycle = origin?.type === CYCLE_ORIGIN ? yield* snapshots.cycles.find(merchant_id, origin.id) : undefined
          const subscription = cycle === undefined ? undefined : yield* repository.find(merchant_id, cycle.subscription_id)
          if (cycle === undefined || subscription === undefined) return
          yield* Effect.fromResult(checkRefundOfCredit({ cycle, subscription }, refunding))
        }),
        endAllOn
      })
    })
  )
}
