/** Changing the plan: at once, at the period's end, or with a charge that decides it. Under a key, because it may move money. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { type InvalidState, notFound, type NotFound, ValidationError } from "@svc/kernel/errors"
import type { Reply } from "@svc/kernel/http/reply"
import { RequestId } from "@svc/kernel/http/request-id"
import { Idempotency, type Keyed, keyDone, keyHeld, LEASE_SECONDS, once } from "@svc/kernel/idempotency"
import type { KeyedFailure } from "@svc/kernel/keyed-verbs"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply, TimerKey } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/time"
import { atVersion } from "@svc/kernel/versions"
import { CardDeclined, type PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { Origin } from "@svc/payments/payment-intents/model"
import type { ChargeFailure } from "@svc/payments/payment-intents/service"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { ATTEMPT } from "../../billing-cycles/model.ts"
import { inFlight } from "../../billing-cycles/rules/attempts.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import type { PlanNotActive } from "../../plans/errors.ts"
import { Plans } from "../../plans/service.ts"
import { encode } from "../model.ts"
import type { ChangePlanRequest } from "../model/changes.ts"
import { makeStandings } from "../provider/standings.ts"
import { commitOf } from "../road.ts"
import { changePlan, notified } from "../rules/change-plan.ts"
import { beginCharged, toldAs } from "../rules/charged-change.ts"
import { mayCharge } from "../rules/charging.ts"
import type { Charging } from "../rules/charging.ts"
import { type ChargedNow, planChange, type PlanChange } from "../rules/plan-change.ts"
import type { Standing } from "../rules/standing.ts"
import { leadsTo } from "../rules/steps.ts"
import { makeFresh } from "./fresh.ts"

/** A change as a request asks for it. */
export interface ChangeCommand {
  readonly account: AccountFacts
  readonly id: string
  readonly keyed: Keyed
  /** Without its key; `version` is the one the caller read, from the body or the header. */
  readonly request: Omit<ChangePlanRequest, "idempotency_key">
  /** On whose behalf, where no request asks for it: whoever follows `planChanged` is told with the commit that makes the change. */
  readonly origin?: Origin
}

type ChangeFailure = KeyedFailure | NotFound | InvalidState | ValidationError | PlanNotActive | PaymentInFlight | AccountSuspended | ChargeFailure

const encodeDeclined = Schema.encodeSync(CardDeclined)

const noMethod = () =>
  new ValidationError({ code: "payment_method_id", message: "payment_method_id: there is no payment method to charge. Send one, or give the customer a default." })

const suspended = ({ restrictions, status }: AccountFacts) =>
  new AccountSuspended({
    message: `This account is ${status === "active" ? "restricted from charging" : status}, and the change would be charged now. Send proration_behavior at_period_end, or contact the operator.`,
    details: { status, restrictions }
  })

export class PlanChanges extends Context.Service<PlanChanges, {
  /** Answers 200 with the subscription: changed, or with a pending change; 402 when the charge was declined, and then nothing changed. */
  readonly change: (command: ChangeCommand) => Effect.Effect<Reply, ChangeFailure>
}>()("@svc/billing/PlanChanges") {
  static readonly layer = Layer.effect(PlanChanges, Effect.gen(function*() {
    const billing = yield* BillingCycles
    const committer = yield* Committer
    const freshAt = yield* makeFresh
    const idempotency = yield* Idempotency
    const plans = yield* Plans
    const standings = yield* makeStandings
    const { issuerOf, owedBy } = yield* makeLoading
    const methods = yield* makeMethods

    /** What the charge is made with. */
    const chargingOf = Effect.fnUntraced(function*({ account, request }: ChangeCommand, { subscription }: Standing, { effective }: ChargedNow): Effect.fn.Return<Charging, ValidationError | AccountSuspended> {
      // Nothing is charged, so nothing is needed for it.
      if (effective === 0) return { _tag: "Later", at: null, reason: "There is nothing to pay" }
      if (!mayCharge(account)) return yield* suspended(account)
      const payment_method_id = request.payment_method_id ?? (yield* methods.of(subscription))
      if (payment_method_id === null) return yield* noMethod()
      yield* methods.check(account, subscription.customer_id, payment_method_id)
      return { _tag: "Now", trigger: "request", reason: "A change of plan is charged at once", payment_method_id, customer_present: true }
    })

    const writeChange = Effect.fnUntraced(function*({ keyed }: ChangeCommand, standing: Standing, decided: PlanChange) {
      const { account_id, id } = standing.subscription
      const outcome = changePlan(standing, decided)
      const { decision, payments } = yield* standings.written(standing, outcome)
      const reply: StoredReply = { status: 200, body: encode(outcome.subscription).wire }
      const commit = commitOf(account_id, standing.at, decision, ["subscription.change_plan", id])
      yield* committer.commit({ ...commit, cause: keyed.key, writes: [...commit.writes, ...payments], moments: notified(standing.subscription, decided, standing.at), key: keyDone(keyed, { type: "subscription", id }, reply) })
      return reply
    })

    /** The change with its cycle, before the charge. The key goes on with the cycle: a retry finds it there. */
    const writeCharged = Effect.fnUntraced(function*(command: ChangeCommand, standing: Standing, decided: PlanChange, charged: ChargedNow) {
      const { account, keyed } = command
      const { at, subscription } = standing
      const charging = yield* chargingOf(command, standing, charged)
      const fresh = yield* freshAt(at)
      const begun = beginCharged(standing, decided, charged, { charging, fresh, issuer: yield* issuerOf(account.id) })
      const { payments } = yield* standings.written(standing, begun.outcome)
      const commit = commitOf(subscription.account_id, at, toldAs(begun, at), ["subscription.change_plan", subscription.id])
      const isDone = begun.opened.cycle.status === "charged"
      const reply: StoredReply | undefined = isDone ? { status: 200, body: encode(begun.outcome.subscription).wire } : undefined
      const until = DateTime.add(yield* realNow, { seconds: LEASE_SECONDS })
      const kept = { type: "billing_cycle", id: fresh.cycle_id }
      const key: KeyWrite = reply === undefined ? keyHeld(keyed, kept, until) : keyDone(keyed, kept, reply)
      yield* committer.commit({ ...commit, cause: keyed.key, writes: [...commit.writes, ...payments], moments: isDone ? notified(subscription, decided, at) : [], key })
      return reply ?? { cycle: begun.opened.cycle.id }
    })

    const declined = Effect.fnUntraced(function*(cycle: string, decline_code: string | null) {
      const request_id = yield* RequestId
      return {
        status: 402,
        body: JSON.stringify(encodeDeclined(new CardDeclined({
          message: `The charge for the change was declined: ${decline_code ?? "generic_decline"}. The plan is what it was. Change it again with another payment method, or with proration_behavior at_period_end.`,
          decline_code: decline_code ?? "generic_decline",
          ...(request_id === undefined ? {} : { request_id }),
          details: { billing_cycle_id: cycle }
        })))
      }
    })

    /** Charges the cycle, or finds what became of it, and answers by that. */
    const finish = Effect.fnUntraced(function*({ account, id, keyed }: ChangeCommand, cycle_id: string): Effect.fn.Return<StoredReply, NotFound | ChargeFailure | CommitRefused> {
      const before = yield* billing.get(account.id, cycle_id)
      if (before.status === "pending" && inFlight(before) !== undefined) yield* billing.follow(yield* owedBy(before))
      const cycle = yield* billing.get(account.id, cycle_id)
      const subscription = (yield* standings.subscriptions.find(account.id, id)) ?? (yield* notFound("subscription"))
      const reply = cycle.status === "voided"
        ? yield* declined(cycle_id, cycle.attempts.at(-1)?.decline_code ?? null)
        : { status: 200, body: encode(subscription).wire }
      // While it waits for the customer or the rail its payment says what becomes of it.
      const clear: ReadonlyArray<TimerKey> = cycle.status === "pending" ? [{ kind: ATTEMPT, resource_id: cycle_id }] : []
      const commit = commitOf(account.id, yield* now, leadsTo([], { clear }), ["subscription.change_plan", id])
      yield* committer.commit({ ...commit, cause: keyed.key, key: keyDone(keyed, { type: "billing_cycle", id: cycle_id }, reply, "finish") })
      return reply
    })

    const begin = Effect.fnUntraced(function*(command: ChangeCommand): Effect.fn.Return<StoredReply, ChangeFailure | CommitRefused> {
      const { account, id, origin, request: { payment_method_id, plan_id, proration_at, proration_behavior, version } } = command
      const standing = yield* standings.load(account.id, id)
      yield* Effect.fromResult(atVersion("subscription", standing.subscription, version))
      // Also where nothing is charged with it: who names one means one that there is.
      if (payment_method_id != null) yield* methods.check(account, standing.subscription.customer_id, payment_method_id)
      const plan = plan_id === standing.plan.id ? standing.plan : yield* plans.planFor(account.id, plan_id)
      const planned = yield* Effect.fromResult(planChange(standing, { plan, proration_behavior, proration_at }))
      const decided: PlanChange = { ...planned, ...(origin === undefined ? {} : { origin }) }
      if (decided.charged === undefined) return yield* writeChange(command, standing, decided)
      const made = yield* writeCharged(command, standing, decided, decided.charged)
      return "cycle" in made ? yield* finish(command, made.cycle) : made
    })

    return PlanChanges.of({
      // Carried out whole, also when the client hangs up: a provider may be called.
      change: Effect.fn("PlanChanges.change")((command: ChangeCommand) =>
        idempotency.toTheEnd(once(idempotency, command.account.id, command.keyed, (begun): Effect.Effect<StoredReply, ChangeFailure | CommitRefused> =>
          begun._tag === "Resume" ? finish(command, begun.resource_id) : begin(command))))
    })
  }))
}
