/** The verbs of a subscription: create, update, and renew by its timer. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { change } from "@svc/kernel/resource/change"
import { type InvalidState, type NotFound, type ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Command } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { atVersion, untilCommitted } from "@svc/kernel/resource/versions"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Equal, Layer } from "effect"
import { ATTEMPT } from "../../billing-cycles/model.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import type { CustomerDetails } from "../../customers/service.ts"
import { commitOf } from "../../engine/road/steps.ts"
import { may } from "../../engine/subscriptions/refusals.ts"
import { billingDecision, timerAt } from "../../engine/subscriptions/steps.ts"
import { type Subscription, type SubscriptionFilter, subscriptions } from "../model.ts"
import type { CreateSubscriptionRequest, SubscriptionPatch } from "../model/requests.ts"
import { SubscriptionRepository } from "../repository.ts"
import { type CreateFailure, makeCreating, type StartedSubscription } from "./creating.ts"
import { makeRenewing } from "./renewing.ts"

/** A subscription that a package above creates, such as a checkout. */
export interface SubscriptionOnBehalf {
  readonly account: AccountFacts
  /** Identifies the creation within the installation: repeated requests with one cause create one subscription. */
  readonly cause: string
  readonly request: CreateSubscriptionRequest
  /** The details of a new customer. */
  readonly details?: CustomerDetails
  readonly customer_present: boolean
}

type UpdateFailure = NotFound | InvalidState | ValidationError | VersionConflict

export class Subscriptions extends Context.Service<Subscriptions, {
  /** Answers 201, or 200 with the subscription as it is now when the key was used for the same request before. */
  readonly create: (command: Command<AccountFacts, CreateSubscriptionRequest>) => Effect.Effect<Reply, CreateFailure>
  /** The same for packages above, with the current outcome of the first charge. */
  readonly createFor: (behalf: SubscriptionOnBehalf) => Effect.Effect<StartedSubscription, CreateFailure>
  /** The account's subscriptions with these ids, in any order. */
  readonly findByIds: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Subscription>>
  readonly get: (account: string, id: string) => Effect.Effect<Subscription, NotFound>
  readonly list: (account: string, filter: SubscriptionFilter, page: PageRequest) => Effect.Effect<Page<Subscription>>
  /** Changes the fields of the request. A new payment method is charged for the open cycles at once. */
  readonly update: (
    account: AccountFacts,
    id: string,
    patch: SubscriptionPatch,
    version?: number
  ) => Effect.Effect<Subscription, UpdateFailure>
  /** For the timers: renews at the end of a period, and announces the renewal. */
  readonly renew: (account: string, id: string) => Effect.Effect<void, VersionConflict>
  readonly announce: (account: string, id: string) => Effect.Effect<void, VersionConflict>
}>()("@svc/billing/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function*() {
      const committer = yield* Committer
      const cycles = yield* BillingCycleRepository
      const methods = yield* makeMethods
      const creating = yield* makeCreating
      const { announce, renew } = yield* makeRenewing

      const { findByIds, get, list } = yield* SubscriptionRepository

      const updateOne = Effect.fnUntraced(
        function*(
          account: AccountFacts,
          id: string,
          patch: SubscriptionPatch,
          version?: number
        ): Effect.fn.Return<Subscription, UpdateFailure | CommitRefused> {
          const subscription = yield* get(account.id, id)
          yield* Effect.fromResult(may(subscription, "update"))
          yield* Effect.fromResult(atVersion("subscription", subscription, version))
          const at = yield* now
          const next = change(subscription, at, patch)
          const isMoved = next.payment_method_id !== subscription.payment_method_id
          if (!isMoved && Equal.equals(next.metadata, subscription.metadata)) return subscription
          const { addition } = yield* methods.named(
            account,
            { reference: subscription.customer_id },
            isMoved ? next.payment_method_id : null,
            at
          )
          const openCycles = isMoved ? yield* cycles.pendingOf(account.id, id) : []
          const decision = billingDecision([{ of: "subscription", to: next, event: "updated" }], {
            set: openCycles.map((cycle) => timerAt(ATTEMPT, cycle, at))
          })
          const { events, writes, ...commit } = commitOf(account.id, at, decision, ["subscription.update", `${id}:${subscription.version}`])
          yield* committer.commit({
            ...commit,
            writes: [...addition.writes ?? [], ...writes],
            events: [...addition.events ?? [], ...events],
            moments: addition.moments ?? []
          })
          return next
        }
      )

      return Subscriptions.of({
        create: Effect.fn("Subscriptions.create")(function*({ account, keyed, payload }: Command<AccountFacts, CreateSubscriptionRequest>) {
          const { replayed, subscription } = yield* creating({ account, keyed, payload, customer_present: false })
          return { status: replayed ? 200 : 201, body: subscriptions.encode(subscription).wire, replayed, key: keyed.key }
        }),
        createFor: Effect.fn("Subscriptions.createFor")(({ account, cause, customer_present, details, request }: SubscriptionOnBehalf) =>
          creating({
            account,
            keyed: { key: internalCause("subscription", cause), operation: "subscription.create", fingerprint: cause },
            payload: request,
            customer_present,
            details
          })
        ),
        findByIds,
        get,
        list,
        update: Effect.fn("Subscriptions.update")((account: AccountFacts, id: string, patch: SubscriptionPatch, version?: number) =>
          untilCommitted("subscription", updateOne(account, id, patch, version))
        ),
        renew: Effect.fn("Subscriptions.renew")(renew),
        announce: Effect.fn("Subscriptions.announce")(announce)
      })
    })
  )
}
