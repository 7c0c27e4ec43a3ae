import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { Customers } from "@svc/billing/customers/service"
import { Orders } from "@svc/billing/orders/service"
import { Plans } from "@svc/billing/plans/service"
import { SubscriptionChanges } from "@svc/billing/subscriptions/service/changes"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { runDue } from "@svc/kernel/timers/timers"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Rails } from "@svc/payments/rails/rail"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect, Exit, Fiber, Latch, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { CreateCheckoutSessionRequest } from "./model.ts"
import { checkoutSessionRoad, effectsOf } from "./road.ts"
import { begin } from "./rules/paying.ts"
import { CheckoutSessions } from "./service/sessions.ts"

/** What the rail waits for before it answers. */
let before: Effect.Effect<void> = Effect.void

const waiting = replacing(Rails, ({ all }) =>
  Rails.these(all.map((rail) => ({
    ...rail,
    authorize: (request) => Effect.andThen(Effect.suspend(() => before), rail.authorize(request))
  }))))

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))

let keys = 0

const open = Effect.fnUntraced(function*(request: Partial<CreateCheckoutSessionRequest> = {}) {
  const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
  const sessions = yield* CheckoutSessions
  const keyed = { key: `checkout-${account.id}-${keys++}`, operation: "checkout_session.create", fingerprint: "0".repeat(64) }
  const reply = yield* sessions.create({
    account,
    keyed,
    payload: { mode: "payment", amount: 1_999, currency: "USD", metadata: { order: "6735" }, ...request }
  })
  return yield* sessions.get(account.id, decodeId(parseJson(reply.body)).id)
})

type Session = Effect.Success<ReturnType<typeof open>>

const latest = ({ account_id, id }: Session) => Effect.flatMap(CheckoutSessions, ({ get }) => get(account_id, id))

const pay = Effect.fnUntraced(function*(session: Session, payment_method_id: string, number?: number, locale: string | null = null) {
  const current = yield* latest(session)
  return yield* (yield* CheckoutSessions).pay(current, {
    number: number ?? current.tries + 1,
    payment_method_id,
    customer_email: undefined,
    locale
  })
})

const told = Effect.fnUntraced(function*({ account_id }: Session) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly type: string }>`SELECT type FROM events WHERE account_id = ${account_id} ORDER BY seq`).map(({ type }) =>
    type
  )
})

const paymentsOf = Effect.fnUntraced(function*({ account_id }: Session) {
  return (yield* (yield* PaymentIntents).list(account_id, {}, { page: 1, per_page: 20 })).data
})

const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

layer(services.pipe(waiting), { timeout: 60_000 })("a checkout session", (it) => {
  it.effect("is paid once and completed in the commit of the capture", () =>
    Effect.gen(function*() {
      const session = yield* open()
      assert.match(session.url, new RegExp(`^http://svc\\.test/checkout/${session.id}/\\w{32}$`, "u"))
      const paid = yield* pay(session, "tok_visa")
      assert.deepInclude(yield* latest(session), {
        status: "complete",
        payment_status: "paid",
        payment_intent_id: paid.payment_intent_id,
        trying: null
      })
      const [payment, ...others] = yield* paymentsOf(session)
      assert.isEmpty(others)
      if (payment === undefined) return assert.fail("there is no payment")
      assert.strictEqual(payment.id, paid.payment_intent_id)
      assert.deepInclude(payment, {
        state: "captured",
        captured_amount: 1_999,
        metadata: { order: "6735" },
        origin: { type: "checkout_session", id: session.id }
      })
      assert.deepStrictEqual(yield* told(session), [
        "payment_intent.created",
        "payment_intent.authorized",
        "payment_intent.captured",
        "checkout.session.completed"
      ])
      const { data: [order, ...more] } = yield* (yield* Orders).list(session.account_id, { checkout_session_id: session.id }, {
        page: 1,
        per_page: 20
      })
      assert.isEmpty(more)
      assert.deepInclude(order, { status: "paid", amount: 1_999, payment_intent_id: payment.id, metadata: { order: "6735" } })
      assert.strictEqual((yield* Effect.flip(pay(session, "tok_visa")))._tag, "NotPayable")
      assert.isTrue((yield* verifyBooks(session.account_id)).ok)
      yield* after("2 days")
      assert.notInclude(yield* told(session), "checkout.session.abandoned")
    }))

  it.effect("that was declined takes another try, which is another payment; a page that is old takes none", () =>
    Effect.gen(function*() {
      const session = yield* open()
      assert.deepInclude(yield* pay(session, "tok_insufficient_funds"), {
        status: "open",
        payment_status: "unpaid",
        last_failure: "insufficient_funds",
        tries: 1
      })
      assert.strictEqual((yield* Effect.flip(pay(session, "tok_visa", 1)))._tag, "NotPayable")
      assert.deepInclude(yield* pay(session, "tok_fraudulent"), { payment_status: "unpaid", last_failure: "fraudulent", tries: 2 })
      assert.deepInclude(yield* pay(session, "pm_01KDVK5D80000000000000000A"), {
        payment_status: "unpaid",
        last_failure: "unusable",
        tries: 3
      })
      assert.deepInclude(yield* pay(session, "tok_mastercard"), { status: "complete", tries: 4 })
      assert.sameMembers((yield* paymentsOf(session)).map(({ state }) => state), ["failed", "cancelled", "captured"])
      assert.strictEqual((yield* told(session)).filter((type) => type === "checkout.session.completed").length, 1)
    }))

  it.effect("is paid once by ten tabs at one moment", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const exits = yield* Effect.all(Array.from({ length: 10 }, () => Effect.exit(pay(session, "tok_visa", 1))), {
        concurrency: "unbounded"
      })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      assert.strictEqual((yield* paymentsOf(session)).length, 1)
      assert.deepInclude(yield* latest(session), { status: "complete", tries: 1 })
    }))

  it.effect("cannot expire while its payment is under way, nor when it is complete or expired", () =>
    Effect.gen(function*() {
      const sessions = yield* CheckoutSessions
      const session = yield* open()
      const expire = sessions.expire(session.account_id, session.id)
      const [called, mayAnswer] = [yield* Latch.make(false), yield* Latch.make(false)]
      before = Effect.andThen(called.open, mayAnswer.await)
      const paying = yield* Effect.forkChild(pay(session, "tok_visa"))
      yield* called.await
      assert.strictEqual((yield* Effect.flip(expire))._tag, "PaymentInFlight")
      yield* mayAnswer.open
      yield* Fiber.join(paying)
      before = Effect.void
      assert.strictEqual((yield* Effect.flip(expire))._tag, "InvalidState")

      const other = yield* open()
      yield* pay(other, "tok_requires_action")
      assert.strictEqual((yield* Effect.flip(sessions.expire(other.account_id, other.id)))._tag, "PaymentInFlight")

      const third = yield* open()
      assert.deepInclude(yield* sessions.expire(third.account_id, third.id), { status: "expired" })
      assert.strictEqual((yield* Effect.flip(sessions.expire(third.account_id, third.id)))._tag, "InvalidState")
      assert.strictEqual((yield* Effect.flip(pay(third, "tok_visa")))._tag, "NotPayable")
      assert.deepStrictEqual(yield* told(third), ["checkout.session.expired"])
    }))

  it.effect("expires when its time is over, but not while its payment is under way", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* after("23 hours")
      assert.strictEqual((yield* latest(session)).status, "open")
      const late = yield* pay(session, "tok_requires_action")
      assert.deepInclude(late, { payment_status: "processing", trying: null })
      yield* after("2 hours")
      assert.deepInclude(yield* latest(session), { status: "open", payment_status: "processing" })
      const [payment] = yield* paymentsOf(session)
      yield* (yield* PaymentIntents).completeAction(payment?.next_action?.url.split("/").at(-1) ?? "", false)
      assert.deepInclude(yield* latest(session), { payment_status: "unpaid", last_failure: "authentication_required" })
      yield* after("1 seconds")
      assert.deepInclude(yield* latest(session), { status: "expired" })
      assert.strictEqual((yield* told(session)).at(-1), "checkout.session.expired")
      const sql = yield* SqlClient.SqlClient
      const [event] = yield* sql<{ readonly metadata: string | null }>`
        SELECT metadata FROM events WHERE account_id = ${session.account_id} ORDER BY seq DESC LIMIT 1`
      assert.deepStrictEqual(parseJson(event?.metadata ?? "null"), { status: "expired" })
    }))

  it.effect("is abandoned half an hour after the last visit, once, and can be paid all the same", () =>
    Effect.gen(function*() {
      const { visit } = yield* CheckoutSessions
      const session = yield* open()
      yield* after("45 minutes")
      assert.isEmpty(yield* told(session), "nobody was there")
      yield* visit(session)
      yield* after("29 minutes")
      yield* visit(yield* latest(session))
      yield* after("29 minutes")
      assert.isEmpty(yield* told(session))
      yield* after("1 minutes")
      assert.deepStrictEqual(yield* told(session), ["checkout.session.abandoned"])
      yield* visit(yield* latest(session))
      yield* after("31 minutes")
      assert.deepStrictEqual(yield* told(session), ["checkout.session.abandoned"])
      assert.deepInclude(yield* pay(session, "tok_visa"), { payment_status: "paid" })
    }))

  it.effect("whose payment was announced by a process that died is taken up by its timer, and is paid once", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const begun = Result.getOrThrow(
        begin(session, { number: 1, payment_method_id: "tok_visa", customer_email: undefined, locale: null }, yield* now)
      )
      yield* (yield* checkoutSessionRoad).commit(begun.session, effectsOf(begun), "died")
      yield* after("59 seconds")
      assert.deepInclude(yield* latest(session), { payment_status: "processing" })
      yield* after("1 seconds")
      assert.deepInclude(yield* latest(session), { status: "complete", payment_status: "paid" })
      yield* (yield* CheckoutSessions).resume(session.account_id, session.id)
      assert.strictEqual((yield* paymentsOf(session)).length, 1)
    }))

  /** A session for a plan of 20.00 a month. */
  const openPlan = Effect.fnUntraced(
    function*(trial_period_days = 0, who: Partial<CreateCheckoutSessionRequest> = { customer_id: "customer-1" }) {
      const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
      const [plans, sessions] = [yield* Plans, yield* CheckoutSessions]
      const plan = decodeId(
        parseJson(
          (yield* plans.create(account, {
            name: "Professional",
            amount: 2_000,
            currency: "USD",
            billing_period: "monthly",
            trial_period_days
          })).body
        )
      ).id
      yield* plans.activate(account.id, plan)
      const keyed = { key: `checkout-${account.id}-${keys++}`, operation: "checkout_session.create", fingerprint: "0".repeat(64) }
      const reply = yield* sessions.create({
        account,
        keyed,
        payload: { mode: "subscription", plan_id: plan, metadata: { seats: "5" }, ...who }
      })
      return yield* sessions.get(account.id, decodeId(parseJson(reply.body)).id)
    }
  )

  const subscriptionsOf = ({ account_id }: Session) =>
    Effect.flatMap(Subscriptions, ({ list }) => Effect.map(list(account_id, {}, { page: 1, per_page: 20 }), ({ data }) => data))

  it.effect("for a plan makes a subscription and charges its first period; a decline leaves none that would be collected later", () =>
    Effect.gen(function*() {
      const session = yield* openPlan()
      assert.deepInclude(session, {
        mode: "subscription",
        amount: 2_000,
        line_items: [{ name: "Professional", quantity: 1, unit_amount: 2_000 }]
      })
      assert.deepInclude(yield* pay(session, "tok_insufficient_funds"), {
        status: "open",
        payment_status: "unpaid",
        last_failure: "insufficient_funds",
        subscription_id: null
      })
      assert.deepStrictEqual((yield* subscriptionsOf(session)).map(({ status }) => status), ["canceled"])
      const done = yield* pay(session, "tok_visa")
      assert.deepInclude(done, { status: "complete", payment_status: "paid" })
      const [subscription] = yield* subscriptionsOf(session)
      assert.strictEqual(subscription?.id, done.subscription_id)
      assert.deepInclude(subscription, { status: "active", customer_id: "customer-1", metadata: { seats: "5" } })
      assert.sameDeepMembers((yield* paymentsOf(session)).map(({ captured_amount, state }) => [state, captured_amount]), [["failed", 0], [
        "captured",
        2_000
      ]])
      assert.strictEqual((yield* told(session)).at(-1), "checkout.session.completed")
      yield* after("6 days")
      assert.strictEqual((yield* paymentsOf(session)).length, 2, "what was given up is not tried again")
    }))

  it.effect("for a plan makes a customer who has the address and the language of the session; to a known one it adds a language", () =>
    Effect.gen(function*() {
      const customers = yield* Customers
      const session = yield* openPlan(0, { customer_email: "ana@example.com", locale: "de" })
      yield* pay(session, "tok_visa")
      assert.deepInclude(yield* customers.get(session.account_id, "ana@example.com"), { email: "ana@example.com", locale: "de" })
      const plain = yield* openPlan(0, { customer_id: "customer-1", customer_email: "root@localhost", locale: "DE" })
      yield* pay(plain, "tok_visa")
      assert.deepInclude(
        yield* customers.get(plain.account_id, "customer-1"),
        { email: null, locale: null },
        "what no customer may have is left out"
      )
      const known = yield* openPlan(0, { customer_id: "customer-1", customer_email: "ana@example.com", locale: "de" })
      yield* customers.create({ id: known.account_id }, { customer_id: "customer-1", email: "bo@example.com" })
      yield* pay(known, "tok_visa")
      assert.deepInclude(yield* customers.get(known.account_id, "customer-1"), { email: "bo@example.com", locale: "de" })
    }))

  it.effect("knows the customer again who writes the address in other capitals, also one who was made with capitals", () =>
    Effect.gen(function*() {
      const [customers, sessions] = [yield* Customers, yield* CheckoutSessions]
      const ofAccount = ({ account_id }: Session) =>
        Effect.map(customers.list(account_id, {}, { page: 1, per_page: 20 }), ({ data }) => data.map(({ customer_id }) => customer_id))
      for (const isOld of [false, true]) {
        const first = yield* openPlan(0, { customer_email: "Ana@Example.com" })
        if (isOld) yield* customers.create({ id: first.account_id }, { customer_id: "ANA@example.com", email: "ANA@example.com" })
        yield* pay(first, "tok_visa")
        const account = yield* (yield* Accounts).facts(first.account_id)
        const keyed = { key: `checkout-${account.id}-${keys++}`, operation: "checkout_session.create", fingerprint: "0".repeat(64) }
        const payload = { mode: "subscription", plan_id: first.plan_id ?? "", customer_email: "ana@EXAMPLE.com" } as const
        const reply = yield* sessions.create({ account, keyed, payload })
        yield* pay(yield* sessions.get(account.id, decodeId(parseJson(reply.body)).id), "tok_visa")
        assert.deepStrictEqual(yield* ofAccount(first), [isOld ? "ANA@example.com" : "ana@example.com"])
        const [one, other, ...more] = yield* subscriptionsOf(first)
        assert.deepStrictEqual([one?.customer_id === other?.customer_id, more.length], [true, 0])
      }
    }))

  it.effect("keeps the language of the page on which its customer pays, for the customer too, and changes none that is known", () =>
    Effect.gen(function*() {
      const customers = yield* Customers
      const session = yield* openPlan(0, { customer_email: "ana@example.com" })
      assert.deepInclude(yield* pay(session, "tok_visa", 1, "de-AT"), { locale: "de-AT" })
      assert.deepInclude(yield* customers.get(session.account_id, "ana@example.com"), { locale: "de-AT" })
      const goods = yield* open({ customer_id: "customer-1" })
      yield* customers.create({ id: goods.account_id }, { customer_id: "customer-1" })
      yield* pay(goods, "tok_visa", 1, "ja")
      assert.deepInclude(yield* customers.get(goods.account_id, "customer-1"), { locale: "ja" })
      const french = yield* openPlan(0, { customer_id: "customer-1" })
      yield* customers.create({ id: french.account_id }, { customer_id: "customer-1", locale: "fr" })
      yield* pay(french, "tok_visa", 1, "ja")
      assert.deepInclude(yield* customers.get(french.account_id, "customer-1"), { locale: "fr" })
    }))

  it.effect("for a plan with a trial completes without a payment", () =>
    Effect.gen(function*() {
      const session = yield* openPlan(14)
      assert.deepInclude(yield* pay(session, "tok_visa"), { status: "complete", payment_intent_id: null })
      assert.deepStrictEqual((yield* subscriptionsOf(session)).map(({ status }) => status), ["trialing"])
      assert.isEmpty(yield* paymentsOf(session))
    }))

  it.effect("for a plan waits for the bank's step, and is found complete by a look or by its timer", () =>
    Effect.gen(function*() {
      const intents = yield* PaymentIntents
      const { look } = yield* CheckoutSessions
      for (const find of [(session: Session) => look(session), (session: Session) => Effect.andThen(after("1 minutes"), latest(session))]) {
        const session = yield* openPlan()
        const waiting = yield* pay(session, "tok_requires_action")
        const [payment] = yield* paymentsOf(session)
        assert.strictEqual(waiting.payment_intent_id, payment?.id)
        assert.deepInclude(waiting, { status: "open", payment_status: "processing" })
        yield* intents.completeAction(payment?.next_action?.url.split("/").at(-1) ?? "", true)
        assert.deepInclude(yield* find(yield* latest(session)), { status: "complete", payment_status: "paid" })
        assert.strictEqual((yield* subscriptionsOf(session)).length, 1)
      }
    }))

  it.effect("whose subscription is canceled while its customer confirms can be paid again, and the first payment never is", () =>
    Effect.gen(function*() {
      const session = yield* openPlan()
      yield* pay(session, "tok_requires_action")
      const [made] = yield* subscriptionsOf(session)
      const account = yield* (yield* Accounts).get(session.account_id)
      yield* (yield* SubscriptionChanges).cancel({ account, id: made?.id ?? "" }, { reason: "merchant_action" })
      yield* after("5 minutes")
      assert.deepInclude(yield* latest(session), { status: "open", payment_status: "unpaid" })
      assert.deepStrictEqual((yield* paymentsOf(session)).map(({ state }) => state), ["cancelled"])
      assert.deepInclude(yield* pay(session, "tok_visa"), { status: "complete", payment_status: "paid" })
      assert.sameMembers((yield* paymentsOf(session)).map(({ state }) => state), ["cancelled", "captured"])
    }))

  it.effect("is found by its address alone, and by no other", () =>
    Effect.gen(function*() {
      const { at } = yield* CheckoutSessions
      const { id, url } = yield* open()
      const secret = url.split("/").at(-1) ?? ""
      assert.strictEqual((yield* at(id, secret)).id, id)
      for (
        const [one, other] of [[id, secret.slice(1)], [id, ""], [id, secret.toLowerCase()], [id, "é".repeat(secret.length)], [
          "cs_1",
          secret
        ], [(yield* open()).id, secret]] as const
      ) {
        assert.strictEqual((yield* Effect.flip(at(one, other)))._tag, "NotFound")
      }
    }))
})
