/**
 * The published budget, `docs/evidence/charge-budget.json`: one line for each feature, which says what it costs every charge or every call.
 * The lines of one subject add up to what is counted, so that whoever adds to a charge writes down how much.
 */
import { fromJsonText } from "@svc/kernel/values/json"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../processes.ts"
import type { Costs } from "./costs.ts"

const Counts = Schema.Record(Schema.String, Schema.Number)

/** What one feature adds. What it leaves out, it does not add to. */
export const Feature = Schema.Struct({
  feature: Schema.String,
  /** Steps of Effect's fiber loop, by request. */
  operations: Schema.optionalKey(Counts),
  kibibytes: Schema.optionalKey(Schema.Number),
  /** By table: inserted, updated and deleted. */
  rows: Schema.optionalKey(Counts),
  indexEntries: Schema.optionalKey(Counts),
  statements: Schema.optionalKey(Schema.Number),
  walBytes: Schema.optionalKey(Schema.Number),
  bufferHits: Schema.optionalKey(Schema.Number)
})
export type Feature = typeof Feature.Type

const Budget = Schema.Record(Schema.String, Schema.Array(Feature))

export const FILE = join(ROOT, "docs/evidence/charge-budget.json")

export const readBudget = (): typeof Budget.Type => Schema.decodeSync(fromJsonText(Budget))(readFileSync(FILE, "utf8"))

/** Of the counts that the interpreter and Postgres round, how far the whole may lie from the lines' sum. */
const TOLERANCE = { operations: 0.02, kibibytes: 0.05, walBytes: 0.03, bufferHits: 0.05 } as const

/** Keys that the context of a request may have: with the services of the process it had 149, and was copied several times. */
export const MOST_CONTEXT_KEYS = 40
/** The same while a tool runs, which is given the services of all tools. */
export const MOST_CONTEXT_KEYS_OF_TOOLS = 60

const sum = (features: ReadonlyArray<Feature>, of: "kibibytes" | "statements" | "walBytes" | "bufferHits"): number =>
  features.reduce((total, feature) => total + (feature[of] ?? 0), 0)

const sumBy = (features: ReadonlyArray<Feature>, of: "operations" | "rows" | "indexEntries"): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const feature of features) {
    for (const [name, count] of Object.entries(feature[of] ?? {})) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return sums
}

const apart = (counted: number, budgeted: number, tolerance: number): boolean =>
  Math.abs(counted - budgeted) > Math.max(tolerance * budgeted, tolerance === 0 ? 0 : 2)

/** Where the lines do not add up to what was counted, one sentence each. */
export const differences = (features: ReadonlyArray<Feature>, costs: Costs, mostKeys: number): ReadonlyArray<string> => {
  const single = (["kibibytes", "statements", "walBytes", "bufferHits"] as const).flatMap((of) => {
    const budgeted = sum(features, of)
    return apart(costs[of], budgeted, of === "statements" ? 0 : TOLERANCE[of])
      ? [`${of}: ${costs[of]} were counted, the lines add up to ${budgeted}`]
      : []
  })
  const byName = (["operations", "rows", "indexEntries"] as const).flatMap((of) => {
    const budgeted = sumBy(features, of)
    const names = new Set([...budgeted.keys(), ...Object.keys(costs[of])])
    return Array.from(names).toSorted().flatMap((name) => {
      const [counted, lines] = [costs[of][name] ?? 0, budgeted.get(name) ?? 0]
      return apart(counted, lines, of === "operations" ? TOLERANCE.operations : 0)
        ? [`${of} of ${name}: ${counted} were counted, the lines add up to ${lines}`]
        : []
    })
  })
  const context = costs.contextKeys > mostKeys
    ? [`the context of a request had ${costs.contextKeys} keys, at most ${mostKeys} are allowed: docs/decisions/0056 says why`]
    : []
  return [...single, ...byName, ...context]
}
