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
  /** The dunning schedule that the account begins with. Four tries on days 0 to 3 where it is left out. */
  readonly tries_ms?: ReadonlyArray<number>
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

const every = (...days: ReadonlyArray<number>): ReadonlyArray<number> => days.map((day) => day * DAY)

/** Dunning schedules, as days. */
const triesOf = (draw: Draw) =>
  pick(draw, every(0, 1, 2, 3), every(0, 1, 2, 3), every(0, 2, 7, 14, 21), every(0, 2, 4, 6, 8, 10, 12, 14), every(0, 1, 4), every(0, 3, 4))

/** What may be asked of a subscription. Some of it is refused, as in life. */
const operation = (draw: Draw, at: number): Operation =>
  pick<(draw: Draw, at: number) => Operation>(
    draw,
    (draw, at) => ({ at, do: "card", declines: pick(draw, null, null, null, "insufficient_funds", "stolen_card"), new: draw(2) === 0 }),
    changePlan,
    changePlan,
    changePlan,
    (draw, at) => ({ at, do: "change_anchor", anchor: at + (draw(35) - 10) * DAY + draw(DAY) }),
    (draw, at) => ({ at, do: "refund", cycle: draw(4), amount: 1 + draw(pick(draw, 100, 2000, 100_000)), reverse_credit: draw(2) === 0 }),
    (draw, at) => ({ at, do: "refund", cycle: draw(4), reverse_credit: draw(2) === 0 }),
    (draw, at) => ({
      at,
      do: "dispute",
      cycle: draw(4),
      amount: 1 + draw(pick(draw, 100, 2000, 100_000)),
      outcome: pick(draw, "won", "won", "lost", "accepted", "expired")
    }),
    (_, at) => ({ at, do: "pause" }),
    (draw, at) => ({ at, do: "resume", new_period: draw(5) === 0 }),
    (draw, at) => ({ at, do: "resume", new_period: draw(5) === 0 }),
    (draw, at) => ({ at, do: "cancel", at_period_end: draw(6) !== 0, keep_collecting: draw(2) === 0 }),
    (_, at) => ({ at, do: "uncancel" }),
    (_, at) => ({ at, do: "uncancel" }),
    (draw, at) => ({ at, do: "charge_now", cycle: -1 - draw(2) }),
    (draw, at) => ({ at, do: "record", cycle: -1 - draw(2), success: draw(3) !== 0, elsewhere: draw(2) === 0 }),
    (draw, at) => ({ at, do: "dunning", tries_ms: triesOf(draw) })
  )(draw, at)

/** What becomes of a subscription whose card is declined: tried, recorded, asked for, given up and paid after all. */
const whileUnpaid = (draw: Draw, at: number): Operation =>
  pick<(draw: Draw, at: number) => Operation>(
    draw,
    (draw, at) => ({ at, do: "record", cycle: -1 - draw(2), success: draw(2) === 0, elsewhere: draw(2) === 0 }),
    (draw, at) => ({ at, do: "record", cycle: -1 - draw(2), success: draw(2) === 0, elsewhere: draw(2) === 0 }),
    (draw, at) => ({ at, do: "charge_now", cycle: -1 - draw(2) }),
    (draw, at) => ({ at, do: "card", declines: pick(draw, null, "insufficient_funds", "stolen_card"), new: draw(3) === 0 }),
    (draw, at) => ({ at, do: "card", declines: null, new: false }),
    (draw, at) => ({ at, do: "dunning", tries_ms: triesOf(draw) }),
    (draw, at) => ({ at, do: "resume", new_period: draw(3) === 0 }),
    operation
  )(draw, at)

/** The operations of a history, the first of which makes the subscription. */
const usual = (draw: Draw, begins: number): Array<Operation> => {
  let at = begins
  const all: Array<Operation> = [{ at, do: "create", plan: "a" }]
  for (let left = draw(16); left > 0; left--) {
    at += 1 + draw(pick(draw, 1, 10, 40)) * DAY + draw(DAY)
    all.push(operation(draw, at))
  }
  return all
}

/** So, of one whose card is declined before its second month. */
const unpaid = (draw: Draw, begins: number): Array<Operation> => {
  let at = begins
  const all: Array<Operation> = [{ at, do: "create", plan: "a" }]
  for (const day of [1, 1.5]) if (draw(3) !== 0) all.push(changePlan(draw, at + day * DAY))
  all.push({ at: at + 2 * DAY, do: "card", declines: pick(draw, "insufficient_funds", "insufficient_funds", "stolen_card"), new: false })
  at += (28 + draw(8)) * DAY
  for (let left = 2 + draw(8); left > 0; left--) {
    at += 1 + draw(pick(draw, 1, 2, 5, 20)) * DAY + draw(DAY)
    all.push(whileUnpaid(draw, at))
  }
  return all
}

const history = (draw: Draw, zones: ReadonlyArray<string>): HistoryQuestion => {
  const operations = pick(draw, usual, usual, unpaid)(draw, START + draw(5 * 365) * DAY + draw(DAY))
  return {
    ask: "history",
    tries_ms: triesOf(draw),
    time_zone: zones[draw(zones.length)] ?? "UTC",
    on_exhaustion: pick(draw, "cancel", "pause"),
    plans: Object.fromEntries(planNames.map((name) => [name, plan(draw)])),
    operations,
    until: (operations.at(-1)?.at ?? START) + draw(120) * DAY
  }
}

/** So many histories. */
export const randomHistories = (seed: number, count: number, zones: ReadonlyArray<string>): ReadonlyArray<HistoryQuestion> => {
  const draw = draws(seed)
  return Array.from({ length: count }, () => history(draw, zones))
}
