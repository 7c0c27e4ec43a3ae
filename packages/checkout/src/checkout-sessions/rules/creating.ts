/** How a checkout session is made: what it sells, at which price, and how long. Pure. */
import { AccountId } from "@svc/accounts/accounts/model"
import type { Plan } from "@svc/billing/plans/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import type { Sealed } from "@svc/platform/encryption/keyring"
import { DateTime, Duration, Result } from "effect"
import type { CheckoutSession, CheckoutSessionId, CreateCheckoutSessionRequest, LineItem } from "../model.ts"
import { EXPIRES } from "../model.ts"
import { type SessionDecision, timer } from "./decision.ts"

/** How long a session lives unless its request says. */
const DEFAULT_LIFE = Duration.hours(24)
const SHORTEST_LIFE = Duration.minutes(5)
const LONGEST_LIFE = Duration.days(30)

const invalid = (code: string, message: string) => new ValidationError({ code, message: `${code}: ${message}` })

const sumOf = (items: ReadonlyArray<LineItem>): bigint =>
  items.reduce((sum, { quantity, unit_amount }) => sum + BigInt(quantity) * BigInt(unit_amount), 0n)

/** What the session sells. */
type Offer = Pick<CheckoutSession, "amount" | "currency" | "line_items" | "plan_id">

const itemsOffer = ({ amount, currency, line_items, plan_id }: CreateCheckoutSessionRequest): Result.Result<Offer, ValidationError> => {
  if (plan_id != null) return Result.fail(invalid("plan_id", "belongs to mode subscription. Leave it out, or set mode to subscription"))
  if (currency === undefined) return Result.fail(invalid("currency", "is required in mode payment, for example EUR"))
  if (line_items === undefined) {
    return amount === undefined
      ? Result.fail(invalid("line_items", "is required in mode payment, or amount in its place"))
      : Result.succeed({ amount, currency, line_items: [], plan_id: null })
  }
  const sum = sumOf(line_items)
  if (sum < 1n || sum > BigInt(MAX_AMOUNT)) {
    return Result.fail(invalid("line_items", `the items come to ${sum} minor units, and a payment is of 1 to ${MAX_AMOUNT}`))
  }
  if (amount !== undefined && BigInt(amount) !== sum) {
    return Result.fail(invalid("amount", `the items come to ${sum} minor units. Leave amount out, or correct one of the two`))
  }
  return Result.succeed({ amount: Number(sum), currency, line_items, plan_id: null })
}

const planOffer = ({ amount, currency, line_items }: CreateCheckoutSessionRequest, plan: Plan): Result.Result<Offer, ValidationError> => {
  if (line_items !== undefined) {
    return Result.fail(invalid("line_items", "belongs to mode payment. In mode subscription the plan says what is sold"))
  }
  if (amount !== undefined && amount !== plan.amount) {
    return Result.fail(invalid("amount", `the plan costs ${plan.amount}. Leave it out: in mode subscription the plan says it`))
  }
  if (currency !== undefined && currency !== plan.currency) {
    return Result.fail(invalid("currency", `the plan is in ${plan.currency}. Leave it out: in mode subscription the plan says it`))
  }
  return Result.succeed({
    amount: plan.amount,
    currency: plan.currency,
    line_items: [{ name: plan.name, quantity: 1, unit_amount: plan.amount }],
    plan_id: plan.id
  })
}

const expiryOf = (requested: DateTime.Utc | undefined, at: DateTime.Utc): Result.Result<DateTime.Utc, ValidationError> => {
  if (requested === undefined) return Result.succeed(DateTime.addDuration(at, DEFAULT_LIFE))
  const tooSoon = DateTime.isLessThan(requested, DateTime.addDuration(at, SHORTEST_LIFE))
  return tooSoon || DateTime.isGreaterThan(requested, DateTime.addDuration(at, LONGEST_LIFE))
    ? Result.fail(invalid("expires_at", "must be from 5 minutes to 30 days ahead"))
    : Result.succeed(requested)
}

/** The parts of a new session that its request does not say. */
export interface NewSession {
  readonly id: CheckoutSessionId
  readonly account_id: string
  readonly url: string
  readonly secret: Sealed
  /** The plan that a session in mode subscription sells. */
  readonly plan: Plan | undefined
  readonly at: DateTime.Utc
}

export const create = (
  request: CreateCheckoutSessionRequest,
  { account_id, at, id, plan, secret, url }: NewSession
): Result.Result<SessionDecision, ValidationError> =>
  Result.gen(function*() {
    const offer = yield* plan === undefined ? itemsOffer(request) : planOffer(request, plan)
    const expires_at = yield* expiryOf(request.expires_at, at)
    const { cancel_url = null, customer_email = null, customer_id = null, locale = null, metadata = {}, mode, success_url = null } = request
    const session: CheckoutSession = {
      id,
      account_id: AccountId.make(account_id),
      url,
      secret,
      mode,
      status: "open",
      payment_status: "unpaid",
      ...offer,
      customer_id,
      customer_email,
      success_url,
      cancel_url,
      locale,
      payment_intent_id: null,
      subscription_id: null,
      metadata,
      expires_at,
      completed_at: null,
      tries: 0,
      trying: null,
      last_failure: null,
      abandoned_at: null,
      created_at: at,
      updated_at: at,
      version: 1
    }
    return { session, set: [{ ...timer(EXPIRES, session), due_at: expires_at }], clear: [] }
  })
