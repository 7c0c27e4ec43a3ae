/** Movements on the road, and their sums beside what was worked out apart from the database. */
import { assert, layer } from "@effect/vitest"
import type { PageRequest } from "@svc/kernel/resource/pages"
import { openAccount } from "@svc/kernel/road/account-fixture"
import { Committer } from "@svc/kernel/road/committer"
import { makeId } from "@svc/kernel/values/ids"
import { post, type Posting, type RouteName } from "@svc/ledger/financial-events/routes"
import { services } from "@svc/testkit/services"
import { makeChance } from "@svc/testkit/simulation/chance"
import { DateTime, Effect, Schema } from "effect"
import type { BillingPeriod } from "../plans/model.ts"
import { Plans } from "../plans/service.ts"
import { subscriptionExample, subscriptions, type SubscriptionStatus, subscriptionStatuses } from "../subscriptions/model.ts"
import { type CurrencyMetrics, type MetricName, metricNames, type MetricsFilter, movements, type RevenueMovement } from "./model.ts"
import { MetricsReports } from "./service.ts"

const START = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const newest: PageRequest = { page: 1, per_page: 100 }
const at = (day: number) => DateTime.makeUnsafe(START + day * DAY)
const Made = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))

interface Sold {
  readonly id: string
  readonly amount: number
  readonly period: BillingPeriod
  readonly currency: string
}

const planOf = Effect.fnUntraced(function*(account: string, amount: number, period: BillingPeriod, currency = "USD") {
  const plans = yield* Plans
  const { body } = yield* plans.create({ id: account }, { name: "Plan", amount, currency, billing_period: period })
  const sold: Sold = { id: Schema.decodeUnknownSync(Made)(body).id, amount, period, currency }
  return sold
})

/** A subscription as it is told to become. Version 1 makes it. */
interface Version {
  readonly account: string
  readonly id: string
  readonly version: number
  readonly plan: Sold
  readonly status: SubscriptionStatus
  readonly day: number
  readonly customer?: string
  /** Whether a cycle of it was charged by now; yes unless it is said. */
  readonly paid?: boolean
}

const write = Effect.fnUntraced(function*({ account, customer = "customer-1", day, id, paid = true, plan, status, version }: Version) {
  const moment = DateTime.formatIso(at(day))
  const subscription = subscriptions.decode({
    ...subscriptionExample,
    billed: { price: 0, seconds: 1, adjustment: 0 },
    id,
    account_id: account,
    customer_id: customer,
    plan_id: plan.id,
    currency: plan.currency,
    status,
    canceled_at: status === "canceled" ? moment : null,
    cancel_reason: status === "canceled" ? "customer_request" : null,
    first_paid_at: paid && status !== "trialing" ? moment : null,
    paused_at: status === "paused" ? moment : null,
    paused_remaining_seconds: status === "paused" ? 60 : null,
    idempotency_key: id,
    created_at: moment,
    updated_at: moment,
    version
  })
  yield* (yield* Committer).commit({
    account_id: account,
    at: at(day),
    cause: `${id} ${version}`,
    writes: [subscriptions.write(subscription)],
    entries: [],
    events: [],
    set: [],
    clear: []
  })
})

const subscriptionId = () => makeId("sub", START)

const posted = (account: string, day: number, name: RouteName, posting: Omit<Posting, "resource_id" | "resource_type">) =>
  Effect.flatMap(Committer, (committer) =>
    committer.commit({
      account_id: account,
      at: at(day),
      cause: makeId("evt", START),
      writes: [],
      entries: [post(name, { ...posting, resource_type: "payment_intent", resource_id: makeId("pi", START) })],
      events: [],
      set: [],
      clear: []
    }))

const reportOf = (account: string, filter: MetricsFilter) => Effect.flatMap(MetricsReports, (metrics) => metrics.report(account, filter))
const january = { from: at(0), to: at(31) }

const movesOf = ({ recurring_revenue }: CurrencyMetrics) =>
  Object.fromEntries(Object.entries(recurring_revenue).map(([name, { value }]) => [name, value]))

const rowsOf = (account: string, name: MetricName, filter: MetricsFilter) =>
  Effect.map(Effect.flatMap(MetricsReports, (metrics) => metrics.rows(account, name, filter, newest)), ({ data }) => data)

/** Minor units a month: written apart from the database. */
const monthly = ({ amount, period }: Sold): number => {
  const [up, down] = period === "weekly" ? [52n, 12n] : period === "monthly" ? [1n, 1n] : period === "quarterly" ? [1n, 3n] : [1n, 12n]
  return Number((2n * BigInt(amount) * up + down) / (2n * down))
}

const counts = (status: SubscriptionStatus) => status === "active" || status === "past_due"

layer(services)("metrics", (it) => {
  it.effect("a price counts as much as it brings in a month, rounded half up once", () =>
    Effect.gen(function*() {
      for (
        const [amount, period, expected] of [
          [300, "weekly", 1_300],
          [500, "weekly", 2_167],
          [1_999, "monthly", 1_999],
          [1_000, "quarterly", 333],
          [1_001, "quarterly", 334],
          [12_006, "annual", 1_001],
          [12_005, "annual", 1_000],
          [99_999_999_999, "weekly", 433_333_333_329]
        ] as const
      ) {
        const account = yield* openAccount
        yield* write({ account, id: subscriptionId(), version: 1, plan: yield* planOf(account, amount, period), status: "active", day: 1 })
        const [usd] = (yield* reportOf(account, january)).currencies
        assert.strictEqual(usd?.recurring_revenue.new.value, expected, `${amount} ${period}`)
      }
    }))

  it.effect("a subscription counts from its first paid period, and not while it is paused", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const [small, large] = [yield* planOf(account, 1_000, "monthly"), yield* planOf(account, 2_500, "monthly")]
      const id = subscriptionId()
      const steps: ReadonlyArray<readonly [SubscriptionStatus, Sold, RevenueMovement | undefined, number]> = [
        ["trialing", small, undefined, 0],
        ["trialing", large, undefined, 0],
        ["active", large, "new", 2_500],
        ["past_due", large, undefined, 0],
        ["active", small, "contraction", -1_500],
        ["active", large, "expansion", 1_500],
        ["paused", large, "churn", -2_500],
        ["active", small, "reactivation", 1_000],
        ["canceled", small, "churn", -1_000]
      ]
      for (const [n, [status, plan, name, amount]] of steps.entries()) {
        yield* write({ account, id, version: n + 1, plan, status, day: n })
        const time = { from: at(n), to: at(n + 1), currency: "USD" }
        const [usd] = (yield* reportOf(account, time)).currencies
        for (const movement of movements) {
          assert.strictEqual(usd?.recurring_revenue[movement].value, movement === name ? amount : 0, `${n} ${status} ${movement}`)
        }
        if (name === undefined) {
          continue
        }
        const [row, ...others] = yield* rowsOf(account, name, time)
        assert.deepStrictEqual(others, [])
        assert.deepInclude({ ...row?.move }, { movement: name, subscription_id: id, plan_id: plan.id, status })
        assert.deepStrictEqual([row?.amount, row?.at.epochMilliseconds, row?.posting], [amount, at(n).epochMilliseconds, null])
      }
    }))

  it.effect("what nobody has paid yet is neither new nor churn", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const plan = yield* planOf(account, 1_000, "monthly")
      const [declined, late] = [subscriptionId(), subscriptionId()]
      yield* write({ account, id: declined, version: 1, plan, status: "active", day: 0, paid: false })
      yield* write({ account, id: declined, version: 2, plan, status: "canceled", day: 0, paid: false })
      yield* write({ account, id: late, version: 1, plan, status: "active", day: 0, paid: false })
      yield* write({ account, id: late, version: 2, plan, status: "past_due", day: 1, paid: false })
      assert.deepStrictEqual((yield* reportOf(account, january)).currencies, [])
      yield* write({ account, id: late, version: 3, plan, status: "active", day: 2 })
      const [usd] = (yield* reportOf(account, january)).currencies
      assert.deepStrictEqual(usd && movesOf(usd), {
        opening: 0,
        new: 1_000,
        expansion: 0,
        contraction: 0,
        churn: 0,
        reactivation: 0,
        closing: 1_000
      })
    }))

  it.effect("a customer who had left and subscribes again is a reactivation, and another subscription of one is new", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const plan = yield* planOf(account, 1_000, "monthly")
      const [first, second, third] = [subscriptionId(), subscriptionId(), subscriptionId()]
      yield* write({ account, id: first, version: 1, plan, status: "active", day: 0 })
      yield* write({ account, id: second, version: 1, plan, status: "active", day: 1 })
      yield* write({ account, id: first, version: 2, plan, status: "canceled", day: 2 })
      yield* write({ account, id: second, version: 2, plan, status: "canceled", day: 3 })
      yield* write({ account, id: third, version: 1, plan, status: "active", day: 4 })
      const [usd] = (yield* reportOf(account, january)).currencies
      assert.deepStrictEqual(usd && movesOf(usd), {
        opening: 0,
        new: 2_000,
        expansion: 0,
        contraction: 0,
        churn: -2_000,
        reactivation: 1_000,
        closing: 1_000
      })
    }))

  it.effect("churn is a share of those who were there, and names them", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const plan = yield* planOf(account, 1_000, "monthly")
      const of = ["stays", "leaves", "leaves one of two", "leaves one of two", "comes and goes"].map((customer) => ({
        customer,
        id: subscriptionId()
      }))
      for (const [n, { customer, id }] of of.entries()) {
        yield* write({ account, id, customer, version: 1, plan, status: "active", day: n < 4 ? 0 : 40 })
      }
      for (const n of [1, 2, 4]) {
        yield* write({ account, ...of[n] ?? { id: "" }, version: 2, plan, status: "canceled", day: 41 })
      }
      const february = { from: at(31), to: at(59), currency: "USD" }
      const [usd] = (yield* reportOf(account, february)).currencies
      assert.deepInclude(usd?.customer_churn, { lost: 1, of: 3, value: 1 / 3 })
      assert.deepInclude(usd?.revenue_churn, { lost: 3_000, of: 4_000, value: 0.75 })
      assert.deepStrictEqual(
        (yield* rowsOf(account, "customer_churn", february)).map(({ move }) => move?.customer_id),
        ["leaves"]
      )
      assert.strictEqual((yield* rowsOf(account, "revenue_churn", february)).length, 3)
    }))

  it.effect("revenue is what the ledger says, of the time and of the currency", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const of = (currency: string, amount: number) => ({ amount, currency })
      yield* posted(account, 0, "payment_captured", of("USD", 9_000))
      yield* posted(account, 31, "payment_captured", of("USD", 5_000))
      yield* posted(account, 32, "fee_charged", of("USD", 175))
      yield* posted(account, 33, "payment_refunded", of("USD", 1_200))
      yield* posted(account, 34, "fee_refunded", of("USD", 25))
      yield* posted(account, 35, "fee_charged/credits", of("USD", 70))
      yield* posted(account, 36, "settlement_completed", of("USD", 3_600))
      yield* posted(account, 36, "payment_captured", of("EUR", 800))
      yield* posted(account, 59, "payment_captured", of("USD", 7_000))
      const february = { from: at(31), to: at(59) }
      const { currencies } = yield* reportOf(account, february)
      assert.deepStrictEqual(
        currencies.map((
          { currency, fees, net_revenue, refunds, volume }
        ) => [currency, volume.value, refunds.value, fees.value, net_revenue.value]),
        [
          ["EUR", 800, 0, 0, 800],
          ["USD", 5_000, 1_200, 150, 3_650]
        ]
      )
      for (
        const [name, amounts] of [["volume", [5_000]], ["refunds", [1_200]], ["fees", [-25, 175]], ["net_revenue", [
          25,
          -1_200,
          -175,
          5_000
        ]]] as const
      ) {
        const rows = yield* rowsOf(account, name, { ...february, currency: "USD" })
        assert.deepStrictEqual(rows.map(({ amount }) => amount), [...amounts], name)
        for (const { id, move, posting } of rows) {
          assert.deepStrictEqual([posting?.financial_event_id, move], [id.replace("mrow_", "fe_"), null])
        }
      }
    }))

  it.effect("a currency without anything is answered when it is asked for", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      assert.deepStrictEqual((yield* reportOf(account, {})).currencies, [])
      const [jpy] = (yield* reportOf(account, { currency: "JPY" })).currencies
      assert.deepStrictEqual([jpy?.currency, jpy?.recurring_revenue.closing.value, jpy?.net_revenue.value, jpy?.customer_churn.value], [
        "JPY",
        0,
        0,
        null
      ])
    }))

  it.effect(
    "opening and movements are closing, closing is what the subscriptions are, and rows are the figure, whatever happens",
    () =>
      Effect.gen(function*() {
        const chance = makeChance("metrics")
        const draw = (n: number) => chance.between(0, n - 1)
        for (let run = 0; run < 10; run++) {
          const account = yield* openAccount
          const stranger = yield* openAccount
          const plans = [
            yield* planOf(account, 1 + draw(9_999), "weekly"),
            yield* planOf(account, 1 + draw(9_999), "monthly"),
            yield* planOf(account, 1 + draw(9_999), "quarterly"),
            yield* planOf(account, 1 + draw(99), "annual"),
            yield* planOf(account, 1 + draw(9_999), "annual")
          ]
          yield* write({
            account: stranger,
            id: subscriptionId(),
            version: 1,
            plan: yield* planOf(stranger, 777, "monthly"),
            status: "active",
            day: 0
          })
          const live = new Map<string, Version>()
          const ids = Array.from({ length: 12 }, subscriptionId)
          for (let day = 0; day < 60; day++) {
            const id = ids[draw(ids.length)] ?? ""
            const before = live.get(id)
            if (before?.status === "canceled") continue
            const [plan, status] = [plans[draw(plans.length)], subscriptionStatuses[draw(subscriptionStatuses.length)]]
            if (plan === undefined || status === undefined) continue
            const version: Version = {
              account,
              id,
              version: (before?.version ?? 0) + 1,
              plan,
              status,
              day,
              customer: `customer-${ids.indexOf(id) % 5}`
            }
            yield* write(version)
            live.set(id, version)
          }
          const split = draw(61)
          const time = { from: at(0), to: at(60), currency: "USD" }
          const [[whole], [first], [second]] = [
            (yield* reportOf(account, time)).currencies,
            (yield* reportOf(account, { ...time, from: at(-1), to: at(split) })).currencies,
            (yield* reportOf(account, { ...time, from: at(split), to: at(61) })).currencies
          ]
          if (whole === undefined || first === undefined || second === undefined) return assert.fail("no figures")
          const expected = Array.from(live.values()).filter(({ status }) => counts(status)).reduce(
            (sum, { plan }) => sum + monthly(plan),
            0
          )
          assert.strictEqual(whole.recurring_revenue.closing.value, expected)
          assert.strictEqual(second.recurring_revenue.closing.value, expected)
          assert.strictEqual(first.recurring_revenue.closing.value, second.recurring_revenue.opening.value)
          for (const movement of movements) {
            assert.strictEqual(
              first.recurring_revenue[movement].value + second.recurring_revenue[movement].value,
              whole.recurring_revenue[movement].value
            )
          }
          for (const part of [whole, first, second]) {
            const { closing, opening, ...moved } = part.recurring_revenue
            assert.strictEqual(Object.values(moved).reduce((sum, { value }) => sum + value, opening.value), closing.value)
          }
          const behind = { ...time, from: at(split), to: at(61) }
          for (const name of metricNames.slice(0, 7)) {
            const sum = (yield* rowsOf(account, name, behind)).reduce((total, { amount }) => total + amount, 0)
            const figure = Object.entries(second.recurring_revenue).find(([known]) => known === name)?.[1].value
            assert.strictEqual(sum, figure, name)
          }
        }
      }),
    180_000
  )
})
