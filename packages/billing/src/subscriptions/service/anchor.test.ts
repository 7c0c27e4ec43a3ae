/** The day that was asked for is the day of each period, whatever happens while a short month or a skipped hour shows another one. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import type { BillingSettings } from "@svc/accounts/accounts/settings"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Invoices } from "../../invoices/service/invoices.ts"
import type { CreatePlanRequest } from "../../plans/model.ts"
import type { CreateSubscriptionRequest } from "../model/requests.ts"
import { SubscriptionChanges } from "./changes.ts"
import { cyclesOf, instant, invoicesOf, keyed, openAccount, sell, subscribe, until } from "./fixture.ts"
import { PlanChanges } from "./plan-change.ts"
import { Subscriptions } from "./subscriptions.ts"

type Verb =
  | "pause"
  | "resume"
  | "to the same date"
  | "quarterly at the end"
  | "monthly at the end"
  | "weekly at the end"
  | "decline"
  | "pay"

interface Life {
  readonly plan?: Partial<CreatePlanRequest>
  readonly request?: Partial<CreateSubscriptionRequest>
  readonly billing?: Partial<BillingSettings>
  readonly begins: string
  readonly verbs: ReadonlyArray<readonly [at: string, verb: Verb]>
  readonly until: string
}

interface Case extends Life {
  readonly what: string
  /** When each period began. */
  readonly periods: ReadonlyArray<string>
}

interface Actor {
  readonly account: AccountFacts
  readonly id: string
  readonly plans: Readonly<Record<"monthly" | "quarterly" | "weekly", string>>
}

const changeAtEnd = Effect.fnUntraced(function*({ account, id }: Actor, plan_id: string) {
  const request = { plan_id, proration_behavior: "at_period_end" } as const
  yield* (yield* PlanChanges).change({ account, id, keyed: keyed("subscription.change_plan"), request })
})

const act = Effect.fnUntraced(function*(actor: Actor, verb: Verb) {
  const { account, id, plans } = actor
  const [changes, subscriptions] = [yield* SubscriptionChanges, yield* Subscriptions]
  switch (verb) {
    case "pause":
      return yield* Effect.asVoid(changes.pause({ account, id }))
    case "resume":
      return yield* Effect.asVoid(changes.resume({ account, id }))
    case "to the same date": {
      const { current_period_end: anchor } = yield* subscriptions.get(account.id, id)
      assert.isNull((yield* changes.changeAnchor({ account, id }, { anchor })).line)
      return
    }
    case "quarterly at the end":
      return yield* changeAtEnd(actor, plans.quarterly)
    case "monthly at the end":
      return yield* changeAtEnd(actor, plans.monthly)
    case "weekly at the end":
      return yield* changeAtEnd(actor, plans.weekly)
    case "decline":
      return yield* Effect.asVoid(subscriptions.update(account, id, { payment_method_id: "tok_insufficient_funds" }))
    case "pay": {
      const last = (yield* invoicesOf(account, id)).at(-1)
      yield* (yield* Invoices).pay(account, last?.id ?? "", { payment_method_id: "tok_visa" })
      yield* subscriptions.update(account, id, { payment_method_id: "tok_visa" })
    }
  }
})

/** Plays a life to its end. */
const play = Effect.fnUntraced(function*({ begins, billing = {}, plan, request, until: to, verbs }: Life) {
  yield* TestClock.setTime(instant(begins).epochMilliseconds)
  const account = yield* openAccount(billing)
  const plans = {
    monthly: yield* sell(account),
    quarterly: yield* sell(account, { billing_period: "quarterly" }),
    weekly: yield* sell(account, { billing_period: "weekly" })
  }
  const own = plan === undefined ? plans.monthly : yield* sell(account, plan)
  const { id } = yield* subscribe(account, own, request)
  for (const [at, verb] of verbs) {
    yield* until(account, instant(at))
    yield* act({ account, id, plans }, verb)
  }
  yield* until(account, instant(to))
  const cycles = yield* cyclesOf(account, id)
  return { account, cycles, id, subscription: yield* (yield* Subscriptions).get(account.id, id) }
})

const BERLIN = { time_zone: "Europe/Berlin" } as const

const cases: ReadonlyArray<Case> = [
  {
    what: "paused and resumed at one moment of a short month",
    begins: "2026-01-31T00:00:00.000Z",
    verbs: [["2026-02-10T00:00:00.000Z", "pause"], ["2026-02-10T00:00:00.000Z", "resume"]],
    until: "2026-05-01T00:00:00.000Z",
    periods: ["2026-01-31T00:00:00.000Z", "2026-02-28T00:00:00.000Z", "2026-03-31T00:00:00.000Z", "2026-04-30T00:00:00.000Z"]
  },
  {
    what: "paused for ten minutes of a short month, which move each date by ten minutes",
    begins: "2026-01-31T00:00:00.000Z",
    verbs: [["2026-02-10T08:15:30.456Z", "pause"], ["2026-02-10T08:25:30.456Z", "resume"]],
    until: "2026-04-01T00:00:00.000Z",
    periods: ["2026-01-31T00:00:00.000Z", "2026-02-28T00:10:00.000Z", "2026-03-31T00:10:00.000Z"]
  },
  {
    what: "paused for less than a second, which moves no date to the day before",
    begins: "2026-01-31T00:00:00.000Z",
    verbs: [["2026-02-10T08:15:30.456Z", "pause"], ["2026-02-10T08:15:30.500Z", "resume"]],
    until: "2026-04-01T00:00:00.000Z",
    periods: ["2026-01-31T00:00:00.000Z", "2026-02-28T00:00:00.044Z", "2026-03-31T00:00:00.044Z"]
  },
  {
    what: "moved to the date that it has",
    begins: "2026-01-31T00:00:00.000Z",
    verbs: [["2026-02-10T00:00:00.000Z", "to the same date"]],
    until: "2026-04-01T00:00:00.000Z",
    periods: ["2026-01-31T00:00:00.000Z", "2026-02-28T00:00:00.000Z", "2026-03-31T00:00:00.000Z"]
  },
  {
    what: "from months to quarters and back",
    begins: "2026-01-31T00:00:00.000Z",
    verbs: [["2026-02-10T00:00:00.000Z", "quarterly at the end"], ["2026-06-10T00:00:00.000Z", "monthly at the end"]],
    until: "2026-11-01T00:00:00.000Z",
    periods: [
      "2026-01-31T00:00:00.000Z",
      "2026-02-28T00:00:00.000Z",
      "2026-05-31T00:00:00.000Z",
      "2026-08-31T00:00:00.000Z",
      "2026-09-30T00:00:00.000Z",
      "2026-10-31T00:00:00.000Z"
    ]
  },
  {
    what: "from months to weeks, which are counted from the first of them",
    begins: "2026-01-31T00:00:00.000Z",
    verbs: [["2026-03-10T00:00:00.000Z", "weekly at the end"]],
    until: "2026-04-15T00:00:00.000Z",
    periods: [
      "2026-01-31T00:00:00.000Z",
      "2026-02-28T00:00:00.000Z",
      "2026-03-31T00:00:00.000Z",
      "2026-04-07T00:00:00.000Z",
      "2026-04-14T00:00:00.000Z"
    ]
  },
  {
    what: "paused and resumed in a year without 29 February",
    plan: { billing_period: "annual" },
    begins: "2028-02-29T12:00:00.000Z",
    verbs: [["2029-05-01T00:00:00.000Z", "pause"], ["2029-05-01T00:00:00.000Z", "resume"]],
    until: "2032-03-01T00:00:00.000Z",
    periods: [
      "2028-02-29T12:00:00.000Z",
      "2029-02-28T12:00:00.000Z",
      "2030-02-28T12:00:00.000Z",
      "2031-02-28T12:00:00.000Z",
      "2032-02-29T12:00:00.000Z"
    ]
  },
  {
    what: "paused and resumed before the hour that summer time skips",
    request: BERLIN,
    begins: "2026-01-29T02:30:00.000+01:00",
    verbs: [["2026-03-10T00:00:00.000Z", "pause"], ["2026-03-10T00:00:00.000Z", "resume"]],
    until: "2026-05-01T00:00:00.000Z",
    periods: [
      "2026-01-29T01:30:00.000Z",
      // There is no 29 February, and on 29 March 02:30 is 03:30.
      "2026-02-28T01:30:00.000Z",
      "2026-03-29T01:30:00.000Z",
      "2026-04-29T00:30:00.000Z"
    ]
  },
  {
    what: "paused by a cycle that failed for good and is paid at once",
    billing: { on_exhaustion: "pause" },
    begins: "2025-12-31T00:00:00.000Z",
    verbs: [["2026-01-10T00:00:00.000Z", "decline"], ["2026-02-03T00:00:00.000Z", "pay"]],
    until: "2026-04-01T00:00:00.000Z",
    periods: ["2025-12-31T00:00:00.000Z", "2026-01-31T00:00:00.000Z", "2026-02-28T00:00:00.000Z", "2026-03-31T00:00:00.000Z"]
  },
  {
    what: "paused in a trial that an anchor follows",
    plan: { trial_period_days: 14 },
    request: { billing_cycle_anchor: instant("2026-03-01T00:00:00.000Z") },
    begins: "2026-02-01T00:00:00.000Z",
    verbs: [["2026-02-05T00:00:00.000Z", "pause"], ["2026-02-08T00:00:00.000Z", "resume"]],
    until: "2026-04-02T00:00:00.000Z",
    periods: ["2026-02-18T00:00:00.000Z", "2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]
  }
]

layer(services, { timeout: 120_000 })("the anchor of a subscription", (it) => {
  for (const { periods, what, ...life } of cases) {
    it.effect(`stays what was asked for: ${what}`, () =>
      Effect.gen(function*() {
        const { cycles } = yield* play(life)
        assert.deepStrictEqual(cycles.map(({ period_start }) => DateTime.formatIso(period_start)), periods)
        assert.deepStrictEqual(cycles.map(({ status }) => status), cycles.map(() => "charged"))
      }))
  }

  it.effect("weeks are those of the zone's calendar, and cost what they are: one of 169 hours is prorated by its seconds", () =>
    Effect.gen(function*() {
      const { account, cycles, id } = yield* play({
        plan: { billing_period: "weekly", amount: 1_690 },
        request: { time_zone: "America/New_York" },
        begins: "2026-10-19T00:00:00.000-04:00",
        verbs: [],
        until: "2026-10-28T00:00:00.000-04:00"
      })
      assert.deepStrictEqual(cycles.map(({ period_start }) => DateTime.formatIso(period_start)), [
        "2026-10-19T04:00:00.000Z",
        "2026-10-26T04:00:00.000Z"
      ])
      const { current_period_end } = yield* (yield* Subscriptions).get(account.id, id)
      assert.strictEqual(DateTime.formatIso(current_period_end), "2026-11-02T05:00:00.000Z", "Monday at midnight, in winter time")
      const other = yield* sell(account, { billing_period: "weekly", amount: 3_380 })
      const { lines } = yield* (yield* SubscriptionChanges).preview({ account, id }, { plan_id: other, proration_behavior: "now" })
      // Two days are over, and 121 of 169 hours are left.
      assert.deepStrictEqual(lines.map(({ amount, period_seconds, seconds }) => [amount, seconds, period_seconds]), [
        [-1_210, 121 * 3_600, 169 * 3_600],
        [2_420, 121 * 3_600, 169 * 3_600]
      ])
    }))

  it.effect("a trial ends at the time of day at which it began, in the zone of the account where no other is sent", () =>
    Effect.gen(function*() {
      const { cycles, subscription } = yield* play({
        billing: { time_zone: "America/New_York" },
        plan: { trial_period_days: 30 },
        begins: "2026-10-20T09:00:00.000-04:00",
        verbs: [],
        until: "2026-11-20T00:00:00.000Z"
      })
      assert.strictEqual(subscription.time_zone, "America/New_York")
      const end = instant("2026-11-19T09:00:00.000-05:00").epochMilliseconds
      assert.strictEqual(subscription.trial_end?.epochMilliseconds, end)
      assert.deepStrictEqual(cycles.map(({ period_start }) => period_start.epochMilliseconds), [end])
    }))
})
