/**
 * The world in which a history of a subscription is played: the real services on a real database, a card that behaves as the history
 * says, and a clock of its own for each history, so that many are played beside each other.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { DunningPreset } from "@svc/accounts/accounts/settings"
import { type BillingCycle, effectiveCharge } from "@svc/billing/billing-cycles/model"
import { BillingCycleRepository } from "@svc/billing/billing-cycles/repository"
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { Customers } from "@svc/billing/customers/service"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { BillingPeriod } from "@svc/billing/plans/model"
import { Plans } from "@svc/billing/plans/service"
import { ProrationBehavior } from "@svc/billing/subscriptions/model"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { PlanChanges } from "@svc/billing/subscriptions/service/plan-change"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { standingAt } from "@svc/kernel/values/time"
import { Disputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { DeclineCode } from "@svc/payments/rails/model"
import { Rails } from "@svc/payments/rails/rail"
import { DateTime, Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { HistoryQuestion, Operation } from "../oracle/histories.ts"
import { replacing } from "../replacing.ts"

/** The metadata by which the rail knows the history that a payment belongs to. */
const HISTORY = "history"
const CUSTOMER = "customer-1"

/** What the card of each history says to a charge: the code of a decline, or nothing. */
export type Cards = Map<string, typeof DeclineCode.Type>

/** The simulator, with cards that change their mind. */
export const railsOf = (cards: Cards) =>
  replacing(Rails, ({ all }) =>
    Rails.these(all.map((rail) => ({
      ...rail,
      authorize: (request) => {
        const code = cards.get(request.metadata[HISTORY] ?? "")
        return code === undefined ? rail.authorize(request) : Effect.succeed({ _tag: "Declined", code })
      }
    }))))

const idOf = (body: string): string => Schema.decodeSync(fromJsonText(Schema.Struct({ id: Schema.String })))(body).id
const keyed = (operation: string) => ({ key: IdempotencyKey.make(randomUUID()), operation, fingerprint: "0".repeat(64) })

/** Fields of operations, of which each has some. */
const Fields = Schema.Struct({
  plan: Schema.optionalKey(Schema.String),
  behavior: Schema.optionalKey(ProrationBehavior),
  anchor: Schema.optionalKey(Schema.Int),
  cycle: Schema.optionalKey(Schema.Int),
  amount: Schema.optionalKey(Schema.Int),
  reverse_credit: Schema.optionalKey(Schema.Boolean),
  new: Schema.optionalKey(Schema.Boolean),
  declines: Schema.optionalKey(Schema.NullOr(DeclineCode)),
  new_period: Schema.optionalKey(Schema.Boolean),
  at_period_end: Schema.optionalKey(Schema.Boolean),
  keep_collecting: Schema.optionalKey(Schema.Boolean),
  success: Schema.optionalKey(Schema.Boolean),
  elsewhere: Schema.optionalKey(Schema.Boolean),
  tries_ms: Schema.optionalKey(Schema.Array(Schema.Int)),
  outcome: Schema.optionalKey(Schema.Literals(["won", "lost", "accepted", "expired"]))
})
const readFields = Schema.decodeUnknownSync(Fields)
const isPeriod = Schema.is(BillingPeriod)

/** A subscription in its account, with the plans of its history by name. */
export interface Stage {
  readonly name: string
  readonly account: AccountFacts
  readonly plans: ReadonlyMap<string, string>
  readonly time_zone: string
  readonly cards: Cards
  subscription: string
  /** Charges that differed from their preview. */
  readonly surprises: Array<string>
}

const DAY = 86_400_000

/** The setting of an account whose tries are those: `derived` with the usual grace of three days, else the days between them. */
const dunningOf = (tries: ReadonlyArray<number>): DunningPreset => {
  const between = tries.slice(1).map((at, n) => (at - (tries[n] ?? 0)) / DAY)
  return between.join() === "1,1,1"
    ? "derived"
    : between.join() === "2,5,7,7"
    ? "polar21"
    : between.join() === "2,2,2,2,2,2,2"
    ? "stripe14"
    : between
}

export const open = Effect.fnUntraced(
  function*(
    name: string,
    { on_exhaustion, operations, plans, time_zone, tries_ms = [0, DAY, 2 * DAY, 3 * DAY] }: HistoryQuestion,
    cards: Cards
  ) {
    const [accounts, sold, methods, customers] = [yield* Accounts, yield* Plans, yield* PaymentMethods, yield* Customers]
    const begins = DateTime.makeUnsafe(operations[0]?.at ?? 0)
    return yield* standingAt(begins.epochMilliseconds)(Effect.gen(function*() {
      const { account } = yield* accounts.create({ name: "Acme", sandbox: true })
      const settings = { billing: { ...account.settings.billing, on_exhaustion, dunning: dunningOf(tries_ms) } }
      const facts: AccountFacts = yield* accounts.update(AccountId.make(account.id), { settings })
      const named = new Map<string, string>()
      for (const [plan, { amount, period, trial_days }] of Object.entries(plans)) {
        if (!isPeriod(period)) throw new RangeError(`${period} is no period`)
        const id = idOf(
          (yield* sold.create(facts, { name: plan, amount, currency: "USD", billing_period: period, trial_period_days: trial_days })).body
        )
        yield* sold.activate(facts.id, id)
        named.set(plan, id)
      }
      const { body } = yield* methods.create(facts, { type: "card", token: "tok_visa", customer_id: CUSTOMER })
      yield* customers.update(facts.id, CUSTOMER, { default_payment_method_id: idOf(body) })
      const stage: Stage = { name, account: facts, plans: named, time_zone, cards, subscription: "", surprises: [] }
      return stage
    }))
  }
)

export const cyclesOf = Effect.fnUntraced(
  function*({ account, subscription }: Stage): Effect.fn.Return<ReadonlyArray<BillingCycle>, never, BillingCycleRepository> {
    const { data } = yield* (yield* BillingCycleRepository).list(account.id, { subscription_id: subscription }, { page: 1, per_page: 100 })
    return data.toReversed()
  }
)

/** Runs what falls due up to a moment, each at its own. */
export const pass = ({ account }: Stage, to: number) => runDue(DateTime.makeUnsafe(to), { account_id: account.id })

const change = Effect.fnUntraced(function*(stage: Stage, plan_id: string, proration_behavior: typeof ProrationBehavior.Type) {
  const { account, subscription: id } = stage
  const [changes, planChanges] = [yield* SubscriptionChanges, yield* PlanChanges]
  const before = yield* cyclesOf(stage)
  const shown = yield* changes.preview({ account, id }, { plan_id, proration_behavior })
  const request = { plan_id, proration_behavior, proration_at: shown.proration_at, version: shown.version }
  const { status } = yield* planChanges.change({ account, id, keyed: keyed("subscription.change_plan"), request })
  const made = (yield* cyclesOf(stage)).slice(before.length)
  const charged = made.reduce((sum, { captured_amount }) => sum + captured_amount, 0)
  if (status === 200 && charged !== shown.amount_due_now) {
    stage.surprises.push(`a change was shown as ${shown.amount_due_now} and charged ${charged}`)
  }
})

const newCard = Effect.fnUntraced(function*({ account }: Stage) {
  const [methods, customers] = [yield* PaymentMethods, yield* Customers]
  const { body } = yield* methods.create(account, { type: "card", token: "tok_mastercard", customer_id: CUSTOMER })
  yield* customers.update(account.id, CUSTOMER, { default_payment_method_id: idOf(body) })
})

const refund = Effect.fnUntraced(function*(stage: Stage, { amount, cycle = 0, reverse_credit = false }: typeof Fields.Type) {
  const intent = (yield* cyclesOf(stage))[cycle]?.payment_intent_id
  if (intent === undefined || intent === null) return yield* Effect.fail("there is nothing to refund")
  const payload = { reverse_credit, ...(amount === undefined ? {} : { amount }) }
  return yield* (yield* PaymentIntents).refund({ account: stage.account, id: intent, keyed: keyed("payment_intent.refund"), payload })
})

/** The bank reports it, and the merchant answers at once: five days later it is won. What is not answered expires. */
const dispute = Effect.fnUntraced(function*(stage: Stage, { amount = 0, cycle = 0, outcome }: typeof Fields.Type) {
  const { account } = stage
  const [disputes, intent] = [yield* Disputes, (yield* cyclesOf(stage))[cycle]?.payment_intent_id]
  if (intent === undefined || intent === null) return yield* Effect.fail("there is nothing to dispute")
  const id = idOf(
    (yield* disputes.simulate({ account, keyed: keyed("dispute.simulate"), payload: { payment_intent_id: intent, amount } })).body
  )
  if (outcome === "accepted") yield* disputes.accept({ account, id, keyed: keyed("dispute.accept"), payload: {} })
  if (outcome === "won" || outcome === "lost") {
    const evidence = outcome === "won" ? { other: "It was delivered" } : { other: "losing_evidence" }
    yield* disputes.submit({ account, id, keyed: keyed("dispute.submit"), payload: evidence })
  }
})

/** A merchant's own reference of a payment that the account knows nothing of. */
export const ELSEWHERE = "elsewhere-"

/** A captured payment of so much, on a card of somebody else. */
const payment = Effect.fnUntraced(function*({ account }: Stage, amount: number) {
  const intents = yield* PaymentIntents
  const id = idOf((yield* intents.create({ account, keyed: keyed("payment_intent.create"), payload: { amount, currency: "USD" } })).body)
  yield* intents.authorize({
    account,
    id,
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id: "tok_visa", capture: true }
  })
  return id
})

const record = Effect.fnUntraced(function*(stage: Stage, { cycle = 0, elsewhere = false, success = false }: typeof Fields.Type) {
  const found = (yield* cyclesOf(stage)).at(cycle)
  if (found === undefined) return yield* Effect.fail("there is no such cycle")
  const isOpen = found.status === "pending" || found.status === "failed"
  const reference = success && isOpen && !elsewhere
    ? { payment_intent_id: yield* payment(stage, effectiveCharge(found)) }
    : { external_reference: `${ELSEWHERE}${randomUUID()}` }
  return yield* (yield* BillingCycles).recordChargeResult(stage.account.id, found.id, { success, ...reference })
})

/** By the invoice of the cycle, with the card of the customer. */
const chargeNow = Effect.fnUntraced(function*(stage: Stage, { cycle = 0 }: typeof Fields.Type) {
  const invoice = (yield* cyclesOf(stage)).at(cycle)?.invoice_id ?? null
  return invoice === null ? yield* Effect.fail("there is no such cycle") : yield* (yield* Invoices).pay(stage.account, invoice, {})
})

const subscribe = Effect.fnUntraced(function*(stage: Stage, plan_id: string) {
  const payload = { plan_id, customer_id: CUSTOMER, time_zone: stage.time_zone, metadata: { [HISTORY]: stage.name } }
  stage.subscription = idOf(
    (yield* (yield* Subscriptions).create({ account: stage.account, keyed: keyed("subscription.create"), payload })).body
  )
})

/** Carries an operation out. Fails with the refusal where the services refuse it. */
const carryOut = Effect.fnUntraced(function*(stage: Stage, operation: Operation) {
  const { anchor = 0, at_period_end = false, behavior = "next_cycle", keep_collecting = false, new_period = false, plan = "", ...fields } =
    readFields(operation)
  const which = { account: stage.account, id: stage.subscription }
  const changes = yield* SubscriptionChanges
  switch (operation.do) {
    case "create":
      return yield* subscribe(stage, stage.plans.get(plan) ?? "")
    case "card": {
      if (fields.declines === undefined || fields.declines === null) stage.cards.delete(stage.name)
      else stage.cards.set(stage.name, fields.declines)
      return yield* fields.new === true ? newCard(stage) : Effect.void
    }
    case "charge_now":
      return yield* chargeNow(stage, fields)
    case "record":
      return yield* record(stage, fields)
    case "dunning": {
      const accounts = yield* Accounts
      const { settings: { billing } } = yield* accounts.get(AccountId.make(stage.account.id))
      return yield* accounts.update(AccountId.make(stage.account.id), {
        settings: { billing: { ...billing, dunning: dunningOf(fields.tries_ms ?? []) } }
      })
    }
    case "change_plan":
      return yield* change(stage, stage.plans.get(plan) ?? "", behavior)
    case "change_anchor":
      return yield* changes.changeAnchor(which, { anchor: DateTime.makeUnsafe(anchor) })
    case "refund":
      return yield* refund(stage, fields)
    case "dispute":
      return yield* dispute(stage, fields)
    case "pause":
      return yield* changes.pause(which)
    case "resume":
      return yield* changes.resume(which, new_period)
    case "cancel":
      return yield* changes.cancel(which, { reason: "customer_request", ...(at_period_end ? { at_period_end, keep_collecting } : {}) })
    case "uncancel":
      return yield* changes.uncancel(which)
    default:
      return yield* Effect.die(new RangeError(`nobody knows how to ${operation.do}`))
  }
})

/** What is due runs first, at its moments; then the operation at its own, and what it set for that very moment. Whether it was refused. */
export const operate = Effect.fnUntraced(function*(stage: Stage, operation: Operation) {
  yield* pass(stage, operation.at)
  const outcome = yield* Effect.result(standingAt(operation.at)(carryOut(stage, operation)))
  yield* pass(stage, operation.at)
  return outcome._tag === "Failure"
})
