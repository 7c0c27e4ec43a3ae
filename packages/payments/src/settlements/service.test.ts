import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { runDue, TimerHandlers } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { PaymentIntentsById } from "../payment-intents/model.ts"
import { PaymentIntents } from "../payment-intents/service.ts"
import { RailUnreachable } from "../rails/model.ts"
import { Rails } from "../rails/rail.ts"
import { after, balance, capture, eventsOf, keyed, openAccount, refund, settlementOf } from "./fixture.ts"
import { Settlements } from "./service.ts"

/** What happens the next time that a rail is called about money it holds, before it answers. */
let meanwhile: Effect.Effect<void, RailUnreachable> = Effect.void
const once = Effect.suspend(() => {
  const happens = meanwhile
  meanwhile = Effect.void
  return happens
})

/** The simulator's, as if each were behind a network. */
const elsewhere = replacing(Rails, ({ all }) =>
  Rails.these(all.map((rail) => ({
    ...rail,
    inline: false,
    refund: (call) => Effect.andThen(once, rail.refund(call)),
    settle: (settlement) => Effect.andThen(once, rail.settle?.(settlement) ?? Effect.die("the simulator settles"))
  }))))

layer(services.pipe(elsewhere), { timeout: 60_000 })("settlements", (it) => {
  it.effect("a capture queues one in its commit, which two days later makes its money available, and tells so", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      const queued = yield* settlementOf(account, intent)
      assert.deepInclude(queued, { status: "queued", amount: 9_680 })
      yield* after("47 hours")
      assert.deepStrictEqual(yield* balance(account), [0, 9_680])
      yield* after("1 hours")
      const done = yield* (yield* Settlements).get(account.id, queued.id)
      assert.deepInclude(done, { status: "completed", attempts: 1, amount: 9_680 })
      assert.deepStrictEqual(yield* balance(account), [9_680, 0])
      assert.deepStrictEqual(yield* eventsOf(queued.id), ["settlement.processing", "settlement.completed"])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("a refund shrinks it while it is queued; what comes later is taken from what is available", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      yield* refund(account, intent, 1_000)
      assert.strictEqual((yield* settlementOf(account, intent)).amount, 8_680)
      yield* after("2 days")
      yield* refund(account, intent, 500)
      assert.deepInclude(yield* settlementOf(account, intent), { status: "completed", amount: 8_680 })
      assert.deepStrictEqual(yield* balance(account), [8_180, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("refunds of all of it complete it with nothing, and it is not due any more", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      yield* refund(account, intent, 10_000)
      const done = yield* settlementOf(account, intent)
      assert.deepInclude(done, { status: "completed", amount: 0, attempts: 0 })
      assert.deepStrictEqual(yield* eventsOf(done.id), ["settlement.completed"])
      yield* after("3 days")
      assert.strictEqual((yield* settlementOf(account, intent)).version, done.version)
      assert.deepStrictEqual(yield* balance(account), [-320, 0])
    }))

  it.effect("one that fails is tried again by itself, and by a request when it has given up; the key replays", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const settlements = yield* Settlements
      const once = yield* capture(account, { "sim.settlement": "fail_once" })
      const ever = yield* capture(account, { "sim.settlement": "fail" })
      yield* after("2 days")
      assert.deepInclude(yield* settlementOf(account, once), { status: "failed", failure_reason: "sim.settlement" })
      yield* after("1 hours")
      assert.deepInclude(yield* settlementOf(account, once), { status: "completed", attempts: 2, failure_reason: null })
      yield* after("4 hours")
      yield* after("24 hours")
      const given = yield* settlementOf(account, ever)
      assert.deepInclude(given, { status: "failed", attempts: 4 })
      yield* after("30 days")
      assert.strictEqual((yield* settlementOf(account, ever)).version, given.version)
      const again = { account, id: given.id, keyed: keyed("settlement.retry"), payload: {} }
      const first = yield* settlements.retry(again)
      const replayed = yield* settlements.retry(again)
      assert.deepStrictEqual([first.status, replayed.replayed, replayed.body], [200, true, first.body])
      yield* after("0 seconds")
      assert.deepInclude(yield* settlementOf(account, ever), { status: "failed", attempts: 5 })
      const refused = yield* Effect.flip(
        settlements.retry({ ...again, id: (yield* settlementOf(account, once)).id, keyed: keyed("settlement.retry") })
      )
      assert.strictEqual(refused._tag, "InvalidState")
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("a refund while it is processing is taken from what is available, and its failure is written all the same", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account, { "sim.settlement": "fail_once" })
      const intents = yield* PaymentIntents
      meanwhile = Effect.orDie(
        Effect.asVoid(intents.refund({ account, id: intent, keyed: keyed("payment_intent.refund"), payload: { amount: 1_000 } }))
      )
      yield* after("2 days")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "failed", amount: 9_680, attempts: 1 })
      assert.deepStrictEqual(yield* balance(account), [-1_000, 9_680])
      yield* after("1 hours")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "completed", amount: 9_680, attempts: 2 })
      assert.deepStrictEqual(yield* balance(account), [8_680, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("one whose rail cannot be reached is asked after again a minute later, as the same attempt", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      meanwhile = Effect.fail(new RailUnreachable({ rail: "card_a", message: "away" }))
      yield* after("2 days")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "processing", attempts: 1 })
      yield* refund(account, intent, 1_000)
      yield* after("1 minute")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "completed", amount: 9_680, attempts: 1 })
      assert.deepStrictEqual(yield* balance(account), [8_680, 0])
    }))

  it.effect("one whose rail is not installed any more waits for it: nobody says that its money arrived", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      const sql = yield* SqlClient.SqlClient
      const [paid] = yield* sql<{ readonly rail: string }>`SELECT selected_rail AS rail FROM payment_intents WHERE id = ${intent}`
      yield* sql`UPDATE payment_intents SET selected_rail = 'card_gone' WHERE id = ${intent}`
      yield* after("2 days")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "processing", attempts: 1 })
      assert.deepStrictEqual(yield* balance(account), [0, 9_680])
      yield* sql`UPDATE payment_intents SET selected_rail = ${paid?.rail ?? ""} WHERE id = ${intent}`
      yield* after("1 minute")
      assert.deepInclude(yield* settlementOf(account, intent), { status: "completed", attempts: 1 })
      assert.deepStrictEqual(yield* balance(account), [9_680, 0])
    }))

  it.effect("one that falls due while the provider is asked for a refund goes on, and so does the refund", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intent = yield* capture(account)
      const context = yield* Effect.context<TimerHandlers | SqlClient.SqlClient>()
      const due = Effect.flatMap(now, (at) => runDue(at)).pipe(Effect.orDie, Effect.asVoid, Effect.provideContext(context))
      yield* TestClock.adjust("2 days")
      meanwhile = due
      yield* refund(account, intent, 1_000)
      assert.deepInclude(yield* settlementOf(account, intent), { status: "completed", amount: 9_680 })
      assert.deepStrictEqual(yield* balance(account), [8_680, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("one that falls due while the provider cannot be reached for a refund does not keep the refund from being tried again", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const intents = yield* PaymentIntents
      const id = yield* capture(account)
      const context = yield* Effect.context<TimerHandlers | SqlClient.SqlClient>()
      const due = Effect.flatMap(now, (at) => runDue(at)).pipe(Effect.orDie, Effect.provideContext(context))
      yield* TestClock.adjust("2 days")
      meanwhile = Effect.andThen(due, Effect.fail(new RailUnreachable({ rail: "card_a", message: "away" })))
      const again = { account, id, keyed: keyed("payment_intent.refund"), payload: { amount: 1_000 } }
      assert.strictEqual((yield* Effect.flip(intents.refund(again)))._tag, "ProviderUnavailable")
      assert.strictEqual((yield* intents.refund(again)).status, 200)
      assert.deepStrictEqual(yield* balance(account), [8_680, 0])
    }))

  it.effect("their payments are found many at once, and by nobody but their account", () =>
    Effect.gen(function*() {
      const [account, other] = [yield* openAccount, yield* openAccount]
      const [one, two, theirs] = [yield* capture(account), yield* capture(account), yield* capture(other)]
      const byId = yield* PaymentIntentsById
      const ids = (of: AccountFacts, ...asked: ReadonlyArray<string>) =>
        Effect.map(byId(of.id, asked), (found) => found.map(({ id }) => String(id)))
      assert.sameMembers([...(yield* ids(account, two, one, theirs, "pi_nobody", one))], [one, two])
      assert.deepStrictEqual(yield* ids(other, one, two), [])
      assert.deepStrictEqual(yield* ids(account), [])
    }))

  it.effect("is nobody else's", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const other = yield* openAccount
      const { id } = yield* settlementOf(account, yield* capture(account))
      const settlements = yield* Settlements
      assert.strictEqual((yield* Effect.flip(settlements.get(other.id, id)))._tag, "NotFound")
      assert.strictEqual((yield* settlements.list(other.id, {}, { page: 1, per_page: 10 })).total, 0)
    }))

  it.effect("lists are narrowed by payment, status, currency and time", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const settlements = yield* Settlements
      const [one] = [yield* capture(account), yield* capture(account)]
      const page = { page: 1, per_page: 10 }
      const count = (filter: Parameters<typeof settlements.list>[1]) =>
        Effect.map(settlements.list(account.id, filter, page), ({ total }) => total)
      const { created_at } = yield* settlementOf(account, one)
      assert.deepStrictEqual(
        yield* Effect.all([
          count({}),
          count({ status: "queued" }),
          count({ status: "failed" }),
          count({ currency: "USD" }),
          count({ currency: "EUR" }),
          count({ payment_intent_id: one }),
          count({ "created_at[gte]": created_at }),
          count({ "created_at[lt]": created_at })
        ]),
        [2, 2, 0, 2, 0, 1, 2, 0]
      )
    }))
})
