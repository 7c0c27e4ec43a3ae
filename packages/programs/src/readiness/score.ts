/** How ready a project is to be bought from by agents: seven checks, each with the lines that speak for it, or with what was searched. */
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { dependenciesOf } from "../map/dependencies.ts"
import { kindOfDependency } from "../map/frameworks.ts"
import { memo } from "../map/memo.ts"
import { routesOf } from "../map/uses.ts"
import { type Check, type CheckId, checks, type Need } from "./checks.ts"
import type { FocusArea, Risk } from "./model.ts"
import { searchedSources } from "./places.ts"

export type Status = "pass" | "partial" | "fail"

export interface FoundNeed extends Need {
  readonly facts: ReadonlyArray<AnyFact>
}

export interface CheckResult extends Check {
  readonly status: Status
  readonly points: number
  readonly found: readonly [FoundNeed, FoundNeed]
}

/** The checks that an area asks for first. */
const areas: Readonly<Record<FocusArea, ReadonlyArray<CheckId>>> = {
  sca: ["psp_integration", "auth"],
  dispute: ["refund_cancel", "webhook_verification", "idempotency"],
  mandate: ["payment_mandate", "budget_guard"],
  tap: ["auth", "webhook_verification"],
  tokenization: ["psp_integration"]
}

export interface Readiness {
  /** 0 to 100. */
  readonly score: number
  readonly risk: Risk
  readonly checks: ReadonlyArray<CheckResult>
  /** Frameworks whose routes or packages the project has. */
  readonly frameworks: ReadonlyArray<string>
  /** How many files of code were searched. */
  readonly searched: number
}

const LOW_FROM = 80
const MEDIUM_FROM = 50

const judge = (project: Project) => (check: Check): CheckResult => {
  const [first, second] = check.needs
  const found = [{ ...first, facts: first.find(project) }, { ...second, facts: second.find(project) }] as const
  const met = found.filter(({ facts }) => facts.length > 0).length
  const status = met === 2 ? "pass" : met === 1 ? "partial" : "fail"
  // Points are whole, so that scores are.
  const points = { pass: check.weight, partial: Math.floor(check.weight / 2), fail: 0 }[status]
  return { ...check, status, points, found }
}

const riskOf = (score: number, results: ReadonlyArray<CheckResult>): Risk => {
  if (results.some(({ critical, status }) => critical && status === "fail")) return "critical"
  return score >= LOW_FROM ? "low" : score >= MEDIUM_FROM ? "medium" : "high"
}

const frameworksOf = (project: Project): ReadonlyArray<string> => {
  const ofRoutes = routesOf(project).map(({ value }) => value.framework).filter((name) => name !== "unknown")
  const ofPackages = dependenciesOf(project).filter(({ imports, name }) =>
    imports.length > 0 && ["server", "interface"].includes(kindOfDependency(name) ?? "")
  ).map(({ name }) => name)
  return [...new Set([...ofRoutes, ...ofPackages])].toSorted(byText)
}

export const readinessOf: (project: Project) => Readiness = memo((project) => {
  const results = checks.map(judge(project))
  const score = results.reduce((sum, { points }) => sum + points, 0)
  return {
    score,
    risk: riskOf(score, results),
    checks: results,
    frameworks: frameworksOf(project),
    searched: searchedSources(project)
  }
})

const lostBy = ({ points, weight }: CheckResult): number => weight - points

/** Checks that do not pass: those of the areas first, then what is critical, then what costs most. */
export const gapsOf = ({ checks }: Readiness, focus: ReadonlyArray<FocusArea> = []): ReadonlyArray<CheckResult> => {
  const asked = new Set(focus.flatMap((area) => areas[area]))
  const rank = (one: CheckResult): number => Number(asked.has(one.id)) * 2 + Number(one.critical && one.status === "fail")
  return checks.filter(({ status }) => status !== "pass")
    .toSorted((one, other) => rank(other) - rank(one) || lostBy(other) - lostBy(one))
}

/** Programs whose artifacts help with the gaps; where there is none, the one that tells of purchases. */
export const programsFor = (gaps: ReadonlyArray<CheckResult>): ReadonlyArray<string> => [
  ...new Set(["agentic-purchasing", ...gaps.flatMap(({ programs }) => programs)])
]
