/**
 * The grade: 100 points, less what findings cost, and a rule costs at most twice what one of its findings does. A secret makes it F;
 * other errors, and a coverage below a threshold, bound it.
 */
import type { Coverage } from "./checks/coverage.ts"
import { dimensions, type Finding, type Level, levels, rules } from "./rule-table.ts"

export const grades = ["A", "B", "C", "D", "F"] as const
export type Grade = typeof grades[number]

/** Points that a finding costs. */
const COSTS: Readonly<Record<Level, number>> = { error: 25, warning: 8, note: 2 }
const MOST_FINDINGS = 2
/** The least points of each grade. */
const LEAST: ReadonlyArray<readonly [Grade, number]> = [["A", 90], ["B", 80], ["C", 65], ["D", 50]]

/** The share of lines that each grade asks for, where a report was sent: what the source of `low-coverage` calls exemplary and so on. */
export interface CoverageThresholds {
  readonly coverageA?: number
  readonly coverageB?: number
  readonly coverageC?: number
}
export const thresholdsOf = ({ coverageA = 0.9, coverageB = 0.75, coverageC = 0.6 }: CoverageThresholds) => ({
  coverageA,
  coverageB,
  coverageC
})

const costOf = (findings: ReadonlyArray<Finding>): number =>
  Array.from(Map.groupBy(findings, ({ rule }) => rule), ([rule, { length }]) => COSTS[rules[rule].level] * Math.min(length, MOST_FINDINGS))
    .reduce((all, cost) => all + cost, 0)

const points = (findings: ReadonlyArray<Finding>): number => Math.max(0, 100 - costOf(findings))

const percent = (share: number): string => `${Math.floor(share * 100)} %`

interface Bound {
  readonly atMost: Grade
  readonly reason: string
}

const coverageBound = ({ lines }: Coverage, thresholds: CoverageThresholds): Bound | undefined => {
  const { coverageA, coverageB, coverageC } = thresholdsOf(thresholds)
  const bound = (atMost: Grade, least: number, of: string) => ({
    atMost,
    reason: `Tests run ${percent(lines)} of the lines; grade ${of} asks for ${percent(least)}.`
  })
  if (lines < coverageC) return bound("D", coverageC, "C")
  if (lines < coverageB) return bound("C", coverageB, "B")
  return lines < coverageA ? bound("B", coverageA, "A") : undefined
}

const boundsOf = (findings: ReadonlyArray<Finding>, coverage: Coverage | undefined, thresholds: CoverageThresholds) => {
  const errors = findings.filter(({ rule }) => rules[rule].level === "error")
  const hasSecret = errors.some(({ rule }) => rule === "secret")
  const bounds: ReadonlyArray<Bound | undefined> = [
    hasSecret ? { atMost: "F", reason: "A credential stands in the files." } : undefined,
    !hasSecret && errors.length > 0 ? { atMost: "C", reason: "With an error the grade is C at most." } : undefined,
    coverage === undefined ? undefined : coverageBound(coverage, thresholds)
  ]
  return bounds.filter((bound) => bound !== undefined)
}

const worse = (one: Grade, other: Grade): Grade => grades.indexOf(one) > grades.indexOf(other) ? one : other

export const gradeOf = (findings: ReadonlyArray<Finding>, coverage: Coverage | undefined, thresholds: CoverageThresholds) => {
  const score = points(findings)
  const byLevel = levels.map((level) => [level, findings.filter(({ rule }) => rules[rule].level === level)] as const)
  const bounds = boundsOf(findings, coverage, thresholds)
  const earned = LEAST.find(([, least]) => score >= least)?.[0] ?? "F"
  return {
    grade: bounds.reduce((grade, { atMost }) => worse(grade, atMost), earned),
    reasons: [
      `${score} of 100 points: A from 90, B from 80, C from 65, D from 50.`,
      ...byLevel.filter(([, found]) => found.length > 0).map(([level, found]) =>
        `${level}: ${found.length} found, less ${costOf(found)} points (${COSTS[level]} each, at most ${MOST_FINDINGS} of a rule).`
      ),
      ...bounds.map(({ reason }) => reason)
    ],
    dimensions: {
      ...Object.fromEntries(dimensions.map((name) => [name, points(findings.filter(({ rule }) => rules[rule].dimension === name))])),
      ...(coverage === undefined ? {} : { coverage: Math.floor(coverage.lines * 100) })
    }
  }
}
