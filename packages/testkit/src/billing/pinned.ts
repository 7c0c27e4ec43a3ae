/** Histories that once went wrong, as short as they could be made. They are played in every run of the tests. */
import type { HistoryQuestion } from "@svc/billing/oracle/histories"

const monthly = (amount: number) => ({ amount, period: "monthly", trial_days: 0 })

export const pinned: ReadonlyArray<HistoryQuestion> = [
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
    operations: [{ at: 2189630610346, do: "create", plan: "a" }, { at: 2195647370373, do: "pause" }, { at: 2197138899095, do: "cancel", at_period_end: false, keep_collecting: true }],
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
    operations: [{ at: 1962822076410, do: "create", plan: "a" }, { at: 1963531112894, do: "card", declines: "stolen_card", new: false }, { at: 1967382641684, do: "cancel", at_period_end: false, keep_collecting: false }],
    until: 1968314820166
  }
]
