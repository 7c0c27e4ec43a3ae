/**
 * Numbers that operators watch, in Effect's registry of the process: `server/src/metrics.ts` shows them. A metric is updated where
 * something happens anyway, without a step of its own. Labels are few words that the code knows, never an id: each set of them is kept.
 */
import { Context, Metric } from "effect"

export type Labels = Readonly<Record<string, string>>

/** Without services of its own it has the registry of the process. */
const ofProcess = Context.empty()

/** A metric for each set of labels, made once: Effect writes the key of one with attributes anew at each update. */
const each = (make: (attributes: Labels) => Metric.Metric<number, unknown>) => {
  const made = new Map<string, Metric.Metric<number, unknown>>()
  return (labels: Labels, value: number): void => {
    const key = Object.values(labels).join("\n")
    let metric = made.get(key)
    if (metric === undefined) made.set(key, metric = make(labels))
    metric.updateUnsafe(value, ofProcess)
  }
}

/** A function that counts one more of these labels. */
export const counter = (name: string, description: string) => {
  const add = each((attributes) => Metric.counter(name, { description, attributes, incremental: true }))
  return (labels: Labels): void => add(labels, 1)
}

/** A function that sets a number. */
export const gauge = (name: string, description: string) => each((attributes) => Metric.gauge(name, { description, attributes }))

/** Seconds between which durations are told apart. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]

/** A function that adds a duration, in seconds. */
export const duration = (name: string, description: string) =>
  each((attributes) => Metric.histogram(name, { description, attributes, boundaries }))
