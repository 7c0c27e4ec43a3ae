/**
 * Counters with limits: what an account used of something, by window. A commit moves them under the
 * limits it brings, all in its one statement, so that what is spent and reserved never passes one.
 */
import { DateTime } from "effect"
import type { Commit, CounterMove, Window } from "./decision.ts"
import type { Tally, TallyChange, TallyFloor } from "./tally.ts"

/** The window of this length that a moment lies in, by UTC. */
export const windowAt = (period: Window["period"], at: DateTime.Utc): Window => ({ period, start: DateTime.startOf(at, period) })

const LIFE = { period: "life", start: DateTime.makeUnsafe(0) }

/** Text in Postgres holds no NUL, so nothing else is written like this. */
const idOf = (move: CounterMove<unknown>, { period, start }: { readonly period: string; readonly start: DateTime.Utc }): string =>
  `${move.name}\0${move.key}\0${period}\0${start.epochMilliseconds}`

const floorsOf = <R>(move: CounterMove<R>): ReadonlyArray<TallyFloor<R>> => {
  const { add, limit } = move
  const floors: Array<TallyFloor<R>> = []
  if (limit !== undefined) {
    floors.push({
      number: "minus_used",
      at_least: -limit.at_most,
      refusal: ({ minus_used = 0 }) =>
        limit.refusal({
          name: move.name,
          key: move.key,
          ...(move.window === undefined ? {} : { window: move.window }),
          limit: limit.at_most,
          left: Math.max(0, limit.at_most + minus_used)
        })
    })
  }
  // A commit that gives back more than there is did not look: a defect, and no condition.
  if (add.spent < 0) floors.push({ number: "spent", at_least: 0 })
  if (add.reserved < 0) floors.push({ number: "reserved", at_least: 0 })
  return floors
}

const turnOf = <R>(move: CounterMove<R>): TallyChange<R> => {
  const { add: { reserved, spent }, key, name, window = LIFE } = move
  if (!Number.isSafeInteger(spent) || !Number.isSafeInteger(reserved)) {
    throw new RangeError(`the counter ${name} of ${key} moves by whole units, not by ${spent} and ${reserved}`)
  }
  return {
    key: { name, key, period: window.period, window_start: DateTime.formatIso(window.start) },
    id: idOf(move, window),
    moves: { spent, reserved, minus_used: -(spent + reserved) },
    floors: floorsOf(move)
  }
}

/** A limit is a floor under `minus_used`. */
export const counters: Tally = {
  table: "counters",
  key: { name: "text", key: "text", period: "text", window_start: "timestamptz" },
  numbers: ["spent", "reserved"],
  computed: { minus_used: "-(t.spent + t.reserved)" },
  fixed: { columns: {}, make: () => ({}) },
  turns: <R>(commit: Commit<R>) => commit.counters?.map(turnOf) ?? []
}
