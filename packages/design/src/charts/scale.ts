/** Where values, days and moments stand in a picture, as parts of its length from 0 to 1. Pure. */
import { DateTime } from "effect"

export interface Scale {
  /** Whole numbers, the same distance from each to the next, the lowest first. Zero is one of them. */
  readonly ticks: ReadonlyArray<number>
  /** 0 at the lowest tick, 1 at the highest. */
  readonly at: (value: number) => number
}

const MOST_STEPS = 4

/** The smallest of 1, 2 and 5 times a power of ten that is as large. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}

/** A scale on which zero and all of these values have a place. They are whole minor units, and so are its ticks. */
export const scaleOf = (values: ReadonlyArray<number>): Scale => {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = roundStep((highest - lowest) / MOST_STEPS)
  const first = Math.floor(lowest / step)
  const last = Math.max(Math.ceil(highest / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
  return { ticks, at: (value) => (value / step - first) / (last - first) }
}

/** Each day from the first to the last, such as 2026-01-31. Days are those of UTC, where each has 24 hours. */
export const daysBetween = (first: string, last: string): ReadonlyArray<string> => {
  const from = DateTime.makeUnsafe(first)
  const count = (DateTime.makeUnsafe(last).epochMilliseconds - from.epochMilliseconds) / 86_400_000 + 1
  return Array.from({ length: Math.max(0, count) }, (_, days) => DateTime.formatIsoDateUtc(DateTime.add(from, { days })))
}

/** Moments between the first and the last of them. One moment alone stands in the middle. */
export const placesOf = (moments: ReadonlyArray<number>): ReadonlyArray<number> => {
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  return moments.map((at) => last === first ? 0.5 : (at - first) / (last - first))
}

/** Ascending places, moved as far as each needs to keep its distance from the one before, and none beyond the ends. */
export const spread = (places: ReadonlyArray<number>, distance: number): ReadonlyArray<number> => {
  const gap = Math.min(distance, 1 / Math.max(1, places.length - 1))
  const forward: Array<number> = []
  for (const place of places) forward.push(Math.max(place, (forward.at(-1) ?? -gap) + gap))
  return forward.map((place, n) => Math.min(place, 1 - (forward.length - 1 - n) * gap))
}

/** A number as an attribute has it: two decimals are finer than any screen. */
export const short = (value: number): number => Math.round(value * 100) / 100
