/** What happens by itself: trials end, periods renew, subscriptions end with their period, and what comes is announced. */
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { change } from "@svc/kernel/resource/change"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { type DateTime, Effect } from "effect"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { type IssuingAccount, makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import { currentAttempt } from "../../engine/billing-cycles/attempts.ts"
import { dropChange } from "../../engine/subscriptions/change-plan.ts"
import { chargingWith } from "../../engine/subscriptions/charging.ts"
import { decisionOf } from "../../engine/subscriptions/outcome.ts"
import { nextPlanId, renew, type RenewalFacts } from "../../engine/subscriptions/renew.ts"
import { billingDecision, reached, timer, timerAt } from "../../engine/subscriptions/steps.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import type { Plan } from "../../plans/model.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { RENEW, type Subscription, UPCOMING } from "../model.ts"
import { SubscriptionRepository } from "../repository.ts"
import { type BegunCycle, isRunning, makeCommitting } from "./committing.ts"
import { makeEnding } from "./ending.ts"
import { makeFresh } from "./fresh.ts"

const renewing = failPointsAround("renew")

/** What a period begins with, and the account as payments know it. */
export interface PeriodFacts extends RenewalFacts {
  readonly issuer: IssuingAccount
}

export const makeRenewing = Effect.gen(function*() {
  const billing = yield* BillingCycles
  const { claimantsOf, commit } = yield* makeCommitting
  const cycles = yield* BillingCycleRepository
  const finish = yield* makeEnding
  const fresh = yield* makeFresh
  const invoices = yield* InvoiceRepository
  const methods = yield* makeMethods
  const plans = yield* PlanRepository
  const repository = yield* SubscriptionRepository
  const { issuerOf } = yield* makeLoading

  const planOf = ({ account_id, id }: Subscription, plan: string): Effect.Effect<Plan> =>
    Effect.flatMap(
      plans.find(account_id, plan),
      (row) => row === undefined ? Effect.die(new Error(`${id} is on ${plan}, which is not there`)) : Effect.succeed(row)
    )

  /** What the next period of the subscription begins with. */
  const factsOf = Effect.fnUntraced(
    function*(subscription: Subscription, current: Plan, at: DateTime.Utc): Effect.fn.Return<PeriodFacts> {
      const next = nextPlanId(subscription)
      const [plan, issuer, method] = yield* Effect.all([
        next === current.id ? Effect.succeed(current) : planOf(subscription, next),
        issuerOf(subscription.account_id),
        methods.of(subscription)
      ], { concurrency: 3 })
      const charging = chargingWith(issuer, method, at, { trigger: "schedule", reason: "The period began" })
      return { plan, issuer, fresh: yield* fresh(at), charging, at }
    }
  )

  const advance = Effect.fnUntraced(function*(subscription: Subscription, current: Plan): Effect.fn.Return<BegunCycle, CommitRefused> {
    const facts = yield* factsOf(subscription, current, yield* now)
    const { issuer } = facts
    const renewal = renew(subscription, current, facts)
    renewing.before()
    yield* commit(subscription, renewal.decision, "subscription.renew")
    renewing.after()
    return { cycle: renewal.opened.cycle, subscription: renewal.subscription, issuer }
  })

  /** A change of plan that is charged, and that nobody has decided by the end of its period, does not happen. Then the period ends. */
  const drop = Effect.fnUntraced(function*(subscription: Subscription): Effect.fn.Return<BegunCycle | undefined, CommitRefused> {
    const { account_id, current_period_start, id } = subscription
    const at = yield* now
    const present = yield* cycles.of(account_id, id, current_period_start)
    const outcome = dropChange({ subscription, cycles: present, claimants: yield* claimantsOf(subscription, present), at })
    const voided = yield* invoices.findByIds(
      account_id,
      outcome.voided.flatMap(({ invoice_id }) => invoice_id === null ? [] : [invoice_id])
    )
    yield* commit(subscription, decisionOf(outcome, { at, invoices: voided }), "subscription.drop_change")
    return yield* renewOne(account_id, id)
  })

  const renewOne: (account: string, id: string) => Effect.Effect<BegunCycle | undefined, CommitRefused> = Effect.fnUntraced(
    function*(account: string, id: string): Effect.fn.Return<BegunCycle | undefined, CommitRefused> {
      const subscription = yield* repository.find(account, id)
      if (subscription === undefined || !isRunning(subscription)) return undefined
      if (!reached(subscription.next_billing_date, yield* now)) {
        yield* commit(
          subscription,
          billingDecision([], { set: [timerAt(RENEW, subscription, subscription.next_billing_date)] }),
          "subscription.wait"
        )
        return undefined
      }
      if (subscription.pending_change?.billing_cycle_id != null) return yield* drop(subscription)
      const { latest_billing_cycle_id: latest } = subscription
      const [current, openCycle] = yield* Effect.all([
        planOf(subscription, subscription.plan_id),
        latest === null ? Effect.undefined : cycles.find(account, latest)
      ], { concurrency: 2 })
      // A cycle that is still open is decided first; what decides it lets the renewal come.
      if (openCycle?.status === "pending" && (!subscription.cancel_at_end || currentAttempt(openCycle) !== undefined)) return undefined
      return yield* subscription.cancel_at_end ? finish(subscription, current) : advance(subscription, current)
    }
  )

  /** The charge follows at once. What cannot be asked now the timer of the cycle asks. */
  const charge = ({ cycle, issuer, subscription }: BegunCycle) =>
    currentAttempt(cycle) === undefined ? Effect.void : billing.charge({ cycle, issuer, subscription }).pipe(
      Effect.catch((error) => Effect.logInfo(`the charge of ${cycle.id} is made later: ${error.message}`))
    )

  const announceOne = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<void, CommitRefused> {
    const at = yield* now
    const subscription = yield* repository.find(account, id)
    if (
      subscription === undefined || !isRunning(subscription) || subscription.cancel_at_end || reached(subscription.next_billing_date, at)
    ) {
      return
    }
    yield* commit(
      subscription,
      billingDecision([{ of: "subscription", to: change(subscription, at, {}), event: "renewal_upcoming" }], {
        clear: [timer(UPCOMING, subscription)]
      }),
      "subscription.upcoming"
    )
  })

  return {
    charge,
    factsOf,
    /** The end of a period or of a trial, and the charge of what follows. */
    renew: (account: string, id: string) =>
      Effect.flatMap(
        untilCommitted<BegunCycle | undefined, never, never>("subscription", renewOne(account, id)),
        (begun) => begun === undefined ? Effect.void : charge(begun)
      ),
    /** Some days before. */
    announce: (account: string, id: string) => untilCommitted<void, never, never>("subscription", announceOne(account, id))
  }
})
