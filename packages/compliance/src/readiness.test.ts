import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Evidence, families, models, pieces } from "./readiness-table.ts"
import { assess, scoreOf } from "./readiness.ts"
import { knownCodes, reasonOf } from "./reason-codes.ts"

const runs = { arbitrary: { runs: 500 } }
const Family = Schema.Literals(families)
const Code = Schema.Literals([...knownCodes, "C08", "", "10.40"])

const all: Evidence = {
  ce3Eligible: true,
  matchingDataElements: 5,
  priorUndisputedTransactions: 10,
  hasDeliveryProof: true,
  hasAvsMatch: true,
  hasCvvMatch: true,
  has3dsAuthenticated: true,
  hasSignedMandate: true,
  hasCustomerCommunication: true
}

const most = (one: boolean | number | undefined, other: boolean | number | undefined) => Math.max(Number(one ?? 0), Number(other ?? 0))

/** At least what either has. */
const joined = (a: Evidence, b: Evidence): Evidence => ({
  ce3Eligible: most(a.ce3Eligible, b.ce3Eligible) === 1,
  matchingDataElements: most(a.matchingDataElements, b.matchingDataElements),
  priorUndisputedTransactions: most(a.priorUndisputedTransactions, b.priorUndisputedTransactions),
  hasDeliveryProof: most(a.hasDeliveryProof, b.hasDeliveryProof) === 1,
  hasAvsMatch: most(a.hasAvsMatch, b.hasAvsMatch) === 1,
  hasCvvMatch: most(a.hasCvvMatch, b.hasCvvMatch) === 1,
  has3dsAuthenticated: most(a.has3dsAuthenticated, b.has3dsAuthenticated) === 1,
  hasSignedMandate: most(a.hasSignedMandate, b.hasSignedMandate) === 1,
  hasCustomerCommunication: most(a.hasCustomerCommunication, b.hasCustomerCommunication) === 1
})

describe("the score", () => {
  it.prop("never falls as evidence is added", [Family, Evidence, Evidence], ([family, some, more]) => {
    const score = scoreOf(family, some)
    assert.isAtLeast(scoreOf(family, joined(some, more)), score)
    assert.isTrue(score >= 0 && score <= 1)
  }, runs)

  it("has no weight below zero, and one above it for each family", () => {
    for (const family of families) {
      const weights = Object.values(models[family].of)
      assert.isAtLeast(Math.min(...weights), 0)
      assert.isAbove(Math.max(...weights), 0)
    }
  })

  it.for(families)("is low for %s without evidence", (family) => {
    assert.isBelow(scoreOf(family, {}), 0.34)
  })

  it.for(["10.4", "12.x", "13.x", "default"] as const)("is high for %s with all of it", (family) => {
    assert.isAtLeast(scoreOf(family, all), 0.67)
  })

  it("is what the logistic function says", () => {
    assert.strictEqual(scoreOf("10.4", { ce3Eligible: true }), Math.round(1e4 / (1 + Math.exp(-0.3))) / 1e4)
  })
})

describe("the assessment", () => {
  it.prop("has a band and an action that fit its score", [Code, Evidence], ([reason_code, evidence]) => {
    const { band, recommended_action, score, top_missing_evidence } = assess({ reason_code, evidence })
    assert.strictEqual(band, score < 0.34 ? "low" : score < 0.67 ? "moderate" : "high")
    if (band === "high") assert.strictEqual(recommended_action, "represent")
    if (recommended_action === "accept") assert.strictEqual(band, "low")
    const gains = top_missing_evidence.map(({ gain }) => gain)
    assert.deepStrictEqual(gains, gains.toSorted((a, b) => b - a))
    assert.isAtMost(gains.length, 3)
    // What is said to be missing is missing, and finding it brings what is said.
    for (const missing of top_missing_evidence) {
      assert.isBelow(Number(evidence[missing.evidence] ?? 0), pieces[missing.evidence].most)
      const found = assess({ reason_code, evidence: { ...evidence, [missing.evidence]: all[missing.evidence] } })
      assert.approximately(found.score - score, missing.gain, 1e-9)
    }
  }, runs)

  it("asks first for what the network asks for", () => {
    const first = (reason_code: string) => assess({ reason_code, evidence: {} }).top_missing_evidence[0]?.evidence
    assert.deepStrictEqual(["10.4", "4837", "13.1", "12.6.1"].map(first), [
      "ce3Eligible",
      "ce3Eligible",
      "hasDeliveryProof",
      "hasDeliveryProof"
    ])
  })

  it("does not send a merchant after what cannot be found any more", () => {
    const { recommended_action, top_missing_evidence } = assess({ reason_code: "10.1", evidence: {} })
    assert.strictEqual(recommended_action, "accept")
    assert.isTrue(top_missing_evidence.every(({ findable }) => findable))
    assert.strictEqual(assess({ reason_code: "10.4", evidence: {} }).recommended_action, "gather")
    assert.deepInclude(assess({ reason_code: "10.4", evidence: all }), { recommended_action: "represent", band: "high" })
  })
})

describe("reason codes", () => {
  it.for(
    [
      ["10.1", "fraudulent"],
      ["10.5", "fraudulent"],
      ["11.1", "general"],
      ["11.3", "general"],
      ["12.1", "general"],
      ["12.5", "general"],
      ["12.6.1", "duplicate"],
      ["12.6.2", "duplicate"],
      ["12.7", "general"],
      ["13.1", "product_not_received"],
      ["13.9", "product_not_received"],
      ["13.3", "product_unacceptable"],
      ["13.5", "product_unacceptable"],
      ["13.2", "subscription_canceled"],
      ["13.6", "credit_not_processed"],
      ["13.7", "credit_not_processed"],
      ["13.8", "general"]
    ] as const
  )("Visa's %s is %s", ([code, category]) => {
    assert.deepInclude(reasonOf(code), { network: "visa", category })
  })

  it("reads codes of Mastercard, and says when it knows none", () => {
    assert.deepStrictEqual(reasonOf("4837"), { network: "mastercard", category: "fraudulent", family: "10.4" })
    for (const code of ["", "C08", "constructor", "10.40"]) {
      assert.deepStrictEqual(reasonOf(code), { network: "unknown", category: "unknown", family: "default" })
    }
  })
})
