/** What changes a subscription that runs, and moves no money at once: load, decide, commit. */
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
import { mayRefund } from "../../engine/subscriptions/refund.ts"
import type { SubscriptionRefusal } from "../../engine/subscriptions/refusals.ts"
import type { SubscriptionOutcome, SubscriptionStanding } from "../../engine/subscriptions/snapshot.ts"
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
import { makeStandings } from "../provider/snapshots.ts"
import { SubscriptionRepository } from "../repository.ts"
import { makeResuming } from "./resuming.ts"

/** What people call it. */
const NAME = "subscription"

/** Subscriptions of an archived plan that are ended by one run of its timer. */
const BATCH = 100

/** Which subscription, of which account. With `version` only while that is the current one. */
export interface WhichSubscription {
  readonly account: Pick<AccountFacts, "id" | "settings">
  readonly id: string
  readonly version?: number | undefined
}

type Changed = Effect.Effect<Subscription, NotFound | VersionConflict | InvalidState | ValidationError | PaymentInFlight>

export class SubscriptionChanges extends Context.Service<SubscriptionChanges, {
  readonly cancel: (which: WhichSubscription, request: CancelSubscriptionRequest) => Changed
  readonly uncancel: (which: WhichSubscription) => Changed
  readonly pause: (which: WhichSubscription) => Changed
  readonly resume: (which: WhichSubscription, new_period?: boolean) => Changed
  readonly preview: (
    which: WhichSubscription,
    request: PreviewChangeRequest
  ) => Effect.Effect<PlanChangePreview, NotFound | InvalidState | ValidationError | PlanNotActive | PaymentInFlight>
  readonly changeAnchor: (
    which: WhichSubscription,
    request: ChangeAnchorRequest
  ) => Effect.Effect<AnchorChange, NotFound | VersionConflict | InvalidState | ValidationError | PaymentInFlight>
  /** What stands against a refund of a cycle's payment: money that became credit. */
  readonly mayRefund: (intent: PaymentIntent, refunding: RefundTerms) => Effect.Effect<void, ValidationError>
  /** For the timer of an archived plan: ends some of its subscriptions, and says that it is due again while there may be more. */
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
      const standings = yield* makeStandings

      const commit = Effect.fnUntraced(function*(standing: SubscriptionStanding, outcome: SubscriptionOutcome, operation: string) {
        const { decision, payments } = yield* standings.written(standing, outcome)
        const commit = commitOf(standing.subscription.account_id, standing.at, decision, [operation, standing.subscription.id])
        yield* committer.commit({ ...commit, writes: [...commit.writes, ...payments] })
      })

      const loaded = Effect.fnUntraced(function*({ account, id, version }: WhichSubscription) {
        const standing = yield* standings.load(account.id, id)
        yield* Effect.fromResult(atVersion(NAME, standing.subscription, version))
        return standing
      })

      /** Decides on the subscription as it is, and again when somebody else was faster. An outcome that is undefined changes nothing. */
      const change = <O extends SubscriptionOutcome>(
        which: WhichSubscription,
        operation: string,
        decide: (standing: SubscriptionStanding) => Result.Result<O | undefined, SubscriptionRefusal>
      ) =>
        untilCommitted(
          NAME,
          Effect.gen(function*() {
            const standing = yield* loaded(which)
            const outcome = yield* Effect.fromResult(decide(standing))
            if (outcome !== undefined) yield* commit(standing, outcome, operation)
            return { outcome, subscription: outcome?.subscription ?? standing.subscription }
          })
        )

      const changed = (
        which: WhichSubscription,
        operation: string,
        decide: (standing: SubscriptionStanding) => Result.Result<SubscriptionOutcome | undefined, SubscriptionRefusal>
      ) => Effect.map(change(which, operation, decide), ({ subscription }) => subscription)

      const endOne = Effect.fn("SubscriptionChanges.cancel")((which: WhichSubscription, request: CancelSubscriptionRequest) =>
        changed(which, "subscription.cancel", (standing) => cancel(standing, request, triedAgain(standing.subscription, standing.at)))
      )

      const endAllOn = Effect.fn("SubscriptionChanges.endAllOn")(function*(account: string, plan_id: string) {
        const { archive_option } = yield* plans.get(account, plan_id)
        if (archive_option === null || archive_option === "none") return
        const at_period_end = archive_option === "at_period_end"
        const facts = yield* accounts.facts(account)
        const ids = yield* repository.toEnd(account, plan_id, at_period_end, BATCH)
        // Each is whole by itself: a run that stops half way is gone on with where it stopped.
        yield* Effect.forEach(ids, (id) =>
          endOne({ account: facts, id }, { reason: "plan_archived", at_period_end }).pipe(
            // Its customer was faster.
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
        uncancel: Effect.fn("SubscriptionChanges.uncancel")((which: WhichSubscription) =>
          changed(which, "subscription.uncancel", (standing) => uncancel(standing, triedAgain(standing.subscription, standing.at)))
        ),
        pause: Effect.fn("SubscriptionChanges.pause")((which: WhichSubscription) => changed(which, "subscription.pause", pause)),
        resume: Effect.fn("SubscriptionChanges.resume")(({ account, id, version }: WhichSubscription, new_period = false) =>
          resume({ account: account.id, id, version }, new_period)
        ),
        preview: Effect.fn("SubscriptionChanges.preview")(
          function*({ account, id }: WhichSubscription, { plan_id, proration_behavior }: PreviewChangeRequest) {
            const standing = yield* standings.load(account.id, id)
            const plan = plan_id === standing.plan.id ? standing.plan : yield* plans.planFor(account.id, plan_id)
            return previewOf(standing, yield* Effect.fromResult(planChange(standing, { plan, proration_behavior })))
          }
        ),
        changeAnchor: Effect.fn("SubscriptionChanges.changeAnchor")(
          function*(which: WhichSubscription, { anchor, preview = false }: ChangeAnchorRequest) {
            if (preview) {
              const { line, subscription } = yield* Effect.fromResult(changeAnchor(yield* loaded(which), anchor))
              return { preview, line, subscription }
            }
            const { outcome, subscription } = yield* change(
              which,
              "subscription.change_anchor",
              (standing) => changeAnchor(standing, anchor)
            )
            return { preview, line: outcome?.line ?? null, subscription }
          }
        ),
        mayRefund: Effect.fnUntraced(function*({ merchant_id, origin }: PaymentIntent, refunding: RefundTerms) {
          const cycle = origin?.type === CYCLE_ORIGIN ? yield* standings.cycles.find(merchant_id, origin.id) : undefined
          const subscription = cycle === undefined ? undefined : yield* repository.find(merchant_id, cycle.subscription_id)
          if (cycle !== undefined && subscription !== undefined) yield* Effect.fromResult(mayRefund({ cycle, subscription }, refunding))
        }),
        endAllOn
      })
    })
  )
}
