/** How well the evidence on file answers a dispute: a logistic score over weights of the reason's family. No prediction of who wins. */
import { text } from "@svc/tool-kit/fields"
import { Schema } from "effect"
import { Evidence, type EvidenceKey, families, type Family, MODEL_VERSION, models, pieces } from "./readiness-table.ts"
import { advice, categories, reasonOf } from "./reason-codes.ts"

const keys = [
  "ce3Eligible",
  "matchingDataElements",
  "priorUndisputedTransactions",
  "hasDeliveryProof",
  "hasAvsMatch",
  "hasCvvMatch",
  "has3dsAuthenticated",
  "hasSignedMandate",
  "hasCustomerCommunication"
] as const satisfies ReadonlyArray<EvidenceKey>

export const ReadinessInput = Schema.Struct({ reason_code: text(20), evidence: Evidence })
export type ReadinessInput = typeof ReadinessInput.Type

const Missing = Schema.Struct({
  evidence: Schema.Literals(keys),
  /** By how much the score would rise, all of it found. */
  gain: Schema.Finite,
  findable: Schema.Boolean,
  hint: Schema.String
})

export const Readiness = Schema.Struct({
  /** 0 to 1, four decimals. */
  score: Schema.Finite,
  band: Schema.Literals(["low", "moderate", "high"]),
  /** Up to three, what helps most first. */
  top_missing_evidence: Schema.Array(Missing),
  recommended_action: Schema.Literals(["represent", "gather", "accept"]),
  rationale: Schema.String,
  category: Schema.Literals(categories),
  family: Schema.Literals(families),
  network: Schema.Literals(["visa", "mastercard", "unknown"]),
  model_version: Schema.Literal(MODEL_VERSION),
  caveat: Schema.String
})
export type Readiness = typeof Readiness.Type

const LOW = 0.34
const HIGH = 0.67
const MOST_MISSING = 3

const amountOf = (evidence: Evidence, key: EvidenceKey): number => Number(evidence[key] ?? 0)

const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** Between 0 and 1, never falling as evidence is added. */
export const scoreOf = (family: Family, evidence: Evidence): number => {
  const { intercept, of } = models[family]
  const z = keys.reduce((sum, key) => sum + of[key] * amountOf(evidence, key), intercept)
  return round(1 / (1 + Math.exp(-z)))
}

const full: Required<Evidence> = {
  ce3Eligible: true,
  matchingDataElements: pieces.matchingDataElements.most,
  priorUndisputedTransactions: pieces.priorUndisputedTransactions.most,
  hasDeliveryProof: true,
  hasAvsMatch: true,
  hasCvvMatch: true,
  has3dsAuthenticated: true,
  hasSignedMandate: true,
  hasCustomerCommunication: true
}

const withAll = (evidence: Evidence, found: ReadonlyArray<EvidenceKey>): Evidence =>
  found.reduce<Evidence>((so, key) => ({ ...so, [key]: full[key] }), evidence)

const missing = (family: Family, evidence: Evidence): ReadonlyArray<typeof Missing.Type> => {
  const score = scoreOf(family, evidence)
  return keys
    .map((key) => ({
      evidence: key,
      gain: round(scoreOf(family, withAll(evidence, [key])) - score),
      findable: pieces[key].findable,
      hint: pieces[key].hint
    }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
}

/**
 * Represent what is strong; look for what can still be found where that makes it strong; else accept a weak case, and send a fair one as it
 * is.
 */
const actionOf = (score: number, reachable: number): Readiness["recommended_action"] => {
  if (score >= HIGH) return "represent"
  if (reachable >= HIGH) return "gather"
  return score >= LOW ? "represent" : "accept"
}

const reasons: Readonly<Record<Readiness["recommended_action"], string>> = {
  represent: "Send what there is.",
  gather: "What can still be found would make the case strong: gather it first, and mind the deadline.",
  accept: "What can still be found does not make the case strong: accepting saves the work and the fee of a lost one."
}

export const assess = ({ evidence, reason_code }: ReadinessInput): Readiness => {
  const { category, family, network } = reasonOf(reason_code)
  const score = scoreOf(family, evidence)
  const reachable = scoreOf(family, withAll(evidence, keys.filter((key) => pieces[key].findable)))
  const band = score < LOW ? "low" : score < HIGH ? "moderate" : "high"
  const recommended_action = actionOf(score, reachable)
  return {
    score,
    band,
    top_missing_evidence: missing(family, evidence).slice(0, MOST_MISSING),
    recommended_action,
    rationale: `${reason_code} (${
      category.replaceAll("_", " ")
    }): ${band} with what is on file, ${score}; up to ${reachable} with what can still be found. ${reasons[recommended_action]} ${
      advice[category]
    }`,
    category,
    family,
    network,
    model_version: MODEL_VERSION,
    caveat: "A measure of the evidence by fixed weights, not a prediction: the issuer and the network decide."
  }
}
