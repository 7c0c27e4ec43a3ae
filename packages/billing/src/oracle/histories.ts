/** Histories at random, the same in every run, in the form that the oracle reads (README.md). For tests. */

/** A stream of whole numbers from 0 to below `n`. */
export type Draw = (n: number) => number

/** The same seed draws the same numbers. A linear congruence is enough to choose what happens. */
export const draws = (seed: number): Draw => {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** One of the values. */
const pick = <A>(draw: Draw, first: A, ...others: ReadonlyArray<A>): A => {
  const index = draw(others.length + 1)
  const other = others[index - 1]
  return index === 0 || other === undefined ? first : other
}

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

export interface Operation {
  /** Unix milliseconds. */
  readonly at: number
  readonly do: string
  readonly [field: string]: unknown
}

export interface HistoryQuestion {
  readonly ask: "history"
  readonly time_zone: string
  readonly on_exhaustion: "cancel" | "pause"
  readonly plans: Readonly<Record<string, { readonly amount: number; readonly period: string; readonly trial_days: number }>>
  readonly operations: ReadonlyArray<Operation>
  readonly until: number
}

const planNames = ["a", "b", "c", "d"] as const

const plan = (draw: Draw) => ({
  amount: pick(draw, 500, 2000, 9999, 1 + draw(100), 1 + draw(10_000_000)),
  period: pick(draw, "monthly", "monthly", "monthly", "monthly", "weekly", "quarterly", "annual"),
  trial_days: pick(draw, 0, 0, 0, 7, 14)
})

const changePlan = (draw: Draw, at: number): Operation => ({
  at,
  do: "change_plan",
  plan: pick(draw, ...planNames),
  behavior: pick(draw, "next_cycle", "next_cycle", "now", "now", "at_period_end", "none")
})

/** What may be asked of a subscription. Some of it is refused, as in life. */
const operation = (draw: Draw, at: number): Operation => pick<(draw: Draw, at: number) => Operation>(
  draw,
  (draw, at) => ({ at, do: "card", declines: pick(draw, null, null, null, "insufficient_funds", "stolen_card"), new: draw(2) === 0 }),
  changePlan,
  changePlan,
  changePlan,
  (draw, at) => ({ at, do: "change_anchor", anchor: at + (draw(35) - 10) * DAY + draw(DAY) }),
  (draw, at) => ({ at, do: "refund", cycle: draw(4), amount: 1 + draw(pick(draw, 100, 2000, 100_000)), reverse_credit: draw(2) === 0 }),
  (draw, at) => ({ at, do: "dispute", cycle: draw(4), amount: 1 + draw(pick(draw, 100, 2000, 100_000)), outcome: pick(draw, "won", "won", "lost", "accepted", "expired") }),
  (_, at) => ({ at, do: "pause" }),
  (draw, at) => ({ at, do: "resume", new_period: draw(5) === 0 }),
  (draw, at) => ({ at, do: "resume", new_period: draw(5) === 0 }),
  (draw, at) => ({ at, do: "cancel", at_period_end: draw(6) !== 0, keep_collecting: draw(2) === 0 }),
  (_, at) => ({ at, do: "uncancel" }),
  (_, at) => ({ at, do: "uncancel" })
)(draw, at)

const history = (draw: Draw, zones: ReadonlyArray<string>): HistoryQuestion => {
  let at = START + draw(5 * 365) * DAY + draw(DAY)
  const all: Array<Operation> = [{ at, do: "create", plan: "a" }]
  for (let left = draw(16); left > 0; left--) {
    at += 1 + draw(pick(draw, 1, 10, 40)) * DAY + draw(DAY)
    all.push(operation(draw, at))
  }
  return {
    ask: "history",
    time_zone: zones[draw(zones.length)] ?? "UTC",
    on_exhaustion: pick(draw, "cancel", "cancel", "pause"),
    plans: Object.fromEntries(planNames.map((name) => [name, plan(draw)])),
    operations: all,
    until: at + draw(120) * DAY
  }
}

/** So many histories. */
export const randomHistories = (seed: number, count: number, zones: ReadonlyArray<string>): ReadonlyArray<HistoryQuestion> => {
  const draw = draws(seed)
  return Array.from({ length: count }, () => history(draw, zones))
}
