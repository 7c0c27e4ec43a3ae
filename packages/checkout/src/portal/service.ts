/** What a customer sees and does in the portal. Whether it may be done is asked here, once, whoever asks: a page, or whoever posts what no page offers. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { PortalAction } from "@svc/accounts/accounts/settings"
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { BillingCycleRepository } from "@svc/billing/billing-cycles/repository"
import { Customers } from "@svc/billing/customers/service"
import { InvoiceRepository } from "@svc/billing/invoices/repository"
import { Plans } from "@svc/billing/plans/service"
import type { Plan } from "@svc/billing/plans/model"
import type { Subscription } from "@svc/billing/subscriptions/model"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { PlanChanges } from "@svc/billing/subscriptions/service/plan-change"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { notFound } from "@svc/kernel/errors"
import { fromJsonText } from "@svc/kernel/json"
import { now } from "@svc/kernel/time"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { keyOf } from "../keys.ts"
import { isPayable } from "../owed/model.ts"
import { makeOwing } from "../owed/service.ts"
import { PORTAL_ORIGIN, type PortalSession } from "../portal-sessions/model.ts"
import { isOpen } from "../portal-sessions/rules.ts"
import { notAllowed, sessionOver, Unusable } from "./errors.ts"
import type { Billed, Held, Kept, OwedFor, Previewed, Verb } from "./model.ts"
import * as rules from "./rules.ts"
import { isExpired } from "./words.ts"

/** For whom it is done: the session, and what its account allows. */
export interface Guest {
  readonly session: PortalSession
  readonly account: AccountFacts
}

/** A change as it was previewed. */
export interface Confirmed {
  readonly plan_id: string
  readonly proration_at: DateTime.Utc
  readonly version: number
}

/** More subscriptions than this a page does not show. */
const MOST = 50
const INVOICES = 20

const decodeDecline = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ decline_code: Schema.String })))
const decodeId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

const make = Effect.gen(function*() {
  const [billingCycles, cycles, changes, customers] = [yield* BillingCycles, yield* BillingCycleRepository, yield* SubscriptionChanges, yield* Customers]
  const { charge, owedOf } = yield* makeOwing
  const [invoices, methods, planChanges] = [yield* InvoiceRepository, yield* PaymentMethods, yield* PlanChanges]
  const [plans, subscriptions] = [yield* Plans, yield* Subscriptions]

  const open = Effect.fnUntraced(function*({ session }: Guest) {
    if (!isOpen(session, yield* now)) return yield* sessionOver()
  })

  /** Whether the account lets customers do it, and the session still does. */
  const may = Effect.fnUntraced(function*(guest: Guest, action: PortalAction) {
    yield* open(guest)
    if (!rules.isAllowed(guest.account.settings.portal_settings, action)) return yield* notAllowed(action.replaceAll("_", " "))
  })

  const planOf = (account: string, id: string) => Effect.orDie(plans.get(account, id))

  /** The method that is charged for the subscription; undefined where there is none, or a test token. */
  const methodOf = Effect.fnUntraced(function*(account: string, { customer_id, payment_method_id }: Subscription) {
    const id = payment_method_id ?? (yield* customers.find(account, customer_id))?.default_payment_method_id
    return id == null ? undefined : yield* Effect.catch(methods.get(account, id), () => Effect.succeed(undefined))
  })

  const heldOf = Effect.fnUntraced(function*({ account }: Guest, subscription: Subscription): Effect.fn.Return<Held> {
    const { pending_change, plan_id, status } = subscription
    const open = status === "past_due" ? (yield* cycles.pendingOf(account.id, subscription.id))[0] : undefined
    return {
      subscription,
      plan: yield* planOf(account.id, plan_id),
      pending: pending_change === null ? undefined : yield* planOf(account.id, pending_change.plan_id),
      method: yield* methodOf(account.id, subscription),
      owed: open === undefined ? undefined : yield* owedOf(account.id, open),
      offered: rules.offered(account.settings.portal_settings, subscription)
    }
  })

  /** The subscription, if it is this customer's. What is somebody else's is as if it were not there. */
  const own = Effect.fnUntraced(function*(guest: Guest, id: string) {
    const { account, session } = guest
    const subscription = yield* subscriptions.get(account.id, id)
    return subscription.customer_id === session.customer_id ? subscription : yield* notFound("subscription")
  })

  const subscription = Effect.fn("Portal.subscription")(function*(guest: Guest, id: string) {
    yield* open(guest)
    return yield* heldOf(guest, yield* own(guest, id))
  })

  const all = Effect.fn("Portal.subscriptions")(function*(guest: Guest) {
    yield* open(guest)
    const { account, session } = guest
    const { data } = yield* subscriptions.list(account.id, { customer_id: session.customer_id }, { page: 1, per_page: MOST })
    // Those that have ended come last. One whose first payment was declined never began: nobody is shown what came of a card that did not work.
    const begun = data.filter(({ first_paid_at, status, trial_end }) => status !== "canceled" || first_paid_at !== null || trial_end !== null)
    const sorted = begun.toSorted((one, other) => Number(one.status === "canceled") - Number(other.status === "canceled"))
    return yield* Effect.forEach(sorted, (one) => heldOf(guest, one))
  })

  /** For a verb of a subscription: allowed by the account, the customer's own, and offered as it stands. */
  const doing = Effect.fnUntraced(function*(guest: Guest, id: string, verb: Verb) {
    yield* may(guest, rules.actionOf[verb])
    return yield* own(guest, id)
  })

  const act = Effect.fn("Portal.act")(function*(guest: Guest, id: string, verb: Exclude<Verb, "change_plan">) {
    const found = yield* doing(guest, id, verb)
    const which = { account: guest.account, id: found.id }
    // Done already, by the first of two clicks.
    if (verb === "cancel" && found.cancel_at_end) return
    if (verb === "uncancel" && !found.cancel_at_end) return
    if (verb === "pause" && found.status === "paused") return
    if (verb === "resume" && found.status !== "paused") return
    if (!rules.offered(guest.account.settings.portal_settings, found).includes(verb)) return yield* notAllowed(`${verb} this subscription`)
    switch (verb) {
      case "cancel":
        return void (yield* changes.cancel(which, { reason: "customer_request", at_period_end: true }))
      case "uncancel":
        return void (yield* changes.uncancel(which))
      case "pause":
        return void (yield* changes.pause(which))
      case "resume":
        return void (yield* changes.resume(which))
    }
  })

  const asking = Effect.fn("Portal.asking")(function*(guest: Guest, id: string, verb: Verb) {
    const held = yield* heldOf(guest, yield* doing(guest, id, verb))
    return held.offered.includes(verb) ? held : yield* notAllowed(`${verb.replaceAll("_", " ")} this subscription`)
  })

  const choices = Effect.fn("Portal.choices")(function*(guest: Guest, id: string) {
    const held = yield* asking(guest, id, "change_plan")
    const { account } = guest
    const { data } = yield* plans.list(account.id, { status: "active", currency: held.subscription.currency }, { page: 1, per_page: 100 })
    const offered = data.filter((plan) => rules.mayChoose(account.settings.portal_settings, held.subscription, plan))
    return { held, plans: offered.toSorted((one, other) => one.amount - other.amount) }
  })

  /** The plan that a change leads to: the present one undoes what is pending. */
  const chosen = Effect.fnUntraced(function*({ account }: Guest, { plan, pending, subscription }: Held, id: string): Effect.fn.Return<Plan, ReturnType<typeof notAllowed>> {
    if (id === plan.id && pending !== undefined) return plan
    const to = yield* Effect.catch(plans.get(account.id, id), () => Effect.succeed(undefined))
    return to !== undefined && rules.mayChoose(account.settings.portal_settings, subscription, to) ? to : yield* notAllowed("change to this plan")
  })

  const preview = Effect.fn("Portal.preview")(function*(guest: Guest, id: string, plan_id: string) {
    const held = yield* asking(guest, id, "change_plan")
    const to = yield* chosen(guest, held, plan_id)
    const proration_behavior = rules.behaviorFor(held.subscription, held.plan, to)
    const asked = { plan_id: to.id, ...(proration_behavior === undefined ? {} : { proration_behavior }) }
    const previewed: Previewed = { ...held, to, preview: yield* changes.preview({ account: guest.account, id: held.subscription.id }, asked) }
    return previewed
  })

  const changePlan = Effect.fn("Portal.changePlan")(function*(guest: Guest, id: string, { plan_id, proration_at, version }: Confirmed) {
    yield* may(guest, "change_plan")
    const found = yield* own(guest, id)
    const { account, session } = guest
    const keyed = keyOf("portal", "subscription.change_plan", session.id, found.id, plan_id, proration_at.epochMilliseconds, version)
    const [plan, to] = [yield* planOf(account.id, found.plan_id), yield* chosen(guest, yield* heldOf(guest, found), plan_id).pipe(
      // Where the first of two clicks has made the change, there is nothing to choose any more.
      Effect.catchIf(() => found.plan_id === plan_id, () => planOf(account.id, plan_id))
    )]
    const behavior = rules.behaviorFor(found, plan, to)
    const request = { plan_id: to.id, proration_at, version, ...(behavior === undefined ? {} : { proration_behavior: behavior }) }
    const reply = yield* planChanges.change({ account, id: found.id, keyed, request, origin: { type: PORTAL_ORIGIN, id: session.id } })
    return reply.status === 402 ? { declined: decodeDecline(reply.body).decline_code } : "accepted" as const
  })

  /** The latest charge of the subscription, if it was for this plan: that of a change that is paid at once. */
  const chargeOfChange = Effect.fn("Portal.chargeOfChange")(function*(guest: Guest, id: string, plan_id: string) {
    yield* open(guest)
    const { account_id, id: found } = yield* own(guest, id)
    const cycle = (yield* cycles.of(account_id, found)).findLast(({ attempts }) => attempts.length > 0)
    return cycle?.plan_id === plan_id ? yield* owedOf(account_id, cycle) : undefined
  })

  const invoicePage = Effect.fn("Portal.invoices")(function*(guest: Guest, after: string | undefined) {
    yield* open(guest)
    const { account, session } = guest
    const page = { page: 1, per_page: INVOICES, ...(after === undefined ? {} : { after }) }
    const found = yield* invoices.list(account.id, { customer_id: session.customer_id }, page)
    const shown = found.data.filter(({ status }) => status !== "draft" && status !== "void")
    return { invoices: yield* Effect.forEach(shown, (one) => billed(guest, one)), newer: after !== undefined, older: found.data.length === INVOICES ? found.data.at(-1)?.id : undefined }
  })

  const billed = Effect.fnUntraced(function*({ account }: Guest, invoice: Billed["invoice"]): Effect.fn.Return<Billed> {
    const { billing_cycle_id, status, subscription_id } = invoice
    const owing = (status === "open" || status === "uncollectible") && billing_cycle_id !== null ? yield* cycles.find(account.id, billing_cycle_id) : undefined
    const held = subscription_id === null ? undefined : yield* Effect.catch(subscriptions.get(account.id, subscription_id), () => Effect.succeed(undefined))
    return { invoice, time_zone: held?.time_zone ?? "UTC", payable: isPayable(invoice, owing) }
  })

  const invoice = Effect.fn("Portal.invoice")(function*(guest: Guest, id: string) {
    yield* open(guest)
    const found = /^inv_[0-9A-Z]{26}$/u.test(id) ? yield* invoices.find(guest.account.id, id) : undefined
    if (found === undefined || found.customer_id !== guest.session.customer_id || found.status === "draft") return yield* notFound("invoice")
    const cycle = found.billing_cycle_id === null ? undefined : yield* cycles.find(guest.account.id, found.billing_cycle_id)
    const held = cycle === undefined ? undefined : yield* Effect.orDie(subscriptions.get(guest.account.id, cycle.subscription_id))
    return {
      ...(yield* billed(guest, found)),
      owed: cycle === undefined ? undefined : yield* owedOf(guest.account.id, cycle),
      method: held === undefined ? undefined : yield* methodOf(guest.account.id, held)
    }
  })

  const pay = Effect.fn("Portal.pay")(function*(guest: Guest, id: string) {
    const { owed, payable } = yield* invoice(guest, id)
    if (payable && owed !== undefined) yield* charge(guest.account, owed.cycle.id)
  })

  /** What is overdue: a new card is charged with it at once. */
  const overdue = Effect.fnUntraced(function*(guest: Guest) {
    return (yield* all(guest)).flatMap(({ owed, plan }): ReadonlyArray<OwedFor> => owed === undefined ? [] : [{ ...owed, plan }])
  })

  const kept = Effect.fn("Portal.methods")(function*(guest: Guest) {
    yield* open(guest)
    const { account, session } = guest
    const at = yield* now
    const { data } = yield* methods.list(account.id, { customer_id: session.customer_id }, { page: 1, per_page: MOST })
    const usual = (yield* customers.find(account.id, session.customer_id))?.default_payment_method_id
    const shown = data.filter(({ status }) => status === "active").map((method): Kept => ({ method, usual: method.id === usual, expired: isExpired(method, at) }))
    return { methods: shown, owed: yield* overdue(guest) }
  })

  /** Keeps the card, makes it the one that is charged from now on, and charges with it what is overdue. Gives the cycles that it was charged with. */
  const saveCard = Effect.fn("Portal.saveCard")(function*(guest: Guest, token: string) {
    yield* may(guest, "update_payment_method")
    const { account, session } = guest
    const owed = yield* overdue(guest)
    // The same card from the same form is kept once.
    const { body } = yield* methods.create(account, { type: "card", token, customer_id: session.customer_id }, keyOf("portal", "payment_method.create", session.id, token)).pipe(
      Effect.catchTag("ValidationError", ({ message }) => Effect.fail(new Unusable({ message })))
    )
    const { id } = decodeId(body)
    // Before it becomes the usual one: then what is open is not tried with it a second time.
    yield* Effect.forEach(owed, ({ cycle }) => Effect.flatMap(billingCycles.get(account.id, cycle.id), ({ attempts }) =>
      attempts.at(-1)?.payment_method_id === id ? Effect.void : charge(guest.account, cycle.id, id)))
    yield* customers.update(account.id, session.customer_id, { default_payment_method_id: id }).pipe(
      Effect.catchTag("ValidationError", ({ message }) => Effect.fail(new Unusable({ message })))
    )
    // A subscription with a method of its own gets this one, too: the customer asked for it here.
    yield* Effect.forEach(yield* all(guest), ({ subscription: { id: one, payment_method_id, status } }) =>
      payment_method_id === null || payment_method_id === id || status === "canceled" ? Effect.void : Effect.asVoid(subscriptions.update(account, one, { payment_method_id: id })))
    return owed.map(({ cycle }) => cycle.id)
  })

  /** How the charge of a cycle stands, for the page that follows it. */
  const standing = Effect.fn("Portal.standing")(function*(guest: Guest, id: string) {
    yield* open(guest)
    const cycle = yield* billingCycles.get(guest.account.id, id)
    yield* own(guest, cycle.subscription_id)
    const standing: OwedFor = { ...(yield* owedOf(guest.account.id, cycle)), plan: yield* planOf(guest.account.id, cycle.plan_id) }
    return standing
  })

  return { act, asking, changePlan, chargeOfChange, choices, invoice, invoicePage, kept, pay, planOf, preview, saveCard, standing, subscription, all }
})

export class Portal extends Context.Service<Portal, Effect.Success<typeof make>>()("@svc/checkout/Portal") {
  static readonly layer = Layer.effect(Portal, make)
}
