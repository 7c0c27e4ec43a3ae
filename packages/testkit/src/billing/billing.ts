/** Random histories of subscriptions, played on the real services and compared with the oracle, cycle by cycle. */
import { Cause, Effect, Schema } from "effect"
import { ask, type Known } from "../oracle/ask.ts"
import { type HistoryQuestion, type Operation, randomHistories } from "../oracle/histories.ts"
import { processWith } from "../process.ts"
import { broken, differs } from "./judge.ts"
import { Expected, play } from "./play.ts"
import { type Cards, railsOf } from "./world.ts"

const DAY = 86_400_000
const YEAR = 365.25 * DAY
/** Histories begin in so many years, from 2026 on. */
const YEARS = 20
/** Histories played beside each other. */
const TOGETHER = 32

export const known: Known = {
  zones: [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/Santiago",
    "Africa/Casablanca",
    "Pacific/Apia",
    "Asia/Tokyo",
    "Europe/Dublin"
  ],
  from: 2026,
  to: 2056
}

/** An anchor that may be asked for lies ahead, and not more than a period behind the end of this one. */
const ahead = (operation: Operation, n: number): Operation =>
  operation.do === "change_anchor" ? { ...operation, anchor: operation.at + (1 + (n % 6)) * DAY + (n % 24) * 3_600_000 } : operation

const later = (operation: Operation, millis: number): Operation => ({
  ...operation,
  at: operation.at + millis,
  ...(typeof operation["anchor"] === "number" ? { anchor: operation["anchor"] + millis } : {})
})

/** So many histories of a seed, which begin in any of twenty years. */
export const historiesOf = (seed: number, count: number): ReadonlyArray<HistoryQuestion> =>
  randomHistories(seed, count, Array.from(known.zones)).map((history, n) => {
    const millis = Math.floor(((n % (YEARS - 5)) * YEAR) / 1000) * 1000
    return {
      ...history,
      operations: history.operations.map((operation, m) => later(ahead(operation, n + m), millis)),
      until: history.until + millis
    }
  })

/** A history that did not hold. */
export interface Failure {
  readonly seed: number
  readonly number: number
  readonly problems: ReadonlyArray<string>
  /** The shortest that does not hold either. */
  readonly shortest: HistoryQuestion
}

const readExpected = Schema.decodeUnknownSync(Expected)
let played = 0

/** What is wrong with a history; nothing when it holds. */
const problemsOf = (question: HistoryQuestion, expected: Expected, cards: Cards) =>
  play(`history-${played++}`, question, cards).pipe(
    Effect.map((found) => {
      const difference = differs(found, expected, question)
      return difference === undefined ? broken(found) : [difference, ...broken(found)]
    }),
    Effect.catchCause((cause) => Effect.succeed([Cause.pretty(cause)]))
  )

/** Leaves out one operation after another, as long as what is left does not hold either. */
const shorten = Effect.fnUntraced(function*(question: HistoryQuestion, cards: Cards) {
  let shortest = question
  for (let n = shortest.operations.length - 1; n > 0; n--) {
    const shorter = { ...shortest, operations: shortest.operations.toSpliced(n, 1) }
    const [expected] = ask([shorter], known, readExpected)
    if (expected !== undefined && (yield* problemsOf(shorter, expected, cards)).length > 0) shortest = shorter
  }
  return shortest
})

/** Which histories are played. */
export interface Chosen {
  readonly seed: number
  readonly count: number
  /** These instead of random ones. */
  readonly these?: ReadonlyArray<HistoryQuestion>
  /** These of them alone, by number. */
  readonly only?: ReadonlyArray<number>
  /** Told how many are done. */
  readonly progress?: (done: number) => void
}

/** Plays histories, and says which did not hold. */
export const playAll = Effect.fn("billing.playAll")(function*({ count, only, progress = () => {}, seed, these }: Chosen) {
  const cards: Cards = new Map()
  const numbers = only === undefined ? undefined : new Set(only)
  const all = these ?? historiesOf(seed, count)
  const chosen = Array.from(all.entries()).filter(([number]) => numbers?.has(number) ?? true)
  const answers = ask(chosen.map(([, question]) => question), known, readExpected)
  let done = 0
  const run = Effect.gen(function*() {
    const failures: Array<Failure> = []
    yield* Effect.forEach(
      chosen,
      Effect.fnUntraced(function*([number, question], index) {
        const expected = answers[index]
        if (expected === undefined) return yield* Effect.die(new Error("the oracle left a question out"))
        const problems = yield* problemsOf(question, expected, cards)
        progress(++done)
        if (problems.length === 0) return
        failures.push({ seed, number, problems, shortest: failures.length < 3 ? yield* shorten(question, cards) : question })
      }),
      { concurrency: TOGETHER, discard: true }
    )
    return failures
  })
  return yield* Effect.provide(run, processWith().pipe(railsOf(cards)))
})

/** In words, with how to see it again. */
export const told = ({ number, problems, seed, shortest }: Failure): string =>
  `history ${number} of seed ${seed}: ${problems.join("; ")}\n  shortest: ${
    JSON.stringify(shortest)
  }\n  again: BILLING_HISTORY=${seed}:${number} npm test -- packages/testkit/src/billing`
