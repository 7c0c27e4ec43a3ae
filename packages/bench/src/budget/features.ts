/**
 * The published budget, `docs/evidence/charge-budget.json`: one line for each feature, which says what it costs every charge or every call.
 * The lines of one subject add up to what is counted, so that whoever adds to a charge writes down how much. `files` says which files'
 * operations and memory count to a feature, so that an addition is found in its line.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../processes.ts"
import type { Costs } from "./costs.ts"
import type { BySource } from "./sources.ts"

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
  /** By table. */
  walBytes: Schema.optionalKey(Counts),
  bufferHits: Schema.optionalKey(Schema.Number)
})
export type Feature = typeof Feature.Type

const Budget = Schema.Struct({
  /** By feature: sources, or folders of them, as `sources.ts` writes them. The longest that fits a source has it. */
  files: Schema.Record(Schema.String, Schema.Array(Schema.String)),
  subjects: Schema.Record(Schema.String, Schema.Array(Feature))
})
export type Budget = typeof Budget.Type

export const FILE = join(ROOT, "docs/evidence/charge-budget.json")

export const readBudget = (): Budget => Schema.decodeSync(fromJsonText(Budget))(readFileSync(FILE, "utf8"))

/** Of the counts that the interpreter and Postgres round, how far the whole may lie from the lines' sum, and a line from its count. */
const TOLERANCE = { operations: 0.02, kibibytes: 0.05, kibibytesOfLine: 0.15, walBytes: 0.05, bufferHits: 0.05 } as const
/** However small a count is, it may be so far from its line. */
const LEAST = { counts: 2, operationsOfLine: 1, kibibytesOfLine: 6, walBytes: 60 } as const

/** Keys that the context of a request may have: with the services of the process it had 149, and was copied several times. */
export const MOST_CONTEXT_KEYS = 40

const sum = (features: ReadonlyArray<Feature>, of: "kibibytes" | "statements" | "bufferHits"): number =>
  features.reduce((total, feature) => total + (feature[of] ?? 0), 0)

const sumBy = (
  features: ReadonlyArray<Feature>,
  of: "operations" | "rows" | "indexEntries" | "walBytes"
): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const feature of features) {
    for (const [name, count] of Object.entries(feature[of] ?? {})) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return sums
}

const apart = (counted: number, budgeted: number, tolerance: number, least: number = LEAST.counts): boolean =>
  Math.abs(counted - budgeted) > Math.max(tolerance * budgeted, tolerance === 0 ? 0 : least)

/** The feature that a source counts to; undefined when no line knows it. */
export const featureOf = (files: Budget["files"], source: string): string | undefined => {
  const fits = (folder: string) => source === folder || source.startsWith(`${folder}/`)
  return Object.entries(files)
    .flatMap(([feature, folders]) => folders.filter(fits).map((folder) => ({ feature, folder })))
    .toSorted((one, other) => other.folder.length - one.folder.length)[0]?.feature
}

/** Counts by source as counts by feature; those that no line knows under their own names. */
export const byFeature = (files: Budget["files"], counts: BySource): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const [source, count] of Object.entries(counts)) {
    const feature = featureOf(files, source) ?? source
    sums.set(feature, (sums.get(feature) ?? 0) + count)
  }
  return sums
}

/** Where one line is not what was counted of its feature. */
const ofLines = (files: Budget["files"], features: ReadonlyArray<Feature>, costs: Costs): ReadonlyArray<string> => {
  const lines = new Map(features.map((line) => [line.feature, line]))
  const operations = Object.entries(costs.operationsBySource).flatMap(([request, counts]) => {
    const counted = byFeature(files, counts)
    return Array.from(new Set([...counted.keys(), ...lines.keys()])).flatMap((feature) => {
      const [found, line] = [counted.get(feature) ?? 0, lines.get(feature)?.operations?.[request] ?? 0]
      return apart(found, line, TOLERANCE.operations, LEAST.operationsOfLine)
        ? [`operations of ${request}, ${feature}: ${found} were counted, its line says ${line}`]
        : []
    })
  })
  const counted = byFeature(files, costs.kibibytesBySource)
  const kibibytes = Array.from(new Set([...counted.keys(), ...lines.keys()])).flatMap((feature) => {
    const [found, line] = [Math.round(counted.get(feature) ?? 0), lines.get(feature)?.kibibytes ?? 0]
    return apart(found, line, TOLERANCE.kibibytesOfLine, LEAST.kibibytesOfLine)
      ? [`kibibytes, ${feature}: ${found} were counted, its line says ${line}`]
      : []
  })
  return [...operations, ...kibibytes]
}

/** Where the lines do not add up to what was counted, and where one is not what was counted of its feature: one sentence each. */
export const differences = ({ files, subjects }: Budget, subject: string, costs: Costs): ReadonlyArray<string> => {
  const features = subjects[subject] ?? []
  const single = (["kibibytes", "statements", "bufferHits"] as const).flatMap((of) => {
    const budgeted = sum(features, of)
    return apart(costs[of], budgeted, of === "statements" ? 0 : TOLERANCE[of])
      ? [`${of}: ${costs[of]} were counted, the lines add up to ${budgeted}`]
      : []
  })
  const byName = (["operations", "rows", "indexEntries", "walBytes"] as const).flatMap((of) => {
    const budgeted = sumBy(features, of)
    const names = new Set([...budgeted.keys(), ...Object.keys(costs[of])])
    return Array.from(names).toSorted().flatMap((name) => {
      const [counted, lines] = [costs[of][name] ?? 0, budgeted.get(name) ?? 0]
      const tolerance = of === "operations" || of === "walBytes" ? TOLERANCE[of] : 0
      return apart(counted, lines, tolerance, of === "walBytes" ? LEAST.walBytes : LEAST.counts)
        ? [`${of} of ${name}: ${counted} were counted, the lines add up to ${lines}`]
        : []
    })
  })
  const context = costs.contextKeys > MOST_CONTEXT_KEYS
    ? [`the context of a request had ${costs.contextKeys} keys, at most ${MOST_CONTEXT_KEYS} are allowed: docs/decisions/0056 says why`]
    : []
  return [...single, ...byName, ...ofLines(files, features, costs), ...context]
}
