/** The bank link: a person signs in at their bank with a provider, which then tells the numbers of their accounts. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Timestamp } from "@svc/kernel/values/time"
import { Sealed } from "@svc/platform/encryption/keyring"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { InstrumentStatus } from "../transfer-instruments/model.ts"

export const BankLinkId = idSchema("bl", "BankLinkId")
export type BankLinkId = typeof BankLinkId.Type

export const bankLinkStatuses = ["pending", "linked", "failed", "expired"] as const
export const BankLinkStatus = Schema.Literals(bankLinkStatuses).annotate({ identifier: "BankLinkStatus" })
export type BankLinkStatus = typeof BankLinkStatus.Type

/** The timer of one that is pending: the end of its link token. */
export const EXPIRES = "bank_link.expire"

/** An account at the bank, without its number. */
export const LinkedAccount = Schema.Struct({
  id: Schema.String.annotate({ description: "The provider's id of the account" }),
  name: Schema.String,
  holder_name: Schema.String,
  last_four: Schema.String,
  currency: Currency,
  country: Schema.String,
  destination_id: Schema.NullOr(Schema.String).annotate({ description: "The transfer instrument that was made of it" })
}).annotate({ identifier: "LinkedBankAccount" })
export type LinkedAccount = typeof LinkedAccount.Type

/** What is sealed of the accounts: their numbers, by the provider's id of the account. */
export const Numbers = fromJsonText(
  Schema.Record(Schema.String, Schema.Struct({ number: Schema.String, routing_number: Schema.NullOr(Schema.String) }))
)

/** Row and wire in one declaration. */
export const BankLink = resource({
  id: BankLinkId,
  account_id: AccountId,
  status: BankLinkStatus,
  link_token: Schema.String.annotate({ description: "With it the provider's page lets a person sign in at their bank" }),
  expires_at: Timestamp,
  /** What the provider calls the sign-in at one bank. */
  item_id: Schema.NullOr(Schema.String),
  accounts: Schema.Array(LinkedAccount),
  /** SHA-256 of the public token that linked it. */
  public_token_hash: Model.Sensitive(Schema.NullOr(Schema.String)),
  /** SHA-256 of the processor token that was given last. */
  processor_token_hash: Model.Sensitive(Schema.NullOr(Schema.String)),
  failure_reason: Schema.NullOr(Schema.String),
  linked_at: Schema.NullOr(Timestamp),
  ...versioned
})
export type BankLink = typeof BankLink.Type

const example = {
  id: exampleId("bl"),
  account_id: exampleId("acct"),
  status: "linked",
  link_token: "link_sandbox_5b0e7c1d9a3f4286",
  expires_at: "2026-01-01T12:30:00.000Z",
  item_id: "item_sandbox_5b0e7c1d9a3f4286",
  accounts: [{
    id: "ba_sandbox_5b0e7c1d9a3f4286_eur",
    name: "Geschäftskonto",
    holder_name: "Nordlicht Keramik GmbH",
    last_four: "3000",
    currency: "EUR",
    country: "DE",
    destination_id: null
  }],
  failure_reason: null,
  linked_at: EXAMPLE_TIME,
  ...exampleVersion
} as const

export const BankLinkJson = BankLink.json.annotate({
  identifier: "BankLink",
  description: "A sign-in at a bank. The numbers of its accounts are kept sealed, and only their last four characters are shown."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

export const bankLinks = tableOf(BankLink, {
  name: "bank_links",
  account: "account_id",
  fixed: ["link_token", "expires_at"],
  audited: true
})

/** {@link Numbers}, sealed. A row apart, which no update writes: the rotation of keys replaces what is in it. */
const BankLinkNumbers = resource({ id: BankLinkId, account_id: AccountId, sealed: Model.Sensitive(Sealed), ...versioned })

export const bankLinkNumbers = tableOf(BankLinkNumbers, { name: "bank_link_numbers", account: "account_id", fixed: ["sealed"] })

/** What a list may be narrowed to. */
export const bankLinkFilters = { status: Schema.optionalKey(BankLinkStatus) }

// ---------------------------------------------------------------------------------- requests

export const CreateBankLinkRequest = Schema.Struct(requiredKey).annotate({
  identifier: "CreateBankLinkRequest",
  examples: [{ idempotency_key: "5f1c2a34-8e7b-4d60-9a15-3c0b7e2d4f81" }]
})

/** What the simulated bank may do, as the name of a public token says. */
export const simulatedOutcomes = ["ok", "no_accounts", "expired", "already_used"] as const
export const SimulatedOutcome = Schema.Literals(simulatedOutcomes).annotate({ identifier: "SimulatedBankLinkOutcome" })
export type SimulatedOutcome = typeof SimulatedOutcome.Type

export const SimulateBankLinkRequest = Schema.Struct({
  outcome: Schema.optionalKey(SimulatedOutcome.annotate({ description: "What the exchange of the token comes to; `ok` unless given" }))
}).annotate({ identifier: "SimulateBankLinkRequest", examples: [{ outcome: "ok" }] })
export type SimulateBankLinkRequest = typeof SimulateBankLinkRequest.Type

export const SimulatedBankLink = Schema.Struct({ public_token: Schema.String }).annotate({ identifier: "SimulatedBankLink" }).pipe(
  Schema.annotateEncoded({ examples: [{ public_token: "public_sandbox_ok_5b0e7c1d9a3f4286" }] })
)

export const ExchangeBankLinkRequest = Schema.Struct({
  public_token: Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]{8,200}$/u, { message: "must be the public token that the provider's page gave" })
  ),
  ...requiredKey
}).annotate({
  identifier: "ExchangeBankLinkRequest",
  examples: [{ public_token: "public_sandbox_ok_5b0e7c1d9a3f4286", idempotency_key: "91d4c7f2-06be-4a3e-8f57-2b9ad1c05e63" }]
})
export type ExchangeBankLinkRequest = typeof ExchangeBankLinkRequest.Type

export const VerifyPayoutRequest = Schema.Struct({
  bank_account_id: Schema.String.annotate({ description: "One of the link's accounts" }),
  ...requiredKey
}).annotate({
  identifier: "VerifyPayoutRequest",
  examples: [{ bank_account_id: "ba_sandbox_5b0e7c1d9a3f4286_eur", idempotency_key: "c3a8e5d0-47f1-4b92-a6d4-8e1f0b73c925" }]
})
export type VerifyPayoutRequest = typeof VerifyPayoutRequest.Type

export const PayoutDestination = Schema.Struct({
  destination_id: Schema.String.annotate({ description: "The transfer instrument" }),
  status: InstrumentStatus
}).annotate({ identifier: "PayoutDestination" }).pipe(
  Schema.annotateEncoded({ examples: [{ destination_id: exampleId("ti"), status: "verified" }] })
)

export const ProcessorTokenRequest = Schema.Struct({
  bank_account_id: Schema.optionalKey(Schema.String.annotate({ description: "One of the link's accounts; the first unless given" }))
}).annotate({ identifier: "ProcessorTokenRequest", examples: [{ bank_account_id: "ba_sandbox_5b0e7c1d9a3f4286_eur" }] })
export type ProcessorTokenRequest = typeof ProcessorTokenRequest.Type

/** The link with a token for the processor, which no later answer shows again. */
export const ProcessorTokenIssued = Schema.Struct({
  ...BankLink.json.fields,
  processor_token: Schema.RedactedFromValue(Schema.String).annotate({ description: "Shown this once; only its SHA-256 is stored" })
}).annotate({ identifier: "ProcessorTokenIssued" }).pipe(
  Schema.annotateEncoded({ examples: [{ ...example, processor_token: "processor_sandbox_…, shown once" }] })
)
