/** The legal entity: the person or organization behind an account, as banks have to know it before money is paid out. */
import { keyOrElse } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { type ById, kind } from "@svc/kernel/resource/expansion"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { Country, StoredCountry } from "@svc/kernel/values/country"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Context, Schema } from "effect"
import { AccountId } from "../accounts/model.ts"

export const LegalEntityId = idSchema("le", "LegalEntityId")
export type LegalEntityId = typeof LegalEntityId.Type

export const verificationStatuses = ["pending", "verified", "failed", "requires_info"] as const
export const VerificationStatus = Schema.Literals(verificationStatuses).annotate({ identifier: "VerificationStatus" })
export type VerificationStatus = typeof VerificationStatus.Type

export const LegalEntityType = Schema.Literals(["individual", "organization"]).annotate({ identifier: "LegalEntityType" })
export type LegalEntityType = typeof LegalEntityType.Type

/** The timer of one that waits to be reviewed. */
export const REVIEW = "legal_entity.review"

export const Address = Schema.Struct({
  line1: oneLine(200),
  city: oneLine(100),
  postal_code: Schema.optionalKey(oneLine(20)),
  country: StoredCountry
}).annotate({ identifier: "LegalEntityAddress" })

/** An address as it is sent. */
const AddressSent = Schema.Struct({ ...Address.fields, country: Country }).annotate({ identifier: "LegalEntityAddressRequest" })

/** What is still to be sent, and why. */
export const Requirement = Schema.Struct({
  field: oneLine(80).annotate({ description: "Of the legal entity", examples: ["registration_number"] }),
  reason: oneLine(500).annotate({ examples: ["An organization is looked up in its register by this number."] })
}).annotate({ identifier: "LegalEntityRequirement" })
export type Requirement = typeof Requirement.Type

/** What a review came to. */
export type ReviewVerdict =
  | { readonly _tag: "Verified" }
  | { readonly _tag: "Asks"; readonly requirements: ReadonlyArray<Requirement> }
  | { readonly _tag: "Failed"; readonly reason: string }

const facts = {
  legal_name: oneLine(200),
  country: StoredCountry,
  registration_number: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9 ./-]{0,39}$/u, {
        message: "must be 1 to 40 letters, digits, spaces, dots, slashes and hyphens"
      })
    )
  ).annotate({
    description: "Of an organization: its number in the register of its country"
  }),
  birth_date: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u, { message: "must be a date such as 1990-12-31" })
    )
  ).annotate({
    description: "Of an individual, as YYYY-MM-DD"
  }),
  address: Schema.NullOr(Address)
}

/** Row and wire in one declaration. */
export const LegalEntity = resource({
  id: LegalEntityId,
  account_id: AccountId,
  type: LegalEntityType,
  ...facts,
  verification_status: VerificationStatus,
  /** What a review asked for; empty unless `requires_info`. */
  requirements: Schema.Array(Requirement),
  /** Why it failed, for people. */
  failure_reason: Schema.NullOr(Schema.String),
  verified_at: Schema.NullOr(Timestamp),
  ...versioned
})
export type LegalEntity = typeof LegalEntity.Type

export const LegalEntityJson = LegalEntity.json.annotate({
  identifier: "LegalEntity",
  description: "The person or organization behind an account, as banks have to know it before money is paid out."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("le"),
    account_id: exampleId("acct"),
    type: "organization",
    legal_name: "Nordlicht Keramik GmbH",
    country: "DE",
    registration_number: "HRB 12345",
    birth_date: null,
    address: { line1: "Hafenstraße 1", city: "Hamburg", postal_code: "20457", country: "DE" },
    verification_status: "verified",
    requirements: [],
    failure_reason: null,
    verified_at: EXAMPLE_TIME,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2
  }]
}))

/** Finds the legal entities that other resources refer to. */
export class LegalEntitiesById
  extends Context.Service<LegalEntitiesById, ById<typeof LegalEntityJson.Type>>()("@svc/accounts/LegalEntitiesById")
{}

/** A legal entity, for what refers to one. */
export const legalEntityKind = kind({ schema: LegalEntityJson, scope: "legal_entities:read", byId: LegalEntitiesById })

export const legalEntities = tableOf(LegalEntity, {
  name: "legal_entities",
  account: "account_id",
  fixed: ["type"],
  audited: true
})

// ---------------------------------------------------------------------------------- requests

const version = Schema.optionalKey(
  Schema.Int.check(Schema.isGreaterThan(0)).annotate({
    description: "The version you read; the request is refused when it is no longer the current one"
  })
)

const { birth_date, legal_name, registration_number } = facts
const address = Schema.NullOr(AddressSent)
const country = Country

export const CreateLegalEntityRequest = Schema.Struct({
  type: LegalEntityType,
  legal_name,
  country,
  registration_number: Schema.optionalKey(registration_number),
  birth_date: Schema.optionalKey(birth_date),
  address: Schema.optionalKey(address),
  ...keyOrElse("each request makes another")
}).annotate({
  identifier: "CreateLegalEntityRequest",
  examples: [{
    type: "organization",
    legal_name: "Nordlicht Keramik GmbH",
    country: "DE",
    registration_number: "HRB 12345",
    address: { line1: "Hafenstraße 1", city: "Hamburg", postal_code: "20457", country: "DE" },
    idempotency_key: "6c8a2c9e-1f1d-4c58-8d6e-9f1a2b3c4d05"
  }]
})
export type CreateLegalEntityRequest = typeof CreateLegalEntityRequest.Type

export const UpdateLegalEntityRequest = Schema.Struct({
  legal_name: Schema.optionalKey(legal_name),
  country: Schema.optionalKey(country),
  registration_number: Schema.optionalKey(registration_number),
  birth_date: Schema.optionalKey(birth_date),
  address: Schema.optionalKey(address),
  version
}).annotate({ identifier: "UpdateLegalEntityRequest", examples: [{ registration_number: "HRB 54321" }] })
export type UpdateLegalEntityRequest = typeof UpdateLegalEntityRequest.Type

/** What an update may change. */
export type LegalEntityPatch = Omit<UpdateLegalEntityRequest, "version">

/** What a list may be narrowed to: each name is a column. */
export const legalEntityFilters = {
  verification_status: Schema.optionalKey(VerificationStatus),
  type: Schema.optionalKey(LegalEntityType)
}

/** What the operator's review came to. */
export const ReviewLegalEntityRequest = Schema.Struct({
  verification_status: Schema.Literals(["verified", "requires_info", "failed"]),
  requirements: Schema.optionalKey(
    Schema.Array(Requirement).check(Schema.isMinLength(1), Schema.isMaxLength(20)).annotate({
      description: "Of `requires_info`, which needs them: what is asked for, and why"
    })
  ),
  failure_reason: Schema.optionalKey(oneLine(500).annotate({ description: "Of `failed`, which needs one: for people" }))
}).annotate({ identifier: "ReviewLegalEntityRequest", examples: [{ verification_status: "verified" }] })
export type ReviewLegalEntityRequest = typeof ReviewLegalEntityRequest.Type
