/** How a checkout session changes. Pure: values in, a decision or a refusal out. */
import type { Sealed } from "@svc/kernel/encryption/keyring"
import { AccountId } from "@svc/accounts/accounts/model"
import type { Plan } from "@svc/billing/plans/model"
import { InvalidState, ValidationError } from "@svc/kernel/errors"
import { MAX_AMOUNT } from "@svc/kernel/money"
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { triggersFrom } from "@svc/kernel/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { DateTime, Duration, Result } from "effect"
import { NotPayable } from "./errors.ts"
import { checkoutSessionMachine } from "./machine.ts"
import { ABANDONED, CheckoutSession, type CheckoutSessionEvent, type CheckoutSessionId, type CreateCheckoutSessionRequest, EXPIRES, type LineItem, RESUME } from "./model.ts"

/** What a step of a session comes to. */
export interface SessionDecision {
  readonly session: CheckoutSession
  readonly event?: CheckoutSessionEvent
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** How long a session lives unless its maker says. */
const USUAL_LIFE = Duration.hours(24)
const SHORTEST_LIFE = Duration.minutes(5)
const LONGEST_LIFE = Duration.days(30)

/** Since the last sign of the customer. */
export const ABANDONED_AFTER = Duration.minutes(30)

/** After which a payment that was announced, and of which nothing was heard, is taken up by a timer. Longer than a request may run. */
const RESUMED_AFTER = Duration.minutes(1)

const invalid = (code: string, message: string) => new ValidationError({ code, message: `${code}: ${message}` })

const sumOf = (items: ReadonlyArray<LineItem>): bigint => items.reduce((sum, { quantity, unit_amount }) => sum + BigInt(quantity) * BigInt(unit_amount), 0n)

type Sold = Pick<CheckoutSession, "amount" | "currency" | "line_items" | "plan_id">

const itemsSold = ({ amount, currency, line_items, plan_id }: CreateCheckoutSessionRequest): Result.Result<Sold, ValidationError> => {
  if (plan_id != null) return Result.fail(invalid("plan_id", "belongs to mode subscription. Leave it out, or set mode to subscription"))
  if (currency === undefined) return Result.fail(invalid("currency", "is required in mode payment, for example EUR"))
  if (line_items === undefined) {
    return amount === undefined
      ? Result.fail(invalid("line_items", "is required in mode payment, or amount in its place"))
      : Result.succeed({ amount, currency, line_items: [], plan_id: null })
  }
  const sum = sumOf(line_items)
  if (sum < 1n || sum > BigInt(MAX_AMOUNT)) return Result.fail(invalid("line_items", `the items come to ${sum} minor units, and a payment is of 1 to ${MAX_AMOUNT}`))
  if (amount !== undefined && BigInt(amount) !== sum) return Result.fail(invalid("amount", `the items come to ${sum} minor units. Leave amount out, or correct one of the two`))
  return Result.succeed({ amount: Number(sum), currency, line_items, plan_id: null })
}

const planSold = ({ amount, currency, line_items }: CreateCheckoutSessionRequest, plan: Plan): Result.Result<Sold, ValidationError> => {
  if (line_items !== undefined) return Result.fail(invalid("line_items", "belongs to mode payment. In mode subscription the plan says what is sold"))
  if (amount !== undefined && amount !== plan.amount) return Result.fail(invalid("amount", `the plan costs ${plan.amount}. Leave it out: in mode subscription the plan says it`))
  if (currency !== undefined && currency !== plan.currency) return Result.fail(invalid("currency", `the plan is in ${plan.currency}. Leave it out: in mode subscription the plan says it`))
  return Result.succeed({ amount: plan.amount, currency: plan.currency, line_items: [{ name: plan.name, quantity: 1, unit_amount: plan.amount }], plan_id: plan.id })
}

const endOf = (asked: DateTime.Utc | undefined, at: DateTime.Utc): Result.Result<DateTime.Utc, ValidationError> => {
  if (asked === undefined) return Result.succeed(DateTime.addDuration(at, USUAL_LIFE))
  const tooSoon = DateTime.isLessThan(asked, DateTime.addDuration(at, SHORTEST_LIFE))
  return tooSoon || DateTime.isGreaterThan(asked, DateTime.addDuration(at, LONGEST_LIFE))
    ? Result.fail(invalid("expires_at", "must be from 5 minutes to 30 days ahead"))
    : Result.succeed(asked)
}

/** What a new session is made of, besides the request. */
export interface Making {
  readonly id: CheckoutSessionId
  readonly account_id: string
  readonly url: string
  readonly secret: Sealed
  /** In mode subscription. */
  readonly plan: Plan | undefined
  readonly at: DateTime.Utc
}

const timer = (kind: string, { id }: Pick<CheckoutSession, "id">): TimerKey => ({ kind, resource_id: id })
const timers = (session: CheckoutSession) => [timer(EXPIRES, session), timer(ABANDONED, session), timer(RESUME, session)]

export const create = (request: CreateCheckoutSessionRequest, { account_id, at, id, plan, secret, url }: Making): Result.Result<SessionDecision, ValidationError> =>
  Result.gen(function*() {
    const sold = yield* plan === undefined ? itemsSold(request) : planSold(request, plan)
    const expires_at = yield* endOf(request.expires_at, at)
    const { cancel_url = null, customer_email = null, customer_id = null, locale = null, metadata = {}, mode, success_url = null } = request
    const session = new CheckoutSession({
      id,
      account_id: AccountId.make(account_id),
      url,
      secret,
      mode,
      status: "open",
      payment_status: "unpaid",
      ...sold,
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
    })
    return { session, set: [{ ...timer(EXPIRES, session), due_at: expires_at }], clear: [] }
  })

const change = (session: CheckoutSession, at: DateTime.Utc, changes: Partial<CheckoutSession>): CheckoutSession =>
  new CheckoutSession({ ...session, ...changes, updated_at: at, version: session.version + 1 }, { disableChecks: true })

/** The timer that a visit sets anew; none when the page was left before, or nothing is left to do. */
export const visited = ({ abandoned_at, id, payment_status, status }: CheckoutSession, at: DateTime.Utc): TimerDraft | undefined =>
  status === "open" && payment_status === "unpaid" && abandoned_at === null ? { kind: ABANDONED, resource_id: id, due_at: DateTime.addDuration(at, ABANDONED_AFTER) } : undefined

/** What the customer sends. */
export interface Paying {
  /** Which try the page offered: 1 for the first. */
  readonly number: number
  readonly payment_method_id: string
  /** As the customer wrote it, where the merchant has not said it. */
  readonly customer_email: string | undefined
}

/** Announces a payment. From here on no other can be made until it is known what became of it. */
export const begin = (session: CheckoutSession, { customer_email, number, payment_method_id }: Paying, at: DateTime.Utc): Result.Result<SessionDecision, NotPayable> => {
  if (session.status !== "open" || session.payment_status !== "unpaid") return Result.fail(new NotPayable({ message: `the session is ${session.status} and ${session.payment_status}` }))
  if (number !== session.tries + 1) return Result.fail(new NotPayable({ message: `try ${number} was made before` }))
  if (DateTime.isLessThanOrEqualTo(session.expires_at, at)) return Result.fail(new NotPayable({ message: "the time of the session is over" }))
  const next = change(session, at, {
    payment_status: "processing",
    tries: number,
    trying: { payment_method_id, started_at: at },
    last_failure: null,
    payment_intent_id: null,
    customer_email: session.customer_email ?? customer_email ?? null
  })
  return Result.succeed({ session: next, set: [{ ...timer(RESUME, next), due_at: DateTime.addDuration(at, RESUMED_AFTER) }], clear: [timer(ABANDONED, next)] })
}

/** What came of it. */
export interface Bought {
  readonly payment_intent_id: string | null
  readonly subscription_id: string | null
}

/** The longest time until one that waits is looked at again. */
const LOOKED_AT_WITHIN = Duration.hours(1)

/** When one that waits is looked at next: as long from now as it has waited, a minute at least and an hour at most. */
const nextLook = ({ id, trying }: CheckoutSession, at: DateTime.Utc): TimerDraft => {
  const waited = trying === null ? Duration.zero : DateTime.distance(trying.started_at, at)
  return { kind: RESUME, resource_id: id, due_at: DateTime.addDuration(at, Duration.clamp(waited, { minimum: RESUMED_AFTER, maximum: LOOKED_AT_WITHIN })) }
}

/**
 * The payment was made, and waits: for its customer, or for the rail. That of a session tells its end in its own commit; the first one of a
 * subscription is looked at again. Undefined when all of that is known already.
 */
export const noted = (session: CheckoutSession, { payment_intent_id, subscription_id }: Bought, at: DateTime.Utc): SessionDecision | undefined => {
  const { mode, payment_status, trying } = session
  if (payment_status !== "processing") return undefined
  const known = session.payment_intent_id === payment_intent_id && session.subscription_id === subscription_id
  if (mode === "payment") return known && trying === null ? undefined : { session: change(session, at, { payment_intent_id, trying: null }), set: [], clear: [timer(RESUME, session)] }
  return known ? undefined : { session: change(session, at, { payment_intent_id, subscription_id }), set: [nextLook(session, at)], clear: [] }
}

/** Nothing is known yet of the first payment of a subscription. Undefined where something is. */
export const lookLater = (session: CheckoutSession, at: DateTime.Utc): SessionDecision | undefined =>
  session.payment_status !== "processing" || session.trying === null ? undefined : { session: change(session, at, {}), set: [nextLook(session, at)], clear: [] }

/** The money is there, or the trial has begun. Undefined when it was told before. */
export const complete = (session: CheckoutSession, { payment_intent_id, subscription_id }: Bought, at: DateTime.Utc): SessionDecision | undefined => {
  if (session.status !== "open") return undefined
  const done = change(session, at, { status: "complete", payment_status: "paid", payment_intent_id, subscription_id, trying: null, last_failure: null, completed_at: at })
  return { session: done, event: "completed", set: [], clear: timers(done) }
}

/** A try came to nothing, and another may be made. Undefined when none was under way. */
export const fail = (session: CheckoutSession, reason: string, payment_intent_id: string | null, at: DateTime.Utc): SessionDecision | undefined => {
  if (session.status !== "open" || session.payment_status !== "processing") return undefined
  const next = change(session, at, { payment_status: "unpaid", trying: null, last_failure: reason, payment_intent_id: payment_intent_id ?? session.payment_intent_id, subscription_id: null })
  const again = visited(next, at)
  // Its time may have run out while it was under way.
  return { session: next, set: [{ ...timer(EXPIRES, next), due_at: DateTime.max(next.expires_at, at) }, ...again === undefined ? [] : [again]], clear: [timer(RESUME, next)] }
}

const expired = (session: CheckoutSession, at: DateTime.Utc): SessionDecision => {
  const next = change(session, at, { status: "expired", trying: null })
  return { session: next, event: "expired", set: [], clear: timers(next) }
}

/** By a request of the merchant. */
export const expire = (session: CheckoutSession, at: DateTime.Utc): Result.Result<SessionDecision, InvalidState | PaymentInFlight> => {
  if (session.status !== "open") {
    return Result.fail(new InvalidState({
      message: `Cannot expire a checkout session that is ${session.status}: only an open one can expire.`,
      details: { state: session.status, allowed: triggersFrom(checkoutSessionMachine, session.status) }
    }))
  }
  return session.payment_status === "processing"
    ? Result.fail(new PaymentInFlight({ message: "A payment of this session is under way. Wait until it is known what became of it: its webhook tells.", details: { retry_after: 2, state: session.status, operation: "expire" } }))
    : Result.succeed(expired(session, at))
}

/** Its time is over. Undefined where a payment is under way, after which it is due again, or nothing is left to do. */
export const endOfTime = (session: CheckoutSession, at: DateTime.Utc): SessionDecision | undefined =>
  session.status === "open" && session.payment_status === "unpaid" && DateTime.isLessThanOrEqualTo(session.expires_at, at) ? expired(session, at) : undefined

/** The customer has left: told once, and the session stays open. */
export const abandon = (session: CheckoutSession, at: DateTime.Utc): SessionDecision | undefined =>
  visited(session, at) === undefined ? undefined : { session: change(session, at, { abandoned_at: at }), event: "abandoned", set: [], clear: [timer(ABANDONED, session)] }
