/** Numbers that depend on a seed and on nothing else, so that a failing history can be played again. */
import { createHash } from "node:crypto"

export interface Chance {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly pick: <A>(choices: ReadonlyArray<A>) => A
  readonly happens: (probability: number) => boolean
}

/** A counter hashed with the seed: slow and even, which is what a test wants. */
export const makeChance = (seed: string): Chance => {
  let count = 0
  const next = () => createHash("sha256").update(`${seed}/${count++}`).digest().readUInt32BE(0) / 2 ** 32
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: (choices) => {
      const chosen = choices[between(0, choices.length - 1)]
      if (chosen === undefined) throw new Error("nothing to pick from")
      return chosen
    },
    happens: (probability) => next() < probability
  }
}
