/** The terms of service in their present version, and who accepted which version of them. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

/** The version of `terms.md`, its day. Another text is another version. */
export const TERMS_VERSION = "2026-11-01"

export const TermsVersion = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { message: "must be a version of the terms, such as 2026-11-01" })
).annotate({ identifier: "TermsVersion" })

export const Terms = Schema.Struct({
  version: TermsVersion.annotate({ description: "The day of the text. Another text is another version" }),
  text: Schema.String.annotate({ description: "Markdown" })
}).annotate({ identifier: "Terms", description: "The terms of service as they are now." }).pipe(
  Schema.annotateEncoded({ examples: [{ version: TERMS_VERSION, text: "# Terms of service\n\nVersion of 1 November 2026." }] })
)
export type Terms = typeof Terms.Type

export const TermsAcceptanceId = idSchema("ta", "TermsAcceptanceId")
export type TermsAcceptanceId = typeof TermsAcceptanceId.Type

/** Row and wire in one declaration. */
export const TermsAcceptance = resource({
  id: TermsAcceptanceId,
  merchant_id: AccountId,
  terms_version: Schema.String,
  accepted_by: Schema.String.annotate({ description: "The key or the person" }),
  /** By the world's time, also where the account has a test clock. */
  accepted_at: Timestamp,
  ...versioned
})
export type TermsAcceptance = typeof TermsAcceptance.Type

export const TermsAcceptanceJson = TermsAcceptance.json.annotate({
  identifier: "TermsAcceptance",
  description: "Who accepted a version of the terms in the name of the account, and when. There is one of each version."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("ta"),
    merchant_id: exampleId("acct"),
    terms_version: TERMS_VERSION,
    accepted_by: exampleId("usr"),
    accepted_at: EXAMPLE_TIME,
    ...exampleVersion
  }]
}))

export const termsAcceptances = tableOf(TermsAcceptance, {
  name: "terms_acceptances",
  account: "merchant_id",
  fixed: ["terms_version", "accepted_by", "accepted_at"],
  audited: true
})

/** What a list may be narrowed to. */
export const termsAcceptanceFilters = { terms_version: Schema.optionalKey(TermsVersion) }

export const AcceptTermsRequest = Schema.Struct({
  ...requiredKey,
  version: TermsVersion.annotate({ description: "The version that was read, which must be the present one" })
}).annotate({
  identifier: "AcceptTermsRequest",
  examples: [{ idempotency_key: "6a6d8a0e-3a3e-4b0e-8c57-1f5f0b7b2a10", version: TERMS_VERSION }]
})
export type AcceptTermsRequest = typeof AcceptTermsRequest.Type
