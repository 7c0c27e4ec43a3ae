/** A subscription is made, and its first cycle charged at once where there is a method. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { suspension } from "@svc/accounts/access/permits"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { IdempotencyInProgress, IdempotencyKeyReused, ValidationError, VersionConflict } from "@svc/kernel/errors"
import { fromJsonText } from "@svc/kernel/json"
import { Idempotency, keyDone, type Keyed, once } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { Addition, Commit, StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { Effect, Schema } from "effect"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { inFlight } from "../../billing-cycles/rules/attempts.ts"
import { BillingCycles, type Standing } from "../../billing-cycles/service/cycles.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import type { Details } from "../../customers/service.ts"
import type { PlanNotActive } from "../../plans/errors.ts"
import { Plans } from "../../plans/service.ts"
import { type CreateSubscriptionRequest, encode, type Subscription, SubscriptionId } from "../model.ts"
import { SubscriptionRepository } from "../repository.ts"
import { additionOf } from "../road.ts"
import { chargingWith } from "../rules/charging.ts"
import { create } from "../rules/create.ts"
import { makeFresh } from "./fresh.ts"

/** Why there is no subscription. */
export type CreateFailure = ValidationError | PlanNotActive | AccountSuspended | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict

/** What is asked for, by whom, and whether the customer is there to take a step of the first payment. */
export interface Asked {
  readonly account: AccountFacts
  readonly keyed: Keyed
  readonly payload: CreateSubscriptionRequest
  readonly customer_present: boolean
  readonly details?: Details | undefined
}

/** The subscription as it is now, and how its first charge stands: undefined in a trial, and where it waits for a method. */
export interface Started {
  readonly subscription: Subscription
  readonly replayed: boolean
  readonly first: Standing | undefined
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
  const cycles = yield* BillingCycles
  const cycleRows = yield* BillingCycleRepository
  const fresh = yield* makeFresh
  const idempotency = yield* Idempotency
  const methods = yield* makeMethods
  const plans = yield* Plans
  const repository = yield* SubscriptionRepository
  const { issuerOf } = yield* makeLoading

  const insert = Effect.fnUntraced(function*({ account, customer_present, details, keyed, payload }: Asked): Effect.fn.Return<StoredReply, ValidationError | PlanNotActive | AccountSuspended | CommitRefused> {
    const refusal = suspension("charge", account)
    if (refusal !== undefined) return yield* refusal
    const at = yield* now
    const own = payload.payment_method_id ?? null
    const [plan, issuer, { addition, standard }] = yield* Effect.all([
      plans.planFor(account.id, payload.plan_id),
      issuerOf(account.id),
      methods.named(account, { reference: payload.customer_id, details }, own, at)
    ], { concurrency: 3 })
    const charging = chargingWith(issuer, own ?? standard, at, customer_present
      ? { trigger: "request", customer_present, reason: "The customer subscribed" }
      : { trigger: "schedule", reason: "The subscription began" })
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
    const reply = { status: 201, body: encode(subscription).wire }
    const { clear = [], events = [], set = [], writes = [], ...more } = together(addition, additionOf(decision))
    const commit: Commit = { account_id: account.id, at, cause: keyed.key, writes, entries: [], events, set, clear, ...more, key: keyDone(keyed, { type: "subscription", id }, reply) }
    yield* committer.commit(commit)
    return reply
  })

  const found = (account: string, id: string): Effect.Effect<Subscription> =>
    Effect.flatMap(repository.find(account, id), (subscription) =>
      subscription === undefined ? Effect.die(new Error(`${id} was made and is not there`)) : Effect.succeed(subscription))

  /** How the first charge stands: made now if nobody knows yet. What cannot be asked now its timer asks. */
  const firstOf = Effect.fnUntraced(function*(subscription: Subscription): Effect.fn.Return<Standing | undefined> {
    const { account_id, latest_billing_cycle_id } = subscription
    const cycle = latest_billing_cycle_id === null ? undefined : yield* cycleRows.find(account_id, latest_billing_cycle_id)
    if (cycle === undefined) return undefined
    if (inFlight(cycle) === undefined) {
      const status = cycle.status === "charged" ? "paid" : "failed"
      const last = cycle.attempts.at(-1)
      return status === "failed" && last?.outcome === "skipped" ? undefined : { status, cycle, intent: undefined, decline_code: last?.decline_code ?? null }
    }
    const unknown: Standing = { status: "pending", cycle, intent: undefined, decline_code: null }
    return yield* cycles.follow({ cycle, subscription, issuer: yield* issuerOf(account_id) }).pipe(
      Effect.catch((error) => Effect.as(Effect.logInfo(`the first charge of ${subscription.id} is made later: ${error.message}`), unknown))
    )
  })

  /** Makes it, or finds it under its key as it is now. */
  return Effect.fnUntraced(function*(asked: Asked): Effect.fn.Return<Started, CreateFailure> {
    const { account, keyed } = asked
    const { body, replayed } = yield* once(idempotency, account.id, keyed, () => insert(asked))
    const { id } = readId(body)
    const made = yield* found(account.id, id)
    const first = yield* idempotency.toTheEnd(firstOf(made))
    return { subscription: first === undefined ? made : yield* found(account.id, id), replayed, first }
  })
})
