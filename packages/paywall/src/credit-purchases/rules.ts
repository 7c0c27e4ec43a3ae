/** What the steps of a purchase come to. */
import { change } from "@svc/kernel/resource/change"
import type { TimerDraft, TimerKey, Write } from "@svc/kernel/road/decision"
import type { AccountPlan } from "@svc/metering/account-plans/model"
import { buy as buyPlan, type PlanStepIds, writesOf } from "@svc/metering/account-plans/rules"
import { creditGrants } from "@svc/metering/credit-grants/model"
import { newGrant } from "@svc/metering/credit-grants/rules"
import type { SoldPlan } from "@svc/metering/plans/model"
import type { Cents } from "@svc/tool-kit/call"
import { DateTime, Duration } from "effect"
import { type CreditPurchase, type CreditPurchaseId, creditPurchases, DUE, type OpenCharge, type PaymentMeans } from "./model.ts"

/** How long a purchase, and the page of one, can be paid. */
export const OPEN_HOURS = 24

/** Cards that may be declined before it is over: a page is no place to try out stolen ones. */
export const MOST_CHARGES = 5

/** After this time without an outcome the charging worker counts as gone. Longer than a card, a chain or a timer's lease takes. */
const FINISHED_WITHIN = Duration.seconds(90)

const CREDITS_LAST_MONTHS = 12

/** When credits end that are paid for now. */
export const creditsEnd = (at: DateTime.Utc): DateTime.Utc => DateTime.add(at, { months: CREDITS_LAST_MONTHS })

/** What is bought, before anybody has paid. */
export interface NewPurchase {
  readonly id: CreditPurchaseId
  readonly account_id: string
  readonly amount: Cents
  readonly plan: SoldPlan | null
  readonly tool: string | null
  readonly pays_for: string | null
  readonly expires_at: DateTime.Utc
}

export interface PurchaseDecision {
  readonly purchase: CreditPurchase
  /** What else its commit writes: the grant, and the plan. */
  readonly besides: ReadonlyArray<Write>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

const timer = ({ id }: CreditPurchase): TimerKey => ({ kind: DUE, resource_id: id })
const waits = (purchase: CreditPurchase, due_at: DateTime.Utc): PurchaseDecision => ({
  purchase,
  besides: [],
  set: [{ ...timer(purchase), due_at }],
  clear: []
})
const ends = (
  purchase: CreditPurchase,
  timers: Pick<PurchaseDecision, "set" | "clear"> = { set: [], clear: [] },
  besides: ReadonlyArray<Write> = []
): PurchaseDecision => ({ purchase, besides, set: timers.set, clear: [timer(purchase), ...timers.clear] })

export const expiryFrom = (at: DateTime.Utc): DateTime.Utc => DateTime.add(at, { hours: OPEN_HOURS })

export const open = (wanted: NewPurchase, at: DateTime.Utc): PurchaseDecision => {
  const purchase: CreditPurchase = {
    ...wanted,
    currency: "USD",
    state: "open",
    charge: null,
    charges: 0,
    payment_intent_id: null,
    credit_grant_id: null,
    failure_reason: null,
    paid_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
  return waits(purchase, purchase.expires_at)
}

const charged = (purchase: CreditPurchase, means: PaymentMeans, final: boolean): CreditPurchase => {
  const charge: OpenCharge = { number: purchase.charges + 1, means, final }
  return { ...purchase, charge, charges: charge.number, failure_reason: null }
}

/** Opened and charged at once. `final`: a decline is its end. */
export const openCharged = (wanted: NewPurchase, means: PaymentMeans, at: DateTime.Utc, final: boolean): PurchaseDecision =>
  waits(charged(open(wanted, at).purchase, means, final), DateTime.addDuration(at, FINISHED_WITHIN))

export const isOver = ({ charge, expires_at, state }: Pick<CreditPurchase, "charge" | "expires_at" | "state">, at: DateTime.Utc): boolean =>
  state !== "open" || (charge === null && DateTime.isLessThanOrEqualTo(expires_at, at))

/** Undefined where it cannot be charged: it is over, or somebody is at it. */
export const charge = (purchase: CreditPurchase, means: PaymentMeans, at: DateTime.Utc): PurchaseDecision | undefined =>
  isOver(purchase, at) || purchase.charge !== null
    ? undefined
    : waits(change(charged(purchase, means, false), at, {}), DateTime.addDuration(at, FINISHED_WITHIN))

/** The money came. A plan that has meanwhile become one without an end gives its price in credits. */
export const pay = (
  purchase: CreditPurchase,
  payment_intent_id: string,
  held: AccountPlan | undefined,
  ids: PlanStepIds,
  at: DateTime.Utc
): PurchaseDecision => {
  const { account_id, amount, id, pays_for, plan } = purchase
  const paid = (credit_grant_id: string | null) =>
    change(purchase, at, { state: "paid", charge: null, payment_intent_id, credit_grant_id, paid_at: at })
  const bought = plan === null ? undefined : buyPlan(held, { account_id, plan, purchase_id: id, payment_intent_id, at }, ids)
  if (bought !== undefined) return ends(paid(bought.grant?.id ?? null), bought, writesOf(bought))
  const grant = newGrant({
    id: ids.grant,
    account_id,
    cents: amount,
    source: "purchase",
    payment_intent_id,
    purchase_id: id,
    pays_for,
    expires_at: creditsEnd(at)
  }, at)
  return ends(paid(grant.id), undefined, [creditGrants.write(grant)])
}

/** No money came, and none will from this charge. */
export const decline = (purchase: CreditPurchase, failure_reason: string, at: DateTime.Utc): PurchaseDecision => {
  const isLast = purchase.charge?.final === true || purchase.charges >= MOST_CHARGES
  const declined = change(purchase, at, { charge: null, failure_reason, ...(isLast ? { state: "failed" } : {}) })
  return isLast ? ends(declined) : waits(declined, declined.expires_at)
}

/** Undefined while it may be paid. */
export const expire = (purchase: CreditPurchase, at: DateTime.Utc): PurchaseDecision | undefined =>
  purchase.state === "open" && isOver(purchase, at) ? ends(change(purchase, at, { state: "expired" })) : undefined

export const writes = (
  { besides, purchase }: PurchaseDecision
): ReadonlyArray<Write> => [creditPurchases.write(purchase), ...besides]
