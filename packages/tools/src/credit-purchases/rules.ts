/** What the steps of a purchase come to. */
import type { TimerDraft, TimerKey, Write } from "@svc/kernel/road/decision"
import { DateTime, Duration } from "effect"
import { buy as buyPlan, type Ids, writesOf } from "../account-plans/rules.ts"
import type { AccountPlan } from "../account-plans/model.ts"
import type { Cents } from "../call.ts"
import { CreditGrant, creditGrants, encode as encodeGrant } from "../credit-grants/model.ts"
import type { SoldPlan } from "../plans.ts"
import { type Charge, CreditPurchase, type CreditPurchaseId, creditPurchases, DUE, encode, type Means } from "./model.ts"

/** How long a purchase, and the page of one, can be paid. */
export const OPEN_HOURS = 24

/** Cards that may be declined before it is over: a page is no place to try out stolen ones. */
export const MOST_CHARGES = 5

/** Whoever charges is gone when nothing has come of it by then. Longer than a card, a chain or a timer's lease takes. */
const FINISHED_WITHIN = Duration.seconds(90)

const CREDITS_LAST_MONTHS = 12

/** What is bought, before anybody has paid. */
export interface Wanted {
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
const waits = (purchase: CreditPurchase, due_at: DateTime.Utc): PurchaseDecision => ({ purchase, besides: [], set: [{ ...timer(purchase), due_at }], clear: [] })
const ends = (purchase: CreditPurchase, timers: Pick<PurchaseDecision, "set" | "clear"> = { set: [], clear: [] }, besides: ReadonlyArray<Write> = []): PurchaseDecision =>
  ({ purchase, besides, set: timers.set, clear: [timer(purchase), ...timers.clear] })

const next = (purchase: CreditPurchase, at: DateTime.Utc, changes: Partial<CreditPurchase>): CreditPurchase =>
  new CreditPurchase({ ...purchase, ...changes, updated_at: at, version: purchase.version + 1 }, { disableChecks: true })

export const expiryFrom = (at: DateTime.Utc): DateTime.Utc => DateTime.add(at, { hours: OPEN_HOURS })

export const open = (wanted: Wanted, at: DateTime.Utc): PurchaseDecision => {
  const purchase = new CreditPurchase({
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
  }, { disableChecks: true })
  return waits(purchase, purchase.expires_at)
}

const charged = (purchase: CreditPurchase, means: Means, final: boolean): CreditPurchase => {
  const charge: Charge = { number: purchase.charges + 1, means, final }
  return new CreditPurchase({ ...purchase, charge, charges: charge.number, failure_reason: null }, { disableChecks: true })
}

/** Opened and charged at once. `final`: a decline is its end. */
export const openCharged = (wanted: Wanted, means: Means, at: DateTime.Utc, final: boolean): PurchaseDecision =>
  waits(charged(open(wanted, at).purchase, means, final), DateTime.addDuration(at, FINISHED_WITHIN))

export const isOver = ({ charge, expires_at, state }: Pick<CreditPurchase, "charge" | "expires_at" | "state">, at: DateTime.Utc): boolean =>
  state !== "open" || (charge === null && DateTime.isLessThanOrEqualTo(expires_at, at))

/** Undefined where it cannot be charged: it is over, or somebody is at it. */
export const charge = (purchase: CreditPurchase, means: Means, at: DateTime.Utc): PurchaseDecision | undefined =>
  isOver(purchase, at) || purchase.charge !== null
    ? undefined
    : waits(next(charged(purchase, means, false), at, {}), DateTime.addDuration(at, FINISHED_WITHIN))

/** The money came. A plan that has meanwhile become one without an end gives its price in credits. */
export const pay = (purchase: CreditPurchase, payment_intent_id: string, held: AccountPlan | undefined, ids: Ids, at: DateTime.Utc): PurchaseDecision => {
  const { account_id, amount, id, pays_for, plan } = purchase
  const paid = (credit_grant_id: string | null) => next(purchase, at, { state: "paid", charge: null, payment_intent_id, credit_grant_id, paid_at: at })
  const bought = plan === null ? undefined : buyPlan(held, { account_id, plan, purchase_id: id, payment_intent_id, at }, ids)
  if (bought !== undefined) return ends(paid(bought.grant?.id ?? null), bought, writesOf(bought))
  const grant = new CreditGrant({
    id: ids.grant,
    account_id,
    cents: amount,
    source: "purchase",
    payment_intent_id,
    purchase_id: id,
    pays_for,
    expires_at: DateTime.add(at, { months: CREDITS_LAST_MONTHS }),
    created_at: at,
    updated_at: at,
    version: 1
  }, { disableChecks: true })
  return ends(paid(grant.id), undefined, [{ table: creditGrants, row: encodeGrant(grant).row }])
}

/** No money came, and none will from this charge. */
export const decline = (purchase: CreditPurchase, failure_reason: string, at: DateTime.Utc): PurchaseDecision => {
  const isLast = purchase.charge?.final === true || purchase.charges >= MOST_CHARGES
  const declined = next(purchase, at, { charge: null, failure_reason, ...(isLast ? { state: "failed" } : {}) })
  return isLast ? ends(declined) : waits(declined, declined.expires_at)
}

/** Undefined while it may be paid. */
export const expire = (purchase: CreditPurchase, at: DateTime.Utc): PurchaseDecision | undefined =>
  purchase.state === "open" && isOver(purchase, at) ? ends(next(purchase, at, { state: "expired" })) : undefined

export const writes = ({ besides, purchase }: PurchaseDecision): ReadonlyArray<Write> => [{ table: creditPurchases, row: encode(purchase).row }, ...besides]
