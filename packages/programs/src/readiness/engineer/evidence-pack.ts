/** The evidence of a score as JSON, and the JSON Schema that it keeps. */
import { citedOf, json, type Value } from "../../claims/json.ts"
import { evidenceOf } from "../../claims/model.ts"
import { spansOf } from "../../claims/places.ts"
import type { AnyFact } from "../../facts/model.ts"
import type { Project } from "../../facts/project.ts"
import { checkIds } from "../checks.ts"
import { written } from "../finding.ts"
import { risks } from "../model.ts"
import { type CheckResult, readinessOf } from "../score.ts"
import { disputeEvidence } from "./dispute-evidence.ts"
import { type EngineerArtifact } from "./endpoint.ts"
import { type Guard, spendingWindows } from "./guard.ts"

const SCHEMA = "evidence-pack.schema.json"
const MOST_PLACES = 5

const place = {
  type: "object",
  additionalProperties: false,
  required: ["path", "start_line", "end_line", "shows"],
  properties: {
    path: { type: "string" },
    start_line: { type: "integer", minimum: 1 },
    end_line: { type: "integer", minimum: 1 },
    shows: { type: "string" }
  }
} as const

const places = { type: "array", items: place } as const

export const evidencePackSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Evidence pack of readiness for purchases by agents",
  type: "object",
  additionalProperties: false,
  required: ["$schema", "version", "project", "score", "risk_level", "searched_files", "guard", "checks", "dispute"],
  properties: {
    $schema: { const: SCHEMA },
    version: { const: 1 },
    project: { type: "string" },
    score: { type: "integer", minimum: 0, maximum: 100 },
    risk_level: { enum: [...risks] },
    searched_files: { type: "integer", minimum: 0 },
    guard: {
      type: "object",
      additionalProperties: false,
      properties: { budget_per_run_cents: { type: "integer", minimum: 0 }, spending_window: { enum: [...spendingWindows] } }
    },
    checks: {
      type: "array",
      minItems: checkIds.length,
      maxItems: checkIds.length,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id", "title", "weight", "points", "status", "critical", "found", "missing"],
        properties: {
          id: { enum: [...checkIds] },
          title: { type: "string" },
          weight: { type: "integer" },
          points: { type: "integer" },
          status: { enum: ["pass", "partial", "fail"] },
          critical: { type: "boolean" },
          found: places,
          missing: { type: "array", items: { type: "string" } }
        }
      }
    },
    dispute: {
      type: "object",
      additionalProperties: false,
      required: ["evidence", "found"],
      properties: {
        evidence: { type: "object", additionalProperties: { anyOf: [{ type: "boolean" }, { type: "integer" }] } },
        found: places
      }
    }
  }
} as const

const placesOf = (facts: ReadonlyArray<AnyFact>): ReadonlyArray<Value> =>
  facts.slice(0, MOST_PLACES).flatMap((one) => {
    const evidence = evidenceOf([one])
    const span = evidence === undefined ? undefined : spansOf(evidence)[0]
    return span === undefined ? [] : citedOf({ ...span, shows: written(one) }, [one])
  })

const check = ({ critical, found, id, points, status, title, weight }: CheckResult): Value => ({
  id,
  title,
  weight,
  points,
  status,
  critical,
  found: found.flatMap(({ facts }) => placesOf(facts)),
  missing: found.filter(({ facts }) => facts.length === 0).map(({ what }) => what)
})

export const evidencePack = (project: Project, { budget_per_run_cents, spending_window }: Guard): ReadonlyArray<EngineerArtifact> => {
  const { checks, risk, score, searched } = readinessOf(project)
  const { evidence, facts } = disputeEvidence(project)
  const pack = json({
    $schema: SCHEMA,
    version: 1,
    project: project.description.project_name,
    score,
    risk_level: risk,
    searched_files: searched,
    guard: { budget_per_run_cents, spending_window },
    checks: checks.map(check),
    dispute: { evidence: { ...evidence }, found: placesOf(facts) }
  })
  return [
    { path: "agent-endpoint/evidence-pack.json", artifact: pack },
    { path: `agent-endpoint/${SCHEMA}`, artifact: json(evidencePackSchema) }
  ]
}
