/** A subscription is made, and its first cycle charged at once where there is a method. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { suspension } from "@svc/accounts/access/permits"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { IdempotencyInProgress, IdempotencyKeyReused, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency, keyDone, type Keyed, once } from "@svc/kernel/resource/idempotency"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { Addition, Commit, StoredReply } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now } from "@svc/kernel/values/time"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect, Schema } from "effect"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import type { ChargeOutcome } from "../../billing-cycles/service/charging-now.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import type { CustomerDetails } from "../../customers/service.ts"
import { currentAttempt } from "../../engine/billing-cycles/attempts.ts"
import { additionOf } from "../../engine/road/steps.ts"
import { chargingWith } from "../../engine/subscriptions/charging.ts"
import { create } from "../../engine/subscriptions/create.ts"
import type { PlanNotActive } from "../../plans/errors.ts"
import { Plans } from "../../plans/service.ts"
import { type Subscription, SubscriptionId, subscriptions } from "../model.ts"
import type { CreateSubscriptionRequest } from "../model/requests.ts"
import { SubscriptionRepository } from "../repository.ts"
import { makeFresh } from "./fresh.ts"

/** Why there is no subscription. */
export type CreateFailure =
  | ValidationError
  | PlanNotActive
  | AccountSuspended
  | IdempotencyKeyReused
  | IdempotencyInProgress
  | VersionConflict

/** What is asked for, by whom, and whether the customer is there to take a step of the first payment. */
export interface CreationRequest {
  readonly account: AccountFacts
  readonly keyed: Keyed
  readonly payload: CreateSubscriptionRequest
  readonly customer_present: boolean
  readonly details?: CustomerDetails | undefined
}

/** The subscription as it is now, and how its first charge stands: undefined in a trial, and where it waits for a method. */
export interface StartedSubscription {
  readonly subscription: Subscription
  readonly replayed: boolean
  readonly first: ChargeOutcome | undefined
}

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: SubscriptionId })))

/** What naming the customer writes, and the decision. Only the decision sets timers and takes a number. */
const together = (one: Addition, other: Addition): Addition => ({
  ...other,
  writes: [...one.writes ?? [], ...other.writes ?? []],
  events: [...one.events ?? [], ...other.events ?? []],
  moments: [...one.moments ?? [], ...other.moments ?? []]
})

export const makeCreating = Effect.gen(function*() {
  const committer = yield* Committer
  const customerKeys = yield* makeCustomerKeys
  const cycles = yield* BillingCycles
  const cycleRows = yield* BillingCycleRepository
  const fresh = yield* makeFresh
  const idempotency = yield* Idempotency
  const methods = yield* makeMethods
  const plans = yield* Plans
  const repository = yield* SubscriptionRepository
  const { issuerOf } = yield* makeLoading

  const insert = Effect.fnUntraced(
    function*(
      { account, customer_present, details, keyed, payload: sent }: CreationRequest
    ): Effect.fn.Return<StoredReply, ValidationError | PlanNotActive | AccountSuspended | CommitRefused> {
      const refusal = suspension("charge", account)
      if (refusal !== undefined) return yield* refusal
      const at = yield* now
      const payload = yield* customerKeys.resolved(account.id, sent)
      const own = payload.payment_method_id ?? null
      const [plan, issuer, { addition, standard }] = yield* Effect.all([
        plans.planFor(account.id, payload.plan_id),
        issuerOf(account.id),
        methods.named(account, { reference: payload.customer_id, details }, own, at)
      ], { concurrency: 3 })
      const charging = chargingWith(
        issuer,
        { id: own ?? standard, gone: undefined },
        at,
        customer_present
          ? { trigger: "request", customer_present, reason: "The customer subscribed" }
          : { trigger: "schedule", reason: "The subscription began" }
      )
      const id = SubscriptionId.make(makeId("sub", at.epochMilliseconds))
      const { decision, subscription } = yield* Effect.fromResult(create({
        id,
        request: { ...payload, idempotency_key: keyed.key.trim() },
        plan,
        issuer,
        fresh: yield* fresh(at),
        charging,
        at
      }))
      const reply = { status: 201, body: subscriptions.encode(subscription).wire }
      const { clear = [], events = [], set = [], writes = [], ...more } = together(addition, additionOf(decision))
      const commit: Commit = {
        account_id: account.id,
        at,
        cause: keyed.key,
        writes,
        entries: [],
        events,
        set,
        clear,
        ...more,
        key: keyDone(keyed, { type: "subscription", id }, reply)
      }
      yield* committer.commit(commit)
      return reply
    }
  )

  const currentOf = (account: string, id: string): Effect.Effect<Subscription> =>
    Effect.flatMap(
      repository.find(account, id),
      (subscription) => subscription === undefined ? Effect.die(new Error(`${id} was made and is not there`)) : Effect.succeed(subscription)
    )

  /** How the first charge stands: made now if nobody knows yet. What cannot be asked now its timer asks. */
  const firstOf = Effect.fnUntraced(function*(subscription: Subscription): Effect.fn.Return<ChargeOutcome | undefined> {
    const { account_id, latest_billing_cycle_id } = subscription
    const cycle = latest_billing_cycle_id === null ? undefined : yield* cycleRows.find(account_id, latest_billing_cycle_id)
    if (cycle === undefined) return undefined
    if (currentAttempt(cycle) === undefined) {
      const status = cycle.status === "charged" ? "paid" : "failed"
      const last = cycle.attempts.at(-1)
      return status === "failed" && last?.outcome === "skipped"
        ? undefined
        : { status, cycle, intent: undefined, decline_code: last?.decline_code ?? null }
    }
    const unknown: ChargeOutcome = { status: "pending", cycle, intent: undefined, decline_code: null }
    return yield* cycles.follow({ cycle, subscription, issuer: yield* issuerOf(account_id) }).pipe(
      Effect.catch((error) => Effect.as(Effect.logInfo(`the first charge of ${subscription.id} is made later: ${error.message}`), unknown))
    )
  })

  /** Makes it, or finds it under its key as it is now. */
  return Effect.fnUntraced(function*(request: CreationRequest): Effect.fn.Return<StartedSubscription, CreateFailure> {
    const { account, keyed } = request
    const { body, replayed } = yield* once(idempotency, account.id, keyed, () => insert(request))
    const { id } = readId(body)
    const created = yield* currentOf(account.id, id)
    const first = yield* idempotency.toTheEnd(firstOf(created))
    return { subscription: first === undefined ? created : yield* currentOf(account.id, id), replayed, first }
  })
})
