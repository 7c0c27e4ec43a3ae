import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { matrix } from "./sca-matrix.ts"
import { decide, referenceRates, ScaInput } from "./sca.ts"

const chosen = (input: ScaInput) => decide(input).exemption

const runs = { arbitrary: { runs: 1000 } }

it("a credit transfer that the payee initiates is refused: there is none", () => {
  const read = (input: object) => Schema.decodeUnknownResult(ScaInput)({ amount_eur: 20, is_merchant_initiated: true, ...input })._tag
  assert.deepStrictEqual(
    [read({ transaction_type: "credit_transfer" }), read({ transaction_type: "card" }), read({})],
    ["Failure", "Success", "Success"]
  )
})

describe("what the regulation says", () => {
  it.for<readonly [article: string, input: ScaInput, exemption: string]>([
    ["Art. 16: 30 euros are low value", { amount_eur: 30 }, "low_value"],
    ["Art. 16: a cent more is not", { amount_eur: 30.01 }, "3ds2_challenge"],
    ["Art. 16: the sum before it may reach 100", { amount_eur: 30, cumulative_eur_since_sca: 100 }, "low_value"],
    ["Art. 16: and no cent more", { amount_eur: 30, cumulative_eur_since_sca: 100.01 }, "3ds2_challenge"],
    ["Art. 16: five payments may stand before it", { amount_eur: 30, count_since_sca: 5 }, "low_value"],
    ["Art. 16: and not six", { amount_eur: 30, count_since_sca: 6 }, "3ds2_challenge"],
    ["Art. 16: the provider counts one of the two", { amount_eur: 30, count_since_sca: 6, cumulative_eur_since_sca: 100 }, "low_value"],
    ["Art. 16: the other way round too", { amount_eur: 30, count_since_sca: 5, cumulative_eur_since_sca: 500 }, "low_value"],
    ["Art. 16: neither holds", { amount_eur: 1, count_since_sca: 6, cumulative_eur_since_sca: 101 }, "3ds2_challenge"],
    ["Art. 17", { amount_eur: 50_000, is_secure_corporate: true }, "secure_corporate"],
    ["Art. 97 PSD2: initiated by the payee", { amount_eur: 400, is_merchant_initiated: true }, "merchant_initiated"],
    [
      "Art. 97 PSD2: initiated by the payee, however little",
      { amount_eur: 25, is_merchant_initiated: true, tra_acquirer_fraud_bps: 1 },
      "merchant_initiated"
    ],
    ["Art. 16, 18: what the payee initiates without a mandate is not exempt", {
      amount_eur: 25,
      is_merchant_initiated: true,
      has_prior_sca: false,
      tra_acquirer_fraud_bps: 1
    }, "3ds2_challenge"],
    [
      "Art. 16: a credit transfer is the payer's",
      { amount_eur: 25, is_merchant_initiated: false, transaction_type: "credit_transfer" },
      "low_value"
    ],
    [
      "Art. 97 PSD2: not under a mandate without authentication",
      { amount_eur: 400, is_merchant_initiated: true, has_prior_sca: false },
      "3ds2_challenge"
    ],
    ["Art. 14", { amount_eur: 400, is_recurring_fixed: true, has_prior_sca: true }, "recurring_fixed"],
    ["Art. 14: the first is authenticated", { amount_eur: 400, is_recurring_fixed: true }, "3ds2_challenge"],
    ["Art. 13", { amount_eur: 400, is_trusted_beneficiary: true, has_prior_sca: true }, "trusted_beneficiary"],
    [
      "Art. 13: the list is made with authentication",
      { amount_eur: 400, is_trusted_beneficiary: true, has_prior_sca: false },
      "3ds2_challenge"
    ],
    ["outside the EEA", { amount_eur: 400, is_one_leg_out: true }, "one_leg_out"],
    ["nothing applies", { amount_eur: 400 }, "3ds2_challenge"]
  ])("%s", ([, input, exemption]) => {
    const decision = decide(input)
    assert.strictEqual(decision.exemption, exemption)
    assert.strictEqual(decision.sca_required, exemption === "3ds2_challenge")
  })

  // The annex: a rate that equals the reference rate meets it (Art. 19(1)), and an amount that equals the threshold is within it.
  it.for(Object.entries(referenceRates).flatMap(([kind, bands]) => bands.map((band) => [kind, band] as const)))(
    "Art. 18 for %s, %o",
    ([kind, { bps, cap_eur }]) => {
      const transaction_type = kind === "card" ? "card" : "credit_transfer"
      const ask = (amount_eur: number, tra_acquirer_fraud_bps: number) => decide({ amount_eur, tra_acquirer_fraud_bps, transaction_type })
      assert.deepInclude(ask(cap_eur, bps), { exemption: "transaction_risk_analysis", tra_cap_eur: cap_eur })
      assert.strictEqual(ask(cap_eur + 0.01, bps).exemption, "3ds2_challenge")
      assert.strictEqual(ask(cap_eur, bps + 0.01).exemption, "3ds2_challenge")
    }
  )

  it("has the annex's numbers", () => {
    assert.deepStrictEqual(referenceRates, {
      card: [{ bps: 1, cap_eur: 500 }, { bps: 6, cap_eur: 250 }, { bps: 13, cap_eur: 100 }],
      credit_transfer: [{ bps: 0.5, cap_eur: 500 }, { bps: 1, cap_eur: 250 }, { bps: 1.5, cap_eur: 100 }]
    })
    assert.isUndefined(decide({ amount_eur: 200, tra_acquirer_fraud_bps: 13.1 }).tra_cap_eur)
  })

  it("prefers in the order of the matrix, and falls back to the next", () => {
    const all: ScaInput = {
      amount_eur: 20,
      is_secure_corporate: true,
      is_merchant_initiated: true,
      is_recurring_fixed: true,
      is_trusted_beneficiary: true,
      is_one_leg_out: true,
      has_prior_sca: true,
      tra_acquirer_fraud_bps: 1
    }
    const ways = matrix.map(({ exemption }) => exemption)
    const decision = decide({ ...all, is_merchant_initiated: false })
    assert.deepStrictEqual(decision.candidates, ways.filter((way) => way !== "merchant_initiated"))
    // What the payee initiates is none of what "the payer initiates" (Art. 13, 16 and 18).
    assert.deepStrictEqual(
      decide(all).candidates,
      ways.filter((way) => way !== "low_value" && way !== "trusted_beneficiary" && way !== "transaction_risk_analysis")
    )
    assert.deepInclude(decide({ amount_eur: 25, is_merchant_initiated: true, tra_acquirer_fraud_bps: 1 }), {
      exemption: "merchant_initiated",
      fallback: "3ds2_challenge"
    })
    assert.deepStrictEqual(matrix.map(({ priority }) => priority), [1, 2, 3, 4, 5, 6, 7, 8])
    assert.deepInclude(decision, { exemption: "low_value", priority: 1, fallback: "secure_corporate" })
    assert.strictEqual(decide({ amount_eur: 20 }).fallback, "3ds2_challenge")
  })

  it("lets only the payer's provider exempt a credit transfer", () => {
    assert.deepStrictEqual(decide({ amount_eur: 20, transaction_type: "credit_transfer" }).decided_by, ["issuer"])
    assert.deepStrictEqual(decide({ amount_eur: 20 }).decided_by, ["issuer", "acquirer"])
  })
})

describe("properties", () => {
  const more = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e6 }))

  it.prop("more money never needs less authentication", [ScaInput, more], ([input, by]) => {
    const amount_eur = Math.min(1e9, input.amount_eur + by)
    if (decide(input).sca_required) assert.isTrue(decide({ ...input, amount_eur }).sca_required)
  }, runs)

  it.prop("a higher fraud rate never needs less", [ScaInput, more], ([input, by]) => {
    const rate = input.tra_acquirer_fraud_bps
    if (rate !== undefined && decide(input).sca_required) {
      assert.isTrue(decide({ ...input, tra_acquirer_fraud_bps: rate + by }).sca_required)
    }
  }, runs)

  it.prop("what is known in the payment's favour never needs more", [ScaInput], ([input]) => {
    const favoured = {
      ...input,
      is_secure_corporate: true,
      is_recurring_fixed: true,
      has_prior_sca: true,
      is_trusted_beneficiary: true,
      is_one_leg_out: true
    }
    assert.isFalse(decide(favoured).sca_required)
    for (const flag of ["is_one_leg_out", "is_secure_corporate", "has_prior_sca"] as const) {
      if (!decide(input).sca_required) assert.isFalse(decide({ ...input, [flag]: true }).sca_required)
    }
    // Under a mandate without authentication the payee's own initiative is nothing in its favour.
    if (!decide(input).sca_required && input.has_prior_sca !== false) {
      assert.isFalse(decide({ ...input, is_merchant_initiated: true }).sca_required)
    }
  }, runs)

  it.prop("what the payee initiates by card is never low value, trusted, or a matter of risk analysis", [ScaInput], ([input]) => {
    const { candidates } = decide({ ...input, is_merchant_initiated: true, transaction_type: "card" })
    for (const way of ["low_value", "trusted_beneficiary", "transaction_risk_analysis"] as const) assert.notInclude(candidates, way)
  }, runs)

  it.prop("the decision is the first candidate, and authentication the last", [ScaInput], ([input]) => {
    const { candidates } = decide(input)
    assert.strictEqual(candidates[0], chosen(input))
    assert.strictEqual(candidates.at(-1), "3ds2_challenge")
  }, runs)
})
