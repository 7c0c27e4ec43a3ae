/** Histories that once went wrong, as short as they could be made. They are played in every run of the tests. */
import type { HistoryQuestion } from "../oracle/histories.ts"

const monthly = (amount: number) => ({ amount, period: "monthly", trial_days: 0 })

/** Noon of the day of January 2026. */
const january = (day: number): number => Date.UTC(2026, 0, day, 12)

/**
 * Seventeen days of 31 wait as credit, the cycle that uses them is declined, and the bank takes the money of the first one back meanwhile.
 */
const disputedWhileOpen = (
  outcome: string,
  later: HistoryQuestion["operations"] = [],
  on_exhaustion: HistoryQuestion["on_exhaustion"] = "cancel"
): HistoryQuestion => ({
  ask: "history",
  time_zone: "UTC",
  on_exhaustion,
  plans: { a: monthly(3_100) },
  operations: [
    { at: january(1), do: "create", plan: "a" },
    { at: january(11), do: "change_anchor", anchor: january(15) },
    { at: january(12), do: "card", declines: "insufficient_funds", new: false },
    { at: january(16), do: "dispute", cycle: 0, amount: 3_100, outcome },
    ...later
  ],
  until: january(30)
})

/** A downgrade whose credit waits; the bank takes the money back, and the subscription is cancelled at once. */
const disputedAndCancelled = (verbs: readonly [string, string], outcome: string): HistoryQuestion => ({
  ask: "history",
  time_zone: "UTC",
  on_exhaustion: "cancel",
  plans: { a: monthly(6_200), b: monthly(3_100) },
  operations: [
    { at: january(1), do: "create", plan: "a" },
    { at: january(11), do: "change_plan", plan: "b", behavior: "next_cycle" },
    ...verbs.map((verb, n) =>
      verb === "cancel" ? { at: january(12 + n), do: verb } : { at: january(12 + n), do: verb, cycle: 0, amount: 5_000, outcome }
    )
  ],
  until: january(30)
})

/** A subscription that begins on the 31st, with what a short month made the day of all later ones. */
const onThe31st = (operations: HistoryQuestion["operations"]): HistoryQuestion => ({
  ask: "history",
  time_zone: "Europe/Berlin",
  on_exhaustion: "cancel",
  plans: {
    a: monthly(3_100),
    b: { amount: 9_300, period: "quarterly", trial_days: 0 },
    c: { amount: 700, period: "weekly", trial_days: 0 }
  },
  operations: [{ at: january(31), do: "create", plan: "a" }, ...operations],
  until: january(300)
})

export const pinned: ReadonlyArray<HistoryQuestion> = [
  onThe31st([{ at: january(41), do: "pause" }, { at: january(41), do: "resume" }]),
  onThe31st([{ at: january(41) + 456, do: "pause" }, { at: january(41) + 500, do: "resume" }]),
  onThe31st([{ at: january(41), do: "change_anchor", anchor: january(59) }]),
  onThe31st([{ at: january(41), do: "change_plan", plan: "b", behavior: "at_period_end" }, {
    at: january(160),
    do: "change_plan",
    plan: "a",
    behavior: "at_period_end"
  }]),
  // Weeks over both changes of the clocks.
  onThe31st([{ at: january(41), do: "change_plan", plan: "c", behavior: "now" }]),
  // Credit whose money was disputed came back with the charge that had it and failed.
  ...["won", "lost", "expired"].map((outcome) => disputedWhileOpen(outcome)),
  disputedWhileOpen("won", [{ at: january(17), do: "card", declines: null, new: true }]),
  disputedWhileOpen("lost", [{ at: january(17), do: "cancel" }]),
  disputedWhileOpen("won", [{ at: january(17), do: "pause" }, { at: january(25), do: "resume" }]),
  // The cycle that had the disputed credit is paid after it has failed for good: while the dispute is open, and after its end.
  ...["won", "lost", "expired"].flatMap((outcome) =>
    (["cancel", "pause"] as const).flatMap((on_exhaustion) =>
      [19, 25].map((day) =>
        disputedWhileOpen(outcome, [{ at: january(day), do: "record", cycle: 1, success: true }, {
          at: january(26),
          do: "card",
          declines: null,
          new: false
        }], on_exhaustion)
      )
    )
  ),
  // A dispute before a cancellation at once left more credit than one after it.
  ...["won", "lost"].flatMap((
    outcome
  ) => [disputedAndCancelled(["dispute", "cancel"], outcome), disputedAndCancelled(["cancel", "dispute"], outcome)]),
  {
    // A declined change of plan forgot the one that waited for the end of the period.
    ask: "history",
    time_zone: "Pacific/Apia",
    on_exhaustion: "cancel",
    plans: { a: monthly(2_000), b: monthly(500), d: monthly(9_999) },
    operations: [
      { at: 1969912533740, do: "create", plan: "a" },
      { at: 1969985482744, do: "change_plan", plan: "b", behavior: "at_period_end" },
      { at: 1970061826207, do: "card", declines: "stolen_card", new: false },
      { at: 1970148226207, do: "change_plan", plan: "d", behavior: "now" },
      { at: 1970234626207, do: "change_plan", plan: "a", behavior: "next_cycle" }
    ],
    until: 1970334626207
  },
  {
    // A subscription that is paused could not be canceled.
    ask: "history",
    time_zone: "Australia/Lord_Howe",
    on_exhaustion: "cancel",
    plans: { a: monthly(3_216_977) },
    operations: [{ at: 2189630610346, do: "create", plan: "a" }, { at: 2195647370373, do: "pause" }, {
      at: 2197138899095,
      do: "cancel",
      at_period_end: false,
      keep_collecting: true
    }],
    until: 2206124499095
  },
  {
    // The credit that a failed cycle had used was lost.
    ask: "history",
    time_zone: "America/Santiago",
    on_exhaustion: "cancel",
    plans: { a: monthly(2_000) },
    operations: [
      { at: 2119073502479, do: "create", plan: "a" },
      { at: 2121253471572, do: "pause" },
      { at: 2121468507265, do: "card", declines: "stolen_card", new: true },
      { at: 2127848358302, do: "resume", new_period: true }
    ],
    until: 2135505897182
  },
  {
    // One that was paused because its cycle failed could not be canceled either.
    ask: "history",
    time_zone: "Asia/Tokyo",
    on_exhaustion: "pause",
    plans: { a: monthly(2_000) },
    operations: [{ at: 1962822076410, do: "create", plan: "a" }, { at: 1963531112894, do: "card", declines: "stolen_card", new: false }, {
      at: 1967382641684,
      do: "cancel",
      at_period_end: false,
      keep_collecting: false
    }],
    until: 1968314820166
  }
]
