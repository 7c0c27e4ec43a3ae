/**
 * Whether strong customer authentication may be left out, by Commission Delegated Regulation (EU) 2018/389 (the RTS), which governs until
 * the Payment Services Regulation applies. The regulation ranks no exemption before another: the order of {@link preference} is this
 * service's.
 */
import { may, unsaid, whole } from "@svc/tool-kit/fields"
import { Schema } from "effect"
import { flag } from "./input.ts"
import { matrix, Row } from "./sca-matrix.ts"

const Euros = Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1e9))

export const ScaInput = Schema.Struct({
  /** Euros, with decimals. A card that is stored without a charge always needs authentication (PSD2 Art. 97(1)(c)), so there is no zero. */
  amount_eur: Euros,
  is_secure_corporate: flag,
  is_merchant_initiated: flag,
  is_recurring_fixed: flag,
  is_trusted_beneficiary: flag,
  is_one_leg_out: flag,
  /** The mandate, the series or the list of trusted beneficiaries was set up with authentication. */
  has_prior_sca: flag,
  /** The provider's fraud rate for this kind of payment over the last 90 days (RTS Art. 19), in basis points of value. */
  tra_acquirer_fraud_bps: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))),
  transaction_type: Schema.optionalKey(Schema.Literals(["card", "credit_transfer"])),
  /** What the payer paid remotely since the last authentication, without this payment. */
  cumulative_eur_since_sca: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))),
  /** How many remote payments since then, without this one. */
  count_since_sca: may(whole(0, 1_000_000))
}).check(Schema.makeFilter(
  ({ is_merchant_initiated, transaction_type }) =>
    is_merchant_initiated === true && transaction_type === "credit_transfer"
      ? "is_merchant_initiated: a payee initiates card payments, and no credit transfer. Leave it out, or send transaction_type card"
      : undefined,
  unsaid
))
export type ScaInput = typeof ScaInput.Type

/** Up to which amount a provider with this fraud rate may analyse the risk instead, in euros. */
interface Band {
  readonly bps: number
  readonly cap_eur: number
}

/** The annex of the RTS. A rate that equals the reference rate meets it (Art. 19(1)). */
export const referenceRates: Readonly<Record<"card" | "credit_transfer", ReadonlyArray<Band>>> = {
  card: [{ bps: 1, cap_eur: 500 }, { bps: 6, cap_eur: 250 }, { bps: 13, cap_eur: 100 }],
  credit_transfer: [{ bps: 0.5, cap_eur: 500 }, { bps: 1, cap_eur: 250 }, { bps: 1.5, cap_eur: 100 }]
}

const LOW_VALUE_EUR = 30
const LOW_VALUE_CUMULATIVE_EUR = 100
const LOW_VALUE_COUNT = 5

const kindOf = (input: ScaInput) => input.transaction_type ?? "card"

/** The largest amount for which the fraud rate lets risk analysis stand in; undefined when it does not, or is not known. */
export const traCap = (input: ScaInput): number | undefined => {
  const rate = input.tra_acquirer_fraud_bps
  return rate === undefined ? undefined : referenceRates[kindOf(input)].find(({ bps }) => rate <= bps)?.cap_eur
}

/** Articles 13, 16 and 18 exempt what "the payer initiates". */
const isPayeeInitiated = (input: ScaInput): boolean => input.is_merchant_initiated === true

/**
 * Art. 16: up to 30 euros, and the payments before this one within 100 euros or within five. The provider counts one of the two
 * (EBA-Op-2018-04, no. 43), so one that holds is enough; what is not given is for the issuer to count.
 */
const isLowValue = ({ amount_eur, count_since_sca, cumulative_eur_since_sca }: ScaInput): boolean => {
  const sum = cumulative_eur_since_sca === undefined ? undefined : cumulative_eur_since_sca <= LOW_VALUE_CUMULATIVE_EUR
  const count = count_since_sca === undefined ? undefined : count_since_sca <= LOW_VALUE_COUNT
  const counters = [sum, count].filter((one) => one !== undefined)
  return amount_eur <= LOW_VALUE_EUR && (counters.length === 0 || counters.includes(true))
}

/** When each applies. What is out of scope stands here too, because it is asked in the same breath. */
const applies: Readonly<Record<Row["exemption"], (input: ScaInput) => boolean>> = {
  low_value: (input) => !isPayeeInitiated(input) && isLowValue(input),
  secure_corporate: ({ is_secure_corporate }) => is_secure_corporate === true,
  // A mandate that is known to lack authentication does not carry its payments.
  merchant_initiated: (input) => isPayeeInitiated(input) && input.has_prior_sca !== false,
  recurring_fixed: ({ has_prior_sca, is_recurring_fixed }) => is_recurring_fixed === true && has_prior_sca === true,
  trusted_beneficiary: (input) => !isPayeeInitiated(input) && input.is_trusted_beneficiary === true && input.has_prior_sca === true,
  transaction_risk_analysis: (input) => !isPayeeInitiated(input) && input.amount_eur <= (traCap(input) ?? 0),
  one_leg_out: ({ is_one_leg_out }) => is_one_leg_out === true,
  "3ds2_challenge": () => true
}

/** Every way that is open for this payment, the preferred one first; the last is always authentication. */
const waysFor = (input: ScaInput): readonly [Row, ...ReadonlyArray<Row>] => {
  const [first, ...rest] = matrix.filter(({ exemption }) => applies[exemption](input))
  return first === undefined ? [matrix[0]] : [first, ...rest]
}

const { exemption, priority, sca_required, legal_basis, decided_by, liability, three_ds_challenge_indicator } = Row.fields

/** What to do with this payment. */
export const ScaDecision = Schema.Struct({
  exemption,
  priority,
  sca_required,
  legal_basis,
  decided_by,
  liability,
  three_ds_challenge_indicator,
  rationale: Schema.String,
  /** The next way when the issuer refuses this one. */
  fallback: exemption,
  /** Every way that is open, the preferred one first. */
  candidates: Schema.Array(exemption),
  /** The largest amount in euros for which the given fraud rate lets risk analysis stand in. */
  tra_cap_eur: Schema.optionalKey(Schema.Finite)
})
export type ScaDecision = typeof ScaDecision.Type

/** Chooses the preferred of the ways that are open. */
export const decide = (input: ScaInput): ScaDecision => {
  const ways = waysFor(input)
  const { condition, priority: _, ...row } = ways[0]
  const cap = traCap(input)
  return {
    ...row,
    priority: ways[0].priority,
    ...(kindOf(input) === "credit_transfer" && row.legal_basis.in_scope ? { decided_by: ["issuer"] } : {}),
    rationale: `${input.amount_eur} EUR by ${
      kindOf(input).replace("_", " ")
    }: ${row.exemption}, ${row.legal_basis.article}. It applies when ${condition}.`,
    fallback: (ways[1] ?? ways[0]).exemption,
    candidates: ways.map((way) => way.exemption),
    ...(cap === undefined ? {} : { tra_cap_eur: cap })
  }
}

/** The rules that were applied, for whoever reads an old decision. */
export const RULESET = "rts-2018-389"

export const CAVEAT =
  "Decision support, not legal advice: the issuer decides, and may answer with a soft decline (Visa 1A, Mastercard 65), after which the payer authenticates."
