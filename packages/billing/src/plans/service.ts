/** The verbs of a plan: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { span } from "@svc/kernel/parts/span"
import { roadOf } from "@svc/kernel/resource/change"
import {
  type IdempotencyInProgress,
  type IdempotencyKeyReused,
  type InvalidState,
  type NotFound,
  ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { Idempotency, internalCause, type Keyed, once } from "@svc/kernel/resource/idempotency"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, type Result } from "effect"
import type { PlanNotActive } from "./errors.ts"
import { type ArchiveOption, type CreatePlanRequest, type Plan, type PlanFilter, PlanId, type PlanPatch, plans } from "./model.ts"
import { PlanRepository } from "./repository.ts"
import * as rules from "./rules.ts"
import type { PlanDecision } from "./rules.ts"

/** The same answer for a missing plan and for a plan of another account. */
const noSuchPlan = () =>
  new ValidationError({ code: "plan_id", message: "plan_id: no such plan for this account. Make one with POST /v1/plans and activate it." })

type ChangeFailure = NotFound | InvalidState | VersionConflict

export class Plans extends Context.Service<Plans, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (
    account: Pick<AccountFacts, "id">,
    request: CreatePlanRequest,
    keyed?: Keyed
  ) => Effect.Effect<Omit<Reply, "key">, IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  /** The account's plans with these ids, in any order. */
  readonly findByIds: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Plan>>
  readonly get: (account: string, id: string) => Effect.Effect<Plan, NotFound>
  readonly list: (account: string, filter: PlanFilter, page: PageRequest) => Effect.Effect<Page<Plan>>
  /** With `version`, refused if the plan has another version. */
  readonly update: (account: string, id: string, patch: PlanPatch, version?: number) => Effect.Effect<Plan, ChangeFailure>
  readonly activate: (account: string, id: string, version?: number) => Effect.Effect<Plan, ChangeFailure>
  /** Ends new sales of the plan. The timer `plan.cancel_subscriptions` then applies `subscriptions` at once. */
  readonly archive: (account: string, id: string, subscriptions?: ArchiveOption, version?: number) => Effect.Effect<Plan, ChangeFailure>
  /** An active plan, for a sale. Fails with code `plan_id` if there is no such plan, with `plan_not_active` if the plan is not active. */
  readonly planFor: (account: string, id: string) => Effect.Effect<Plan, PlanNotActive | ValidationError>
}>()("@svc/billing/Plans") {
  static readonly layer = Layer.effect(
    Plans,
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const { find, findByIds, get, list } = yield* PlanRepository
      const road = yield* roadOf(plans, { type: "plan" })

      const insert = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id">, request: CreatePlanRequest, keyed?: Keyed) {
        const id = PlanId.make(yield* nextId("plan"))
        const decision = rules.create(id, account, request, yield* now)
        return yield* road.answer({ keyed }, decision.plan, decision, 201)
      })

      const change = Effect.fnUntraced(function*<E>(
        account: string,
        id: string,
        decide: (plan: Plan, at: DateTime.Utc) => Result.Result<PlanDecision | undefined, E>
      ): Effect.fn.Return<Plan, E | NotFound | CommitRefused> {
        const plan = yield* get(account, id)
        const decision = yield* Effect.fromResult(decide(plan, yield* now))
        if (decision === undefined) return plan
        yield* road.commit(decision.plan, decision, internalCause("plan.change", id))
        return decision.plan
      })

      return Plans.of({
        create: Effect.fn("Plans.create")(function*(account: Pick<AccountFacts, "id">, request: CreatePlanRequest, keyed?: Keyed) {
          if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => insert(account, request, keyed))
          // Without a key, a new row cannot collide with another.
          return { ...(yield* Effect.catchTag(insert(account, request), "CommitRefused", Effect.die)), replayed: false }
        }),
        findByIds,
        get,
        list,
        update: Effect.fn("Plans.update")((account: string, id: string, patch: PlanPatch, version?: number) =>
          untilCommitted(rules.NAME, change(account, id, (plan, at) => rules.update(plan, patch, at, version)))
        ),
        activate: Effect.fn("Plans.activate")((account: string, id: string, version?: number) =>
          untilCommitted(rules.NAME, change(account, id, (plan, at) => rules.activate(plan, at, version)))
        ),
        archive: Effect.fn("Plans.archive")((account: string, id: string, subscriptions: ArchiveOption = "none", version?: number) =>
          untilCommitted(rules.NAME, change(account, id, (plan, at) => rules.archive(plan, subscriptions, at, version)))
        ),
        planFor: Effect.fnUntraced(function*(account: string, id: string) {
          const plan = yield* find(account, id)
          return yield* plan === undefined ? noSuchPlan() : Effect.fromResult(rules.sellable(plan))
        }, span("Plans.planFor"))
      })
    })
  )
}
