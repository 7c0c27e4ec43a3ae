/** The verbs of a plan: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { type IdempotencyInProgress, type IdempotencyKeyReused, type InvalidState, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { Idempotency, internalCause, keyDone, type Keyed, once } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { Commit, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { span } from "@svc/kernel/span"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, type DateTime, Effect, Layer, type Result, Schema } from "effect"
import type { PlanNotActive } from "./errors.ts"
import { type ArchiveOption, type CreatePlanRequest, encode, type Plan, type PlanFilter, PlanId, type PlanPatch, plans } from "./model.ts"
import { PlanRepository } from "./repository.ts"
import * as rules from "./rules.ts"
import type { PlanDecision } from "./rules.ts"

/** A fresh answer, or the stored one of a repeated request. */
export interface Created extends StoredReply {
  readonly replayed: boolean
}

const isPlanId = Schema.is(PlanId)

const commitOf = ({ plan, set }: PlanDecision, cause: string, key?: KeyWrite): Commit => ({
  account_id: plan.account_id,
  at: plan.updated_at,
  cause,
  writes: [{ table: plans, row: encode(plan).row }],
  entries: [],
  events: [],
  set,
  clear: [],
  ...(key === undefined ? {} : { key })
})

/** The same bytes for what does not exist and what belongs to somebody else. */
const noSuchPlan = () =>
  new ValidationError({ code: "plan_id", message: "plan_id: no such plan for this account. Make one with POST /v1/plans and activate it." })

type ChangeFailure = NotFound | InvalidState | VersionConflict

export class Plans extends Context.Service<Plans, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (account: Pick<AccountFacts, "id">, request: CreatePlanRequest, keyed?: Keyed) =>
    Effect.Effect<Created, IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<Plan, NotFound>
  readonly list: (account: string, filter: PlanFilter, page: PageRequest) => Effect.Effect<Page<Plan>>
  /** `version` is the one the caller read, when it says so. */
  readonly update: (account: string, id: string, patch: PlanPatch, version?: number) => Effect.Effect<Plan, ChangeFailure>
  readonly activate: (account: string, id: string, version?: number) => Effect.Effect<Plan, ChangeFailure>
  /** Nothing new is sold on it. What becomes of its subscriptions falls due at once, as `plan.cancel_subscriptions`. */
  readonly archive: (account: string, id: string, subscriptions?: ArchiveOption, version?: number) => Effect.Effect<Plan, ChangeFailure>
  /** The active plan that something is to be sold on. Fails with code `plan_id` where there is none, with `plan_not_active` where it is not active. */
  readonly planFor: (account: string, id: string) => Effect.Effect<Plan, PlanNotActive | ValidationError>
}>()("@svc/billing/Plans") {
  static readonly layer = Layer.effect(Plans, Effect.gen(function*() {
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const repository = yield* PlanRepository

    // What is not an id is not asked for: text from outside may hold what Postgres does not take.
    const find = (account: string, id: string): Effect.Effect<Plan | undefined> => isPlanId(id) ? repository.find(account, id) : Effect.succeed(undefined)

    const get = Effect.fn("Plans.get")(function*(account: string, id: string) {
      return (yield* find(account, id)) ?? (yield* notFound("plan"))
    })

    const insert = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id">, request: CreatePlanRequest, keyed?: Keyed) {
      const id = PlanId.make(yield* nextId("plan"))
      const decided = rules.create(id, account, request, yield* now)
      const reply: StoredReply = { status: 201, body: encode(decided.plan).wire }
      const key = keyed === undefined ? undefined : keyDone(keyed, { type: "plan", id }, reply)
      yield* committer.commit(commitOf(decided, keyed?.key ?? internalCause("plan.create", id), key))
      return reply
    })

    const change = Effect.fnUntraced(function*<E>(
      account: string,
      id: string,
      decide: (plan: Plan, at: DateTime.Utc) => Result.Result<PlanDecision | undefined, E>
    ): Effect.fn.Return<Plan, E | NotFound | CommitRefused> {
      const plan = yield* get(account, id)
      const decided = yield* Effect.fromResult(decide(plan, yield* now))
      if (decided === undefined) return plan
      yield* committer.commit(commitOf(decided, internalCause("plan.change", id)))
      return decided.plan
    })

    return Plans.of({
      create: Effect.fn("Plans.create")(function*(account: Pick<AccountFacts, "id">, request: CreatePlanRequest, keyed?: Keyed) {
        if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => insert(account, request, keyed))
        // Without a key there is nothing a fresh row could collide with.
        return { ...(yield* Effect.catchTag(insert(account, request), "CommitRefused", Effect.die)), replayed: false }
      }),
      get,
      list: Effect.fn("Plans.list")(repository.list),
      update: Effect.fn("Plans.update")((account: string, id: string, patch: PlanPatch, version?: number) =>
        untilCommitted(rules.NAME, change(account, id, (plan, at) => rules.update(plan, patch, at, version)))),
      activate: Effect.fn("Plans.activate")((account: string, id: string, version?: number) =>
        untilCommitted(rules.NAME, change(account, id, (plan, at) => rules.activate(plan, at, version)))),
      archive: Effect.fn("Plans.archive")((account: string, id: string, subscriptions: ArchiveOption = "none", version?: number) =>
        untilCommitted(rules.NAME, change(account, id, (plan, at) => rules.archive(plan, subscriptions, at, version)))),
      planFor: Effect.fnUntraced(function*(account: string, id: string) {
        const plan = yield* find(account, id)
        return yield* plan === undefined ? noSuchPlan() : Effect.fromResult(rules.sellable(plan))
      }, span("Plans.planFor"))
    })
  }))
}
