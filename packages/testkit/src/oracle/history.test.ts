/** Histories that were worked out by hand, and many that were not, whose money must be their time. In January 3100 is 100 a day. */
import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { ask, hasPython } from "./ask.ts"
import { randomHistories } from "./histories.ts"

const Answer = Schema.Struct({
  status: Schema.String,
  period_end: Schema.Int,
  credit_balance: Schema.Int,
  refused: Schema.Array(Schema.Int),
  cycles: Schema.Array(Schema.Struct({
    kind: Schema.String,
    status: Schema.String,
    period_start: Schema.Int,
    period_end: Schema.Int,
    amount: Schema.Int,
    lines: Schema.Array(Schema.Struct({ kind: Schema.String, amount: Schema.Int })),
    credit_applied: Schema.Int,
    adjustment: Schema.Int,
    effective: Schema.Int,
    retries: Schema.Int,
    captured: Schema.Int,
    refunded: Schema.Int,
    credit_granted: Schema.Int
  })),
  captured: Schema.Int,
  refunded: Schema.Int,
  disputed: Schema.Int,
  waived: Schema.Int,
  forfeited: Schema.Int
})
type Answer = typeof Answer.Type
const decode = Schema.decodeUnknownSync(Answer)
const read = Schema.decodeUnknownSync(Schema.fromJsonString(Answer))

const plans = {
  small: { amount: 3100, period: "monthly" },
  large: { amount: 6200, period: "monthly" },
  year: { amount: 36_500, period: "annual" },
  quarter: { amount: 9300, period: "quarterly" },
  tried: { amount: 3100, period: "monthly", trial_days: 14 },
  whole: { amount: 3100, period: "monthly", allow_proration: false }
}

/** Midnight of the day of 2026. */
const on = (day: string): number => Date.parse(`2026-${day}T00:00:00.000Z`)

interface Operation {
  readonly on: string
  readonly do: string
  readonly [field: string]: unknown
}

const history = (until: string, operations: ReadonlyArray<Operation>, on_exhaustion: "cancel" | "pause" = "cancel") => ({
  ask: "history",
  on_exhaustion,
  time_zone: "UTC",
  plans,
  operations: operations.map(({ on: day, ...operation }) => ({ at: on(day), ...operation })),
  until: on(until)
})

/** What of the cycles is compared: what they are for, from when, what was to be charged, and what became of it. */
const cyclesOf = ({ cycles }: Answer) =>
  cycles.map(({ effective, kind, period_start, status }) =>
    `${kind} ${new Date(period_start).toISOString().slice(5, 10)} ${effective} ${status}`
  )

const create = (plan = "small"): Operation => ({ on: "01-01", do: "create", plan })
const change = (plan: string, behavior: string, day = "01-11"): Operation => ({ on: day, do: "change_plan", plan, behavior })
const dispute = (day: string, amount: number, outcome: string): Operation => ({ on: day, do: "dispute", cycle: 0, amount, outcome })
const transfer = (day: string, cycle: number): Operation => ({ on: day, do: "record", cycle, success: true, elsewhere: true })
const card = (day: string, declines: string | null, fresh = false): Operation => ({ on: day, do: "card", declines, new: fresh })

/** The period ends on the 15th, so that 17 of its days wait as credit. */
const shortened = [create(), { on: "01-11", do: "change_anchor", anchor: on("01-15") }]

interface Case {
  readonly what: string
  readonly until: string
  readonly on_exhaustion?: "pause"
  readonly operations: ReadonlyArray<Operation>
  readonly cycles: ReadonlyArray<string>
  readonly rest?: Partial<Answer>
}

const cases: ReadonlyArray<Case> = [
  {
    what: "an upgrade now is charged at once, for the 21 days that are left",
    until: "02-10",
    operations: [create(), change("large", "now")],
    cycles: ["period 01-01 3100 charged", "change 01-11 2100 charged", "period 02-01 6200 charged"]
  },
  {
    what: "an upgrade now that is declined did not happen",
    until: "02-10",
    operations: [create(), card("01-10", "do_not_honor"), change("large", "now"), card("01-12", null)],
    cycles: ["period 01-01 3100 charged", "change 01-11 2100 voided", "period 02-01 3100 charged"],
    rest: { captured: 6200, credit_balance: 0 }
  },
  {
    what: "a downgrade waits and makes the next cycle cheaper",
    until: "03-10",
    operations: [create("large"), change("small", "next_cycle")],
    cycles: ["period 01-01 6200 charged", "period 02-01 1000 charged", "period 03-01 3100 charged"]
  },
  {
    what: "a downgrade now leaves credit, which the next cycle uses",
    until: "02-10",
    operations: [create("large"), change("small", "now")],
    cycles: ["period 01-01 6200 charged", "change 01-11 0 charged", "period 02-01 1000 charged"]
  },
  {
    what: "what the bank took back is not credit any more, and is paid by the next cycle",
    until: "02-10",
    operations: [create("large"), change("small", "next_cycle"), dispute("01-12", 6200, "accepted")],
    cycles: ["period 01-01 6200 charged", "period 02-01 5200 charged"],
    rest: { disputed: 6200, captured: 11_400, credit_balance: 0 }
  },
  {
    what: "a dispute that is won leaves everything as it was",
    until: "02-10",
    operations: [create("large"), change("small", "next_cycle"), dispute("01-12", 6200, "won")],
    cycles: ["period 01-01 6200 charged", "period 02-01 1000 charged"],
    rest: { disputed: 0, credit_balance: 0 }
  },
  {
    what: "a dispute that is won after the cycle that took the credit gives it back to the next",
    until: "03-10",
    operations: [create("large"), change("small", "next_cycle"), dispute("01-30", 6200, "won")],
    cycles: ["period 01-01 6200 charged", "period 02-01 5200 charged", "period 03-01 0 charged"],
    rest: { disputed: 0, credit_balance: 1100 }
  },
  {
    what: "credit that is spent stays spent when its money is disputed",
    until: "03-10",
    operations: [create("large"), change("small", "next_cycle"), dispute("02-02", 6200, "lost")],
    cycles: ["period 01-01 6200 charged", "period 02-01 1000 charged", "period 03-01 3100 charged"],
    rest: { disputed: 6200, credit_balance: 0 }
  },
  {
    what: "credit that an open cycle has when its money is disputed does not come back when that cycle fails",
    until: "01-25",
    operations: [...shortened, card("01-12", "do_not_honor"), dispute("01-16", 3100, "lost")],
    cycles: ["period 01-01 3100 charged", "period 01-15 1400 failed"],
    rest: { status: "canceled", disputed: 3100, credit_balance: 0, waived: 3100 }
  },
  {
    what: "but with the dispute that is won",
    until: "01-25",
    operations: [...shortened, card("01-12", "do_not_honor"), dispute("01-16", 3100, "won")],
    cycles: ["period 01-01 3100 charged", "period 01-15 1400 failed"],
    rest: { status: "canceled", disputed: 0, credit_balance: 1700 }
  },
  {
    what: "and is spent where that cycle is charged after all",
    until: "01-25",
    operations: [...shortened, card("01-12", "do_not_honor"), dispute("01-16", 3100, "won"), card("01-17", null, true)],
    cycles: ["period 01-01 3100 charged", "period 01-15 1400 charged"],
    rest: { status: "active", disputed: 0, credit_balance: 0 }
  },
  ...(["dispute first", "cancellation first"] as const).map((order): Case => ({
    what: `a dispute that is won and a cancellation at once leave the same credit: ${order}`,
    until: "01-25",
    operations: [
      create("large"),
      change("small", "next_cycle"),
      ...(order === "dispute first"
        ? [dispute("01-12", 6200, "won"), { on: "01-13", do: "cancel" }]
        : [{ on: "01-12", do: "cancel" }, dispute("01-13", 6200, "won")])
    ],
    cycles: ["period 01-01 6200 charged"],
    rest: { status: "canceled", disputed: 0, credit_balance: 2100, waived: 0 }
  })),
  {
    what: "a change after a dispute has nothing to give, whether it is decided or not",
    until: "02-10",
    operations: [create(), dispute("01-05", 3100, "expired"), change("large", "next_cycle")],
    cycles: ["period 01-01 3100 charged", "period 02-01 10400 charged"],
    rest: { disputed: 3100, forfeited: 2100 }
  },
  {
    what: "nothing is refunded or disputed while a dispute is open, and afterwards what is left",
    until: "01-30",
    operations: [
      create(),
      dispute("01-05", 1000, "expired"),
      dispute("01-06", 100, "won"),
      ...[["01-06", 100], ["01-26", 2101], ["01-26", 2100]].map(([on, amount]) => ({ on: String(on), do: "refund", cycle: 0, amount }))
    ],
    cycles: ["period 01-01 3100 charged"],
    rest: { disputed: 1000, refunded: 2100, refused: [2, 3, 4] }
  },
  {
    what: "what an unpaid cycle was to charge for time before is owed again after a pause",
    until: "02-20",
    operations: [create(), change("large", "next_cycle"), card("01-30", "stolen_card"), { on: "02-02", do: "pause" }, card("02-05", null), {
      on: "02-06",
      do: "resume"
    }],
    cycles: ["period 01-01 3100 charged", "period 02-01 8300 voided", "period 02-06 8300 charged"],
    rest: { waived: 6200 }
  },
  {
    what: "up and down again on one day costs nothing",
    until: "02-10",
    operations: [create(), change("large", "next_cycle"), change("small", "next_cycle")],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"]
  },
  {
    what: "a change at the end of the period costs the same until then",
    until: "02-10",
    operations: [create(), change("large", "at_period_end")],
    cycles: ["period 01-01 3100 charged", "period 02-01 6200 charged"]
  },
  {
    what: "a change without proration gives no credit of a price that nobody paid",
    until: "02-10",
    operations: [create(), change("large", "none"), change("small", "next_cycle", "01-21")],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"]
  },
  {
    what: "a plan without proration changes at the end only",
    until: "01-20",
    operations: [create("whole"), change("large", "next_cycle"), change("large", "at_period_end")],
    cycles: ["period 01-01 3100 charged"],
    rest: { refused: [1] }
  },
  {
    what: "from months to years: the unused days are given back, and the year begins now",
    until: "02-10",
    operations: [create(), change("year", "next_cycle")],
    cycles: ["period 01-01 3100 charged", "period 01-11 34400 charged"],
    rest: { period_end: Date.UTC(2027, 0, 11) }
  },
  {
    what: "a refund stops where credit was granted",
    until: "02-10",
    operations: [create("large"), change("small", "next_cycle"), { on: "01-12", do: "refund", cycle: 0, amount: 2001 }, {
      on: "01-12",
      do: "refund",
      cycle: 0,
      amount: 2000
    }],
    cycles: ["period 01-01 6200 charged", "period 02-01 1000 charged"],
    rest: { refused: [2], refunded: 2000 }
  },
  {
    what: "a refund of everything takes the credit back that is not spent",
    until: "02-10",
    operations: [create("large"), change("small", "next_cycle"), {
      on: "01-12",
      do: "refund",
      cycle: 0,
      amount: 6200,
      reverse_credit: true
    }],
    cycles: ["period 01-01 6200 refunded", "period 02-01 5200 charged"]
  },
  {
    what: "and not the credit that is",
    until: "02-10",
    operations: [create("large"), change("small", "next_cycle"), {
      on: "02-02",
      do: "refund",
      cycle: 0,
      amount: 6200,
      reverse_credit: true
    }],
    cycles: ["period 01-01 6200 charged", "period 02-01 1000 charged"],
    rest: { refused: [2] }
  },
  {
    what: "a period whose money was given back gives no credit",
    until: "02-10",
    operations: [create("large"), { on: "01-10", do: "refund", cycle: 0, amount: 6200 }, change("small", "next_cycle")],
    cycles: ["period 01-01 6200 refunded", "period 02-01 5200 charged"],
    rest: { forfeited: 4200 }
  },
  {
    what: "a pause of ten days moves the end by ten days, and the price of a day stays",
    until: "03-01",
    operations: [create(), { on: "01-11", do: "pause" }, { on: "01-21", do: "resume" }, change("large", "now", "01-31")],
    cycles: ["period 01-01 3100 charged", "change 01-31 1100 charged", "period 02-11 6200 charged"],
    rest: { period_end: on("03-11") }
  },
  {
    what: "a pause of no time keeps the 31st through February",
    until: "04-01",
    operations: [{ on: "01-31", do: "create", plan: "small" }, { on: "02-10", do: "pause" }, { on: "02-10", do: "resume" }],
    cycles: ["period 01-31 3100 charged", "period 02-28 3100 charged", "period 03-31 3100 charged"],
    rest: { period_end: on("04-30") }
  },
  {
    what: "so does an anchor that is moved to the date that the period ends at",
    until: "04-01",
    operations: [{ on: "01-31", do: "create", plan: "small" }, { on: "02-10", do: "change_anchor", anchor: on("02-28") }],
    cycles: ["period 01-31 3100 charged", "period 02-28 3100 charged", "period 03-31 3100 charged"]
  },
  {
    what: "so do quarters, and months after them",
    until: "10-01",
    operations: [
      { on: "01-31", do: "create", plan: "small" },
      change("quarter", "at_period_end", "02-10"),
      change("small", "at_period_end", "06-10")
    ],
    cycles: [
      "period 01-31 3100 charged",
      "period 02-28 9300 charged",
      "period 05-31 9300 charged",
      "period 08-31 3100 charged",
      "period 09-30 3100 charged"
    ],
    rest: { period_end: on("10-31") }
  },
  {
    what: "an anchor four days earlier",
    until: "02-20",
    operations: [create(), { on: "01-11", do: "change_anchor", anchor: on("01-15") }],
    cycles: ["period 01-01 3100 charged", "period 01-15 1400 charged", "period 02-15 3100 charged"]
  },
  {
    what: "an anchor four days later, and then a change of plan for all 25 days that are left",
    until: "02-10",
    operations: [create(), { on: "01-11", do: "change_anchor", anchor: on("02-05") }, change("large", "now")],
    cycles: ["period 01-01 3100 charged", "change 01-11 2900 charged", "period 02-05 6200 charged"]
  },
  {
    what: "an anchor that is past, or more than a period away, is refused",
    until: "02-10",
    operations: [create(), { on: "01-11", do: "change_anchor", anchor: on("01-11") }, {
      on: "01-11",
      do: "change_anchor",
      anchor: on("03-01") + 1
    }],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"],
    rest: { refused: [1, 2] }
  },
  {
    what: "a trial costs nothing, whatever the plan",
    until: "02-20",
    operations: [create("tried"), change("large", "next_cycle", "01-05")],
    cycles: ["period 01-15 6200 charged", "period 02-15 6200 charged"]
  },
  {
    what: "a card that is declined four times",
    until: "02-20",
    operations: [create(), card("01-20", "insufficient_funds")],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 failed"],
    rest: { status: "canceled", waived: 3100 }
  },
  {
    what: "a card that is declined three times",
    until: "02-20",
    operations: [create(), card("01-20", "insufficient_funds"), card("02-03", null)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"],
    rest: { status: "active", period_end: on("03-01") }
  },
  {
    what: "a stolen card and a new one",
    until: "02-20",
    operations: [create(), card("01-20", "stolen_card"), card("02-03", null, true)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"]
  },
  {
    what: "a stolen card and no new one",
    until: "02-20",
    operations: [create(), card("01-20", "stolen_card"), card("02-05", null, true)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 failed"],
    rest: { status: "canceled" }
  },
  {
    what: "an end that was asked for while past due stops the tries",
    until: "02-20",
    operations: [create(), card("01-20", "do_not_honor"), { on: "02-02", do: "cancel", at_period_end: true }, card("02-02", null)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 failed"]
  },
  {
    what: "unless they are asked for",
    until: "03-20",
    operations: [
      create(),
      card("01-20", "do_not_honor"),
      { on: "02-02", do: "cancel", at_period_end: true, keep_collecting: true },
      card("02-02", null)
    ],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"],
    rest: { status: "canceled" }
  },
  {
    what: "cancelled at the end, what is owed is a last cycle",
    until: "02-20",
    operations: [create(), change("large", "next_cycle"), { on: "01-12", do: "cancel", at_period_end: true }],
    cycles: ["period 01-01 3100 charged", "final 02-01 2100 charged"],
    rest: { status: "canceled" }
  },
  {
    what: "cancelled at once, it is waived",
    until: "02-20",
    operations: [create(), change("large", "next_cycle"), { on: "01-12", do: "cancel" }],
    cycles: ["period 01-01 3100 charged"],
    rest: { waived: 2100, credit_balance: 0 }
  },
  {
    what: "cancelled at once, what was to be given back is credit",
    until: "02-20",
    operations: [create("large"), change("small", "next_cycle"), { on: "01-12", do: "cancel" }],
    cycles: ["period 01-01 6200 charged"],
    rest: { waived: 0, credit_balance: 2100 }
  },
  {
    what: "credit that a refund takes back is not left when it is cancelled at once",
    until: "02-20",
    operations: [
      create("large"),
      change("small", "now"),
      { on: "01-12", do: "refund", cycle: 0, amount: 4100, reverse_credit: true },
      { on: "01-13", do: "cancel" }
    ],
    cycles: ["period 01-01 6200 charged", "change 01-11 0 charged"],
    rest: { refunded: 4100, credit_balance: 0, waived: 0 }
  },
  {
    what: "credit that a charge used comes back when the whole charge is refunded, and pays for the next cycle",
    until: "02-10",
    operations: [create(), change("large", "now"), { on: "01-12", do: "refund", cycle: 1 }],
    cycles: ["period 01-01 3100 charged", "change 01-11 2100 refunded", "period 02-01 4100 charged"],
    rest: { refunded: 2100, credit_balance: 0 }
  },
  {
    what: "that credit is refunded with the older payment where it is taken back",
    until: "01-20",
    operations: [
      create(),
      change("large", "now"),
      { on: "01-12", do: "refund", cycle: 1 },
      { on: "01-13", do: "refund", cycle: 0, reverse_credit: true }
    ],
    cycles: ["period 01-01 3100 refunded", "change 01-11 2100 refunded"],
    rest: { refunded: 5200, credit_balance: 0, refused: [] }
  },
  {
    what: "a last cycle is tried by the schedule, of a subscription that has ended",
    until: "02-20",
    operations: [
      create(),
      change("large", "next_cycle"),
      { on: "01-12", do: "cancel", at_period_end: true },
      card("01-20", "do_not_honor"),
      { ...card("02-02", null), at: on("02-02") - 1 }
    ],
    cycles: ["period 01-01 3100 charged", "final 02-01 2100 charged"],
    rest: { status: "canceled", period_end: on("02-01") }
  },
  {
    what: "a bank transfer that comes after the cycle has failed pays it, and what was cancelled stays so",
    until: "03-20",
    operations: [create(), card("01-20", "insufficient_funds"), transfer("02-10", 1)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"],
    rest: { status: "canceled", captured: 6200, waived: 0 }
  },
  {
    what: "what it had paused goes on with the 25 days that were left then",
    until: "03-10",
    on_exhaustion: "pause",
    operations: [create(), card("01-20", "insufficient_funds"), transfer("02-10", 1), card("02-12", null)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged", "period 03-07 3100 charged"],
    rest: { status: "active", waived: 0 }
  },
  {
    what: "a charge that is asked for pays it too, unless it is declined",
    until: "03-01",
    on_exhaustion: "pause",
    operations: [create(), card("01-20", "insufficient_funds"), { on: "02-10", do: "charge_now", cycle: 1 }, card("02-11", null), {
      on: "02-11",
      do: "charge_now",
      cycle: -1
    }, { on: "02-11", do: "charge_now", cycle: -1 }],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged"],
    rest: { status: "active", refused: [2, 5], period_end: on("03-08") }
  },
  {
    what: "the credit that came back when it failed pays for it again",
    until: "02-20",
    operations: [create("large"), change("small", "now"), card("01-20", "do_not_honor"), transfer("02-10", -1)],
    cycles: ["period 01-01 6200 charged", "change 01-11 0 charged", "period 02-01 1000 charged"],
    rest: { status: "canceled", credit_balance: 0, waived: 0, captured: 7200 }
  },
  {
    what: "and is asked for by the next cycle where it is spent",
    until: "03-10",
    on_exhaustion: "pause",
    operations: [
      create("large"),
      change("small", "now"),
      card("01-20", "do_not_honor"),
      card("02-06", null),
      { on: "02-06", do: "resume" },
      transfer("02-10", 2)
    ],
    cycles: [
      "period 01-01 6200 charged",
      "change 01-11 0 charged",
      "period 02-01 1000 charged",
      "period 02-06 1000 charged",
      // Its price, the 2100 that are spent, and less the 23 of 28 days that the cycle from the 6th sells, too.
      "period 03-06 2654 charged"
    ],
    rest: { status: "active", credit_balance: 0, waived: 0 }
  },
  {
    what: "the days that a newer period sells, too, are given back: 18 of 28",
    until: "03-20",
    on_exhaustion: "pause",
    operations: [
      create(),
      card("01-20", "do_not_honor"),
      card("02-11", null),
      { on: "02-11", do: "resume" },
      transfer("02-20", 1)
    ],
    cycles: [
      "period 01-01 3100 charged",
      "period 02-01 3100 charged",
      "period 02-11 3100 charged",
      "period 03-11 1107 charged"
    ],
    rest: { status: "active", credit_balance: 0, waived: 0, forfeited: 0 }
  },
  {
    what: "so they are where the newer one has failed, too, and of one that was cancelled they are credit",
    until: "03-20",
    on_exhaustion: "pause",
    operations: [
      create(),
      card("01-20", "do_not_honor"),
      { on: "02-11", do: "resume" },
      { on: "02-18", do: "cancel" },
      transfer("02-20", 1)
    ],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged", "period 02-11 3100 failed"],
    rest: { status: "canceled", credit_balance: 1993 }
  },
  // 2100 of credit are used by February, and the bank takes the 6200 back that they are of, with 2100 when February fails on the 4th.
  ...["expired", "won"].map((outcome): Case => ({
    what: `what a dispute took back of it is used up with a subscription that has ended, and does not return when it is ${outcome}`,
    until: "03-10",
    operations: [
      create("large"),
      change("small", "now"),
      card("01-20", "do_not_honor"),
      dispute("02-03", 6200, outcome),
      transfer("02-07", -1)
    ],
    cycles: ["period 01-01 6200 charged", "change 01-11 0 charged", "period 02-01 1000 charged"],
    rest: { status: "canceled", captured: 7200, disputed: outcome === "won" ? 0 : 6200, credit_balance: 0, waived: 0 }
  })),
  // Paid on the 7th, February goes on for the 25 days that were left on the 4th.
  ...["expired", "won"].map((outcome): Case => ({
    what:
      `and is asked for by the next cycle of one that goes on: which has 2100 of credit where the dispute is won meanwhile (${outcome})`,
    until: "03-10",
    on_exhaustion: "pause",
    operations: [
      create("large"),
      change("small", "now"),
      card("01-20", "do_not_honor"),
      dispute("02-03", 6200, outcome),
      card("02-06", null),
      transfer("02-07", -1)
    ],
    cycles: [
      "period 01-01 6200 charged",
      "change 01-11 0 charged",
      "period 02-01 1000 charged",
      `period 03-04 ${outcome === "won" ? 3100 : 5200} charged`
    ],
    rest: { status: "active", disputed: outcome === "won" ? 0 : 6200, credit_balance: 0, waived: 0 }
  })),
  {
    what: "a recorded failure does not make a stolen card one that is tried by itself",
    until: "02-20",
    operations: [create(), card("01-20", "stolen_card"), { on: "02-02", do: "record", cycle: 1, success: false }, card("02-02", null)],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 failed"],
    rest: { status: "canceled" }
  },
  {
    what: "nor one that is refused for good only when a charge is asked for",
    until: "02-20",
    operations: [
      create(),
      card("01-20", "do_not_honor"),
      card("02-01", "lost_card"),
      { on: "02-01", do: "charge_now", cycle: 1 },
      card("02-01", null)
    ],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 failed"],
    rest: { refused: [3] }
  },
  {
    what: "a schedule that changes while the cycle is open is that of the next",
    until: "03-19",
    operations: [
      create(),
      card("01-20", "do_not_honor"),
      { on: "02-02", do: "dunning", tries_ms: [0, 17 * 86_400_000] },
      card("02-03", null),
      card("02-20", "do_not_honor"),
      card("03-10", null)
    ],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 charged", "period 03-01 3100 charged"],
    rest: { status: "active" }
  },
  {
    what: "what is to end with its period does not resume with a new one, but for the 21 days that are left",
    until: "03-01",
    operations: [create(), { on: "01-05", do: "cancel", at_period_end: true }, { on: "01-11", do: "pause" }, {
      on: "01-20",
      do: "resume",
      new_period: true
    }, { on: "01-21", do: "resume" }],
    cycles: ["period 01-01 3100 charged"],
    rest: { status: "canceled", refused: [3], period_end: on("02-11"), credit_balance: 0 }
  },
  {
    what: "nor with nothing left",
    until: "03-01",
    operations: [create(), card("01-20", "stolen_card"), { on: "02-02", do: "pause" }, { on: "02-03", do: "cancel", at_period_end: true }, {
      on: "02-04",
      do: "resume"
    }],
    cycles: ["period 01-01 3100 charged", "period 02-01 3100 voided"],
    rest: { status: "paused", refused: [4] }
  }
]

if (!hasPython) {
  process.stderr.write("skipped: the oracle of billing needs python3 3.9 or later with zoneinfo, and there is none on this machine\n")
}

describe.skipIf(!hasPython)("the oracle's histories", () => {
  const known = { zones: ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"], from: 2026, to: 2052 }

  it("are those that were worked out by hand", () => {
    const answers = ask(cases.map(({ on_exhaustion, operations, until }) => history(until, operations, on_exhaustion)), known, read)
    assert.strictEqual(answers.length, cases.length)
    for (const [index, { cycles, rest = {}, what }] of cases.entries()) {
      const answer = answers[index]
      if (answer === undefined) return assert.fail(what)
      assert.deepStrictEqual(cyclesOf(answer), cycles, what)
      assert.deepInclude(answer, rest, what)
    }
  })

  it("are those of its README", () => {
    const blocks = readFileSync(new URL("README.md", import.meta.url), "utf8").split("\n").filter((line) => line.startsWith("    {")).map((
      line
    ) => parseJson(line))
    const asked = blocks.filter((block): block is object => typeof block === "object" && block !== null && "ask" in block)
    const answers = ask(asked, known, parseJson)
    // The first three have their whole answers beside them, the histories what is said of them in words.
    assert.deepStrictEqual(answers.slice(0, 3), blocks.filter((block) => !asked.some((one) => one === block)))
    const [upgrade, downgrade] = answers.slice(3).map((answer) => decode(answer))
    assert.deepStrictEqual(
      upgrade?.cycles.map(({ credit_granted, effective, lines }) => [effective, credit_granted, lines.map(({ amount }) => amount)]),
      [
        [500, 484, []],
        [3451, 0, [-484, 1935]]
      ]
    )
    assert.deepStrictEqual(
      downgrade?.cycles.map(({ credit_applied, effective, retries, status }) => [effective, credit_applied, retries, status]),
      [
        [2000, 0, 0, "charged"],
        [0, 0, 0, "charged"],
        [250, 250, 4, "failed"]
      ]
    )
    assert.deepInclude(downgrade, { captured: 2000, waived: 500, credit_balance: 250, status: "canceled" })
  })

  it("charge what the time costs, in every history", () => {
    const histories = randomHistories(11, 1000, known.zones)
    for (const [index, { cycles, credit_balance, forfeited, refunded }] of ask(histories, known, read).entries()) {
      assert.isAtLeast(credit_balance, 0)
      // Only what was refunded, or disputed for a while, makes a period worth less than its time.
      if (refunded === 0 && histories[index]?.operations.every((operation) => operation.do !== "dispute")) assert.strictEqual(forfeited, 0)
      for (const cycle of cycles) {
        assert.strictEqual(cycle.adjustment, cycle.lines.reduce((sum, line) => sum + line.amount, 0) - cycle.credit_applied)
        assert.strictEqual(cycle.effective, Math.max(0, cycle.amount + cycle.adjustment))
        assert.isAtMost(cycle.refunded + cycle.credit_granted, cycle.captured)
        assert.isAtMost(cycle.captured, cycle.effective)
      }
      const paid = cycles.filter(({ kind, status }) => kind === "period" && status === "charged")
      assert.strictEqual(new Set(paid.map(({ period_start }) => period_start)).size, paid.length, "a period charged twice")
    }
  })
})
