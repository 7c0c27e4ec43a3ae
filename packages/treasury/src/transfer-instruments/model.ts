/** The transfer instrument: where an account's money is paid out to. Its number is sealed, and only its end is ever shown. */
import { AccountId } from "@svc/accounts/accounts/model"
import { legalEntityKind } from "@svc/accounts/legal-entities/model"
import { keyOrElse } from "@svc/kernel/resource/api"
import { InvalidState } from "@svc/kernel/resource/errors"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { type ById, kind, refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Sealed } from "@svc/platform/encryption/keyring"
import { Context, Schema } from "effect"
import { Model } from "effect/schema"

export const TransferInstrumentId = idSchema("ti", "TransferInstrumentId")
export type TransferInstrumentId = typeof TransferInstrumentId.Type

export const instrumentStatuses = ["pending", "verified", "active", "archived", "failed"] as const
export const InstrumentStatus = Schema.Literals(instrumentStatuses).annotate({ identifier: "TransferInstrumentStatus" })
export type InstrumentStatus = typeof InstrumentStatus.Type

export const InstrumentType = Schema.Literals(["bank_account", "card", "usdc_wallet"]).annotate({ identifier: "TransferInstrumentType" })
export type InstrumentType = typeof InstrumentType.Type

/** The timer of one that is verified: the end of its cooling-off. */
export const ACTIVATE = "transfer_instrument.activate"

/** Hours in which a live account hears of a new bank account before money goes there. */
export const COOLING_OFF_HOURS = 24

/** How often the amounts of the two small deposits may be wrong. */
export const MOST_TRIES = 3

/** Row and wire in one declaration. */
export const TransferInstrument = resource({
  id: TransferInstrumentId,
  account_id: AccountId,
  type: InstrumentType,
  status: InstrumentStatus,
  currency: Currency,
  holder_name: oneLine(200),
  /** The last characters of the number, the token or the address: four, and fewer of a short one. */
  last4: Schema.String,
  /** The number itself, sealed. */
  sealed: Model.Sensitive(Sealed),
  /** Of a bank account outside the IBAN: which bank it is at. */
  routing_number: Schema.NullOr(Schema.String),
  is_default: Schema.Boolean,
  legal_entity_id: Schema.NullOr(Schema.String),
  /** Tries at the amounts of the two small deposits that were wrong. */
  wrong_tries: Model.Sensitive(Schema.Int),
  verified_at: Schema.NullOr(Timestamp),
  /** When one that is verified becomes active by itself. */
  active_from: Schema.NullOr(Timestamp),
  failure_reason: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type TransferInstrument = typeof TransferInstrument.Type

export const instrumentExpansion = refersTo("legal_entity", legalEntityKind)

export const TransferInstrumentJson = Schema.Struct({ ...TransferInstrument.json.fields, ...instrumentExpansion.fields }).annotate({
  identifier: "TransferInstrument",
  description: "Where an account's money is paid out to. Its number is kept sealed, and only its last four characters are shown."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("ti"),
    account_id: exampleId("acct"),
    type: "bank_account",
    status: "active",
    currency: "EUR",
    holder_name: "Nordlicht Keramik GmbH",
    last4: "3000",
    routing_number: null,
    is_default: true,
    legal_entity_id: exampleId("le"),
    verified_at: EXAMPLE_TIME,
    active_from: null,
    failure_reason: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 3
  }]
}))

/** Finds the instruments that other resources refer to. */
export class TransferInstrumentsById
  extends Context.Service<TransferInstrumentsById, ById<typeof TransferInstrumentJson.Type>>()("@svc/treasury/TransferInstrumentsById")
{}

/** An instrument, for what refers to one. */
export const instrumentKind = kind({ schema: TransferInstrumentJson, scope: "transfer_instruments:read", byId: TransferInstrumentsById })

/** The instrument is to be archived: a payout that is still on its way to it refuses. */
export const archiving = moment<{ readonly instrument: TransferInstrument }, InvalidState>("transfer_instrument.archiving")

export const transferInstruments = tableOf(TransferInstrument, {
  name: "transfer_instruments",
  account: "account_id",
  fixed: ["type", "currency", "holder_name", "last4", "sealed", "routing_number", "legal_entity_id"],
  audited: true
})

// ---------------------------------------------------------------------------------- requests

const version = Schema.optionalKey(
  Schema.Int.check(Schema.isGreaterThan(0)).annotate({
    description: "The version you read; the request is refused when it is no longer the current one"
  })
)

export const CreateTransferInstrumentRequest = Schema.Struct({
  type: InstrumentType,
  currency: Currency,
  holder_name: oneLine(200),
  number: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9_][A-Za-z0-9_ -]{2,62}[A-Za-z0-9]$/u, {
      message: "must be 4 to 64 letters, digits, spaces, hyphens and underscores"
    })
  ).annotate({
    description:
      "Of a bank account its IBAN or account number, of a wallet its address on Ethereum, of a card the provider's token. Card numbers " +
      "are refused",
    examples: ["DE89370400440532013000"]
  }),
  routing_number: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Z0-9-]{6,12}$/u, { message: "must be 6 to 12 digits, capitals and hyphens" })))
      .annotate({
        description: "Which bank it is at, where the number is no IBAN: a routing number, a sort code, a BIC"
      })
  ),
  legal_entity_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  ...keyOrElse("each request makes another")
}).annotate({
  identifier: "CreateTransferInstrumentRequest",
  examples: [{
    type: "bank_account",
    currency: "EUR",
    holder_name: "Nordlicht Keramik GmbH",
    number: "DE89370400440532013000",
    idempotency_key: "1d1f3c77-4a0f-4b7c-9a52-0e6b5f7d8c06"
  }]
})
export type CreateTransferInstrumentRequest = typeof CreateTransferInstrumentRequest.Type

export const VerifyTransferInstrumentRequest = Schema.Struct({
  method: Schema.Literals(["instant", "micro_deposits"]),
  amounts: Schema.optionalKey(
    Schema.Array(Schema.Int).check(Schema.isMinLength(2), Schema.isMaxLength(2)).annotate({
      description:
        "With `micro_deposits`, which needs them: the two small amounts that arrived, in minor units, in any order. In a sandbox they " +
        "are 32 and 45"
    })
  ),
  version
}).annotate({ identifier: "VerifyTransferInstrumentRequest", examples: [{ method: "micro_deposits", amounts: [32, 45] }] })
export type VerifyTransferInstrumentRequest = typeof VerifyTransferInstrumentRequest.Type

/** What a list may be narrowed to. */
export const instrumentFilters = {
  status: Schema.optionalKey(InstrumentStatus),
  type: Schema.optionalKey(InstrumentType),
  currency: Schema.optionalKey(Currency)
}
export type InstrumentFilter = Schema.Struct.Type<typeof instrumentFilters>
