/** How a plan changes, and whether something may be sold on it. Pure: the service loads, asks here, and commits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState, type VersionConflict } from "@svc/kernel/resource/errors"
import { checkMove, triggersFrom } from "@svc/kernel/resource/state-machine"
import { atVersion } from "@svc/kernel/resource/versions"
import type { TimerDraft } from "@svc/kernel/road/decision"
import { type DateTime, Result } from "effect"
import { PlanNotActive } from "./errors.ts"
import { planMachine, type PlanTrigger } from "./machine.ts"
import {
  type ArchiveOption,
  CANCEL_SUBSCRIPTIONS,
  type CreatePlanRequest,
  GRACE_PERIOD_DAYS,
  type Plan,
  type PlanId,
  type PlanPatch
} from "./model.ts"

/** What people call it. */
export const NAME = "plan"

/** What a verb comes to: the plan as it will be, and what must happen because of it. */
export interface PlanDecision {
  readonly plan: Plan
  readonly set: ReadonlyArray<TimerDraft>
}

type Refusal = InvalidState | VersionConflict

const decisionOf = (plan: Plan, set: ReadonlyArray<TimerDraft> = []): PlanDecision => ({ plan, set })

export const create = (id: PlanId, account: Pick<AccountFacts, "id">, request: CreatePlanRequest, at: DateTime.Utc): PlanDecision =>
  decisionOf(
    {
      id,
      account_id: AccountId.make(account.id),
      name: request.name,
      amount: request.amount,
      currency: request.currency,
      billing_period: request.billing_period,
      status: "draft",
      allow_proration: request.allow_proration ?? true,
      description: request.description ?? null,
      external_id: request.external_id ?? null,
      grace_period_days: request.grace_period_days ?? GRACE_PERIOD_DAYS,
      trial_period_days: request.trial_period_days ?? 0,
      archive_option: null,
      created_at: at,
      updated_at: at,
      version: 1
    }
  )

const may = (plan: Plan, trigger: PlanTrigger, expected: number | undefined): Result.Result<Plan, Refusal> =>
  Result.flatMap(
    checkMove(planMachine, plan.status, trigger, { final: "This state is final; make another plan." }),
    () => atVersion(NAME, plan, expected)
  )

/** What customers agreed to when they subscribed. */
const PRICE = ["amount", "currency", "billing_period"] as const

const fixed = ({ status }: Plan, field: string): InvalidState =>
  new InvalidState({
    message: `The ${field} of a plan that is ${status} is fixed, because customers subscribed to it. ` +
      `Make a new plan with the ${field} you want, activate it, and archive this one.`,
    details: { state: status, allowed: triggersFrom(planMachine, status), fixed: field }
  })

/**
 * Changes what the merchant may change; undefined when that is how it is already. `expected` is the version the caller read, when it says
 * so.
 */
export const update = (
  plan: Plan,
  patch: PlanPatch,
  at: DateTime.Utc,
  expected?: number
): Result.Result<PlanDecision | undefined, Refusal> =>
  Result.flatMap(may(plan, "update", expected), () => {
    const next = { ...plan, ...patch }
    const price = PRICE.find((field) => next[field] !== plan[field])
    if (price !== undefined && plan.status !== "draft") return Result.fail(fixed(plan, price))
    const same = Object.keys(patch).every((field) => Reflect.get(next, field) === Reflect.get(plan, field))
    return Result.succeed(same ? undefined : decisionOf(change(next, at, {})))
  })

/** From now on it is sold, at this price for ever. */
export const activate = (plan: Plan, at: DateTime.Utc, expected?: number): Result.Result<PlanDecision, Refusal> =>
  Result.map(may(plan, "activate", expected), () => decisionOf(change(plan, at, { status: "active" })))

/** From now on it is not sold any more. A plan that never was has no subscriptions to end. */
export const archive = (
  plan: Plan,
  subscriptions: ArchiveOption,
  at: DateTime.Utc,
  expected?: number
): Result.Result<PlanDecision, Refusal> =>
  Result.map(may(plan, "archive", expected), () => {
    const ends = subscriptions !== "none" && plan.status === "active"
    return decisionOf(
      change(plan, at, { status: "archived", archive_option: subscriptions }),
      ends ? [{ kind: CANCEL_SUBSCRIPTIONS, resource_id: plan.id, due_at: at }] : []
    )
  })

/** The plan, if something may be sold on it now. */
export const sellable = (plan: Plan): Result.Result<Plan, PlanNotActive> =>
  plan.status === "active" ? Result.succeed(plan) : Result.fail(
    new PlanNotActive({
      code: "plan_id",
      message: plan.status === "draft"
        ? `plan_id: the plan is a draft. Activate it with POST /v1/plans/${plan.id}/activate, then subscribe customers to it.`
        : "plan_id: the plan is archived, and nothing new is sold on it. Use an active plan."
    })
  )
