/** What happens by itself: trials end, periods renew, subscriptions end with their period, and what comes is announced. */
import { failPointsAround } from "@svc/kernel/fail-points"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Effect } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { inFlight } from "../../billing-cycles/rules/attempts.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { type Issuing, makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import type { Plan } from "../../plans/model.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { RENEW, type Subscription, UPCOMING } from "../model.ts"
import { SubscriptionRepository } from "../repository.ts"
import { commitOf } from "../road.ts"
import { end } from "../rules/cancel.ts"
import { dropChange } from "../rules/change-plan.ts"
import { chargingWith } from "../rules/charging.ts"
import { openCycle } from "../rules/open-cycle.ts"
import { told } from "../rules/outcome.ts"
import { needsClaimants } from "../rules/reclaim.ts"
import { nextPlanId, renew } from "../rules/renew.ts"
import { changed, type Decision, leadsTo, reached, timer, timerAt } from "../rules/steps.ts"
import { makeFresh } from "./fresh.ts"

const renewing = failPointsAround("renew")

/** A cycle that began with a charge under way. */
interface Charged {
  readonly cycle: BillingCycle
  readonly subscription: Subscription
  readonly issuer: Issuing
}

const going = ({ status }: Subscription): boolean => status === "trialing" || status === "active" || status === "past_due"

export const makeRenewing = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycles
  const cycleRows = yield* BillingCycleRepository
  const fresh = yield* makeFresh
  const invoices = yield* InvoiceRepository
  const methods = yield* makeMethods
  const plans = yield* PlanRepository
  const repository = yield* SubscriptionRepository
  const { issuerOf } = yield* makeLoading

  const planOf = ({ account_id, id }: Subscription, plan: string): Effect.Effect<Plan> =>
    Effect.flatMap(plans.find(account_id, plan), (found) => found === undefined ? Effect.die(new Error(`${id} is on ${plan}, which is not there`)) : Effect.succeed(found))

  const commit = ({ account_id, id, version }: Subscription, decided: Decision, what: string) =>
    Effect.flatMap(now, (at) => committer.commit(commitOf(account_id, at, decided, [what, `${id}:${version}`])))

  const claimantsOf = (subscription: Subscription, present: ReadonlyArray<BillingCycle>) =>
    needsClaimants(subscription, present) ? cycleRows.of(subscription.account_id, subscription.id) : Effect.undefined

  /** It ends with its period. What is owed becomes a last cycle. */
  const finish = Effect.fnUntraced(function*(subscription: Subscription, plan: Plan): Effect.fn.Return<Charged | undefined, CommitRefused> {
    const at = yield* now
    const { account_id, current_period_start, id } = subscription
    const [issuer, present] = yield* Effect.all([issuerOf(account_id), cycleRows.of(account_id, id, current_period_start)], { concurrency: 2 })
    const outcome = end({ subscription, plan, cycles: present, claimants: yield* claimantsOf(subscription, present), at })
    const voided = yield* Effect.forEach(outcome.voided, ({ invoice_id }) => invoice_id === null ? Effect.undefined : invoices.find(account_id, invoice_id))
    const charging = chargingWith(issuer, yield* methods.of(subscription), at, { trigger: "schedule", reason: "The subscription ended, and this was owed" })
    const opened = outcome.drafted === undefined
      ? undefined
      : openCycle({ subscription: outcome.subscription, draft: outcome.drafted, fresh: yield* fresh(at), issuer, charging, at, mayWait: true })
    const decided = told(outcome, { at, invoices: voided.filter((invoice) => invoice !== undefined), ...(opened === undefined ? {} : { opened }) })
    yield* commit(subscription, decided, "subscription.end")
    return opened === undefined ? undefined : { cycle: opened.cycle, subscription: outcome.subscription, issuer }
  })

  const advance = Effect.fnUntraced(function*(subscription: Subscription, current: Plan): Effect.fn.Return<Charged, CommitRefused> {
    const at = yield* now
    const next = nextPlanId(subscription)
    const [plan, issuer, method] = yield* Effect.all([
      next === current.id ? Effect.succeed(current) : planOf(subscription, next),
      issuerOf(subscription.account_id),
      methods.of(subscription)
    ], { concurrency: 3 })
    const charging = chargingWith(issuer, method, at, { trigger: "schedule", reason: "The period began" })
    const begun = renew(subscription, current, { plan, issuer, fresh: yield* fresh(at), charging, at })
    renewing.before()
    yield* commit(subscription, begun.decision, "subscription.renew")
    renewing.after()
    return { cycle: begun.opened.cycle, subscription: begun.subscription, issuer }
  })

  /** A change of plan that is charged, and that nobody has decided by the end of its period, does not happen. Then the period ends. */
  const drop = Effect.fnUntraced(function*(subscription: Subscription): Effect.fn.Return<Charged | undefined, CommitRefused> {
    const { account_id, current_period_start, id } = subscription
    const at = yield* now
    const present = yield* cycleRows.of(account_id, id, current_period_start)
    const outcome = dropChange({ subscription, cycles: present, claimants: yield* claimantsOf(subscription, present), at })
    const voided = yield* invoices.findAll(account_id, outcome.voided.flatMap(({ invoice_id }) => invoice_id === null ? [] : [invoice_id]))
    yield* commit(subscription, told(outcome, { at, invoices: voided }), "subscription.drop_change")
    return yield* renewOne(account_id, id)
  })

  const renewOne: (account: string, id: string) => Effect.Effect<Charged | undefined, CommitRefused> = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<Charged | undefined, CommitRefused> {
    const subscription = yield* repository.find(account, id)
    if (subscription === undefined || !going(subscription)) return undefined
    if (!reached(subscription.next_billing_date, yield* now)) {
      yield* commit(subscription, leadsTo([], { set: [timerAt(RENEW, subscription, subscription.next_billing_date)] }), "subscription.wait")
      return undefined
    }
    if (subscription.pending_change?.billing_cycle_id != null) return yield* drop(subscription)
    const { latest_billing_cycle_id: latest } = subscription
    const [current, open] = yield* Effect.all([
      planOf(subscription, subscription.plan_id),
      latest === null ? Effect.undefined : cycleRows.find(account, latest)
    ], { concurrency: 2 })
    // A cycle that is still open is decided first; what decides it lets the renewal come.
    if (open?.status === "pending" && (!subscription.cancel_at_end || inFlight(open) !== undefined)) return undefined
    return yield* subscription.cancel_at_end ? finish(subscription, current) : advance(subscription, current)
  })

  /** The charge follows at once. What cannot be asked now the timer of the cycle asks. */
  const charge = ({ cycle, issuer, subscription }: Charged) =>
    inFlight(cycle) === undefined ? Effect.void : cycles.charge({ cycle, issuer, subscription }).pipe(
      Effect.catch((error) => Effect.logInfo(`the charge of ${cycle.id} is made later: ${error.message}`))
    )

  const announceOne = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<void, CommitRefused> {
    const at = yield* now
    const subscription = yield* repository.find(account, id)
    if (subscription === undefined || !going(subscription) || subscription.cancel_at_end || reached(subscription.next_billing_date, at)) return
    yield* commit(subscription, leadsTo([{ of: "subscription", to: changed(subscription, at, {}), event: "renewal_upcoming" }], { clear: [timer(UPCOMING, subscription)] }), "subscription.upcoming")
  })

  return {
    /** The end of a period or of a trial, and the charge of what follows. */
    renew: (account: string, id: string) =>
      Effect.flatMap(untilCommitted<Charged | undefined, never, never>("subscription", renewOne(account, id)), (charged) => charged === undefined ? Effect.void : charge(charged)),
    /** Some days before. */
    announce: (account: string, id: string) => untilCommitted<void, never, never>("subscription", announceOne(account, id))
  }
})
