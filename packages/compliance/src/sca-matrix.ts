/** What is known of each way round strong customer authentication, in the order in which this service prefers them. */
import { Schema } from "effect"

const exemptions = [
  "low_value",
  "secure_corporate",
  "merchant_initiated",
  "recurring_fixed",
  "trusted_beneficiary",
  "transaction_risk_analysis",
  "one_leg_out",
  "3ds2_challenge"
] as const

export const Row = Schema.Struct({
  exemption: Schema.Literals(exemptions),
  /** 1 is asked first. A preference of this service: the regulation has none. */
  priority: Schema.Int,
  sca_required: Schema.Boolean,
  condition: Schema.String,
  legal_basis: Schema.Struct({
    article: Schema.String,
    /** False for what the duty to authenticate does not reach: no exemption is used up, and none is claimed. */
    in_scope: Schema.Boolean
  }),
  /** The parties that may exempt a card payment (EBA-Op-2018-04, table 2); a credit transfer only the payer's provider. */
  decided_by: Schema.Array(Schema.Literals(["issuer", "acquirer"])),
  /** The party that bears a fraudulent payment. */
  liability: Schema.String,
  /** EMV 3DS 2.2 `threeDSRequestorChallengeInd` to ask for it with; absent where no challenge can be asked for. */
  three_ds_challenge_indicator: Schema.optionalKey(Schema.String)
})
export type Row = typeof Row.Type

const claimant = "whoever claims the exemption: the acquirer's side refunds the issuer when it did (PSD2 Art. 74(2)), else the issuer"
const issuer = "the issuer, who decides on it"

const rows: readonly [Omit<Row, "priority">, ...ReadonlyArray<Omit<Row, "priority">>] = [
  {
    exemption: "low_value",
    sca_required: false,
    condition:
      "the payer initiates it, at most 30 EUR, and since the last authentication at most 100 EUR or at most five payments before this one; the issuer's counter decides",
    legal_basis: { article: "RTS (EU) 2018/389 Art. 16", in_scope: true },
    decided_by: ["issuer", "acquirer"],
    liability: claimant,
    three_ds_challenge_indicator: "02"
  },
  {
    exemption: "secure_corporate",
    sca_required: false,
    condition: "the payer is a legal person that pays by a dedicated process or protocol whose security the competent authority accepts",
    legal_basis: { article: "RTS (EU) 2018/389 Art. 17", in_scope: true },
    decided_by: ["issuer"],
    liability: issuer,
    three_ds_challenge_indicator: "02"
  },
  {
    exemption: "merchant_initiated",
    sca_required: false,
    condition: "the payee alone initiates it, under a mandate that the payer gave with authentication",
    legal_basis: { article: "PSD2 (EU) 2015/2366 Art. 97(1)(b): only what the payer initiates", in_scope: false },
    decided_by: [],
    liability: "the payee; the payer has it refunded where the mandate left the amount open and it is more than expected (PSD2 Art. 76)"
  },
  {
    exemption: "recurring_fixed",
    sca_required: false,
    condition: "the same amount to the same payee again; creating, changing and first paying the series was authenticated",
    legal_basis: { article: "RTS (EU) 2018/389 Art. 14", in_scope: true },
    decided_by: ["issuer", "acquirer"],
    liability: claimant,
    three_ds_challenge_indicator: "02"
  },
  {
    exemption: "trusted_beneficiary",
    sca_required: false,
    condition:
      "the payer initiates it, and the payee is on the list that the payer keeps with the issuer; creating and changing the list was authenticated",
    legal_basis: { article: "RTS (EU) 2018/389 Art. 13", in_scope: true },
    decided_by: ["issuer"],
    liability: issuer,
    three_ds_challenge_indicator: "08"
  },
  {
    exemption: "transaction_risk_analysis",
    sca_required: false,
    condition:
      "the payer initiates it, real-time analysis finds low risk, and the provider's fraud rate is within the reference rate for the amount: card 13 bps to 100 EUR, 6 to 250, 1 to 500; credit transfer 1.5, 1, 0.5",
    legal_basis: { article: "RTS (EU) 2018/389 Art. 18 and Annex", in_scope: true },
    decided_by: ["issuer", "acquirer"],
    liability: claimant,
    three_ds_challenge_indicator: "05"
  },
  {
    exemption: "one_leg_out",
    sca_required: false,
    condition: "the payer's or the payee's provider is outside the EEA, so that authentication is a matter of best effort",
    legal_basis: { article: "PSD2 (EU) 2015/2366 Art. 2(4); EBA-Op-2018-04", in_scope: false },
    decided_by: [],
    liability: "by the card network's rules"
  },
  {
    exemption: "3ds2_challenge",
    sca_required: true,
    condition: "nothing else applies, or the issuer asks for it",
    legal_basis: { article: "PSD2 (EU) 2015/2366 Art. 97(1); RTS (EU) 2018/389 Art. 4", in_scope: true },
    decided_by: ["issuer"],
    liability: "the issuer, once authenticated",
    three_ds_challenge_indicator: "04"
  }
]

const [first, ...rest] = rows

/** In order of priority. */
export const matrix: readonly [Row, ...ReadonlyArray<Row>] = [
  { ...first, priority: 1 },
  ...rest.map((row, index) => ({ ...row, priority: index + 2 }))
]
