/** What buying a plan comes to, and what each of its months gives. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import type { TimerDraft, TimerKey, Write } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import { type CreditGrant, type CreditGrantId, creditGrants } from "../credit-grants/model.ts"
import { newGrant } from "../credit-grants/rules.ts"
import { plans, type SoldPlan } from "../plans/model.ts"
import { type AccountPlan, type AccountPlanId, accountPlans, MONTH } from "./model.ts"

/** What a step of a plan comes to. */
export interface PlanDecision {
  readonly plan: AccountPlan
  /** The month's credits, where a month begins. */
  readonly grant: CreditGrant | undefined
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** A plan that was paid for. */
export interface PaidPlan {
  readonly account_id: string
  readonly plan: SoldPlan
  readonly purchase_id: string
  readonly payment_intent_id: string
  readonly at: DateTime.Utc
}

/** Ids for what a step may make. */
export interface PlanStepIds {
  readonly plan: AccountPlanId
  readonly grant: CreditGrantId
}

export const isActive = ({ ends_at }: Pick<AccountPlan, "ends_at">, at: DateTime.Utc): boolean =>
  ends_at === null || DateTime.isGreaterThan(ends_at, at)

/** Whether there is nothing to buy: it is held, and has no end. */
export const isHeldForEver = (held: AccountPlan | undefined): boolean => held !== undefined && held.ends_at === null

/**
 * From the beginning each time, so that a plan of the 31st has its months begin on the last days of shorter ones and on the 31st of longer
 * ones.
 */
const monthsAfter = (start: DateTime.Utc, months: number): DateTime.Utc => DateTime.add(start, { months })

const timer = ({ id }: AccountPlan): TimerKey => ({ kind: MONTH, resource_id: id })

const nextMonth = (plan: AccountPlan): Pick<PlanDecision, "set" | "clear"> => {
  const { months_granted, months_paid, started_at } = plan
  const last = months_paid !== null && months_granted >= months_paid
  return last
    ? { set: [], clear: [timer(plan)] }
    : { set: [{ ...timer(plan), due_at: monthsAfter(started_at, months_granted) }], clear: [] }
}

const grantOf = (plan: AccountPlan, id: CreditGrantId, at: DateTime.Utc): CreditGrant =>
  newGrant({
    id,
    account_id: plan.account_id,
    cents: plans[plan.plan].allowance,
    source: "plan",
    payment_intent_id: plan.payment_intent_id,
    purchase_id: plan.purchase_id,
    pays_for: null,
    expires_at: monthsAfter(plan.started_at, plan.months_granted)
  }, at)

const begun = (fields: PaidPlan, id: AccountPlanId): AccountPlan => {
  const { at, plan, ...rest } = fields
  const { months } = plans[plan]
  return {
    ...rest,
    id,
    account_id: AccountId.make(fields.account_id),
    plan,
    started_at: at,
    months_granted: 1,
    months_paid: months,
    ends_at: months === null ? null : monthsAfter(at, months),
    created_at: at,
    updated_at: at,
    version: 1
  }
}

/**
 * One that runs is prolonged, and gives its next credits when that month begins. Any other begins now, with the credits of its first month.
 * Undefined where there is nothing to buy.
 */
export const buy = (held: AccountPlan | undefined, paid: PaidPlan, ids: PlanStepIds): PlanDecision | undefined => {
  const { at, payment_intent_id, purchase_id } = paid
  if (held !== undefined && isActive(held, at)) {
    const { months } = plans[held.plan]
    if (held.months_paid === null || months === null) return undefined
    const months_paid = held.months_paid + months
    const ends_at = monthsAfter(held.started_at, months_paid)
    const plan = change(held, at, { months_paid, ends_at, purchase_id, payment_intent_id })
    return { plan, grant: undefined, ...nextMonth(plan) }
  }
  const fresh = begun(paid, held?.id ?? ids.plan)
  const plan = held === undefined
    ? fresh
    : { ...fresh, created_at: held.created_at, version: held.version + 1 }
  return { plan, grant: grantOf(plan, ids.grant, at), ...nextMonth(plan) }
}

/** The month that has begun; undefined while none has. One that was over before anybody looked gives nothing. */
export const month = (held: AccountPlan, id: CreditGrantId, at: DateTime.Utc): PlanDecision | undefined => {
  const due = nextMonth(held).set[0]?.due_at
  if (due === undefined || DateTime.isGreaterThan(due, at)) return undefined
  const plan = change(held, at, { months_granted: held.months_granted + 1 })
  const grant = grantOf(plan, id, at)
  const isOver = grant.expires_at !== null && DateTime.isLessThanOrEqualTo(grant.expires_at, at)
  return { plan, grant: isOver ? undefined : grant, ...nextMonth(plan) }
}

export const writesOf = ({ grant, plan }: PlanDecision): ReadonlyArray<Write> => [
  accountPlans.write(plan),
  ...(grant === undefined ? [] : [creditGrants.write(grant)])
]
