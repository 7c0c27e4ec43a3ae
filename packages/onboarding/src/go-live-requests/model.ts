/** The request to go live: a merchant asks from the sandbox, the operator approves, and that opens the live account. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ApiKeyIssued } from "@svc/accounts/api-keys/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const GoLiveRequestId = idSchema("glr", "GoLiveRequestId")
export type GoLiveRequestId = typeof GoLiveRequestId.Type

export const goLiveStatuses = ["pending", "approved", "rejected"] as const
export const GoLiveStatus = Schema.Literals(goLiveStatuses).annotate({ identifier: "GoLiveRequestStatus" })
export type GoLiveStatus = typeof GoLiveStatus.Type

/** Row and wire in one declaration. */
export const GoLiveRequest = resource({
  id: GoLiveRequestId,
  merchant_id: AccountId.annotate({ description: "The sandbox account that asks" }),
  status: GoLiveStatus,
  requested_by: Schema.String.annotate({ description: "The key or the person who asked" }),
  decided_by: Schema.NullOr(Schema.String).annotate({ description: "The key or the person of the installation who decided" }),
  /** By the world's time, also where the account has a test clock. */
  decided_at: Schema.NullOr(Timestamp),
  rejection_reason: Schema.NullOr(Schema.String),
  live_account_id: Schema.NullOr(AccountId).annotate({ description: "The live account that the approval opened" }),
  ...versioned
})
export type GoLiveRequest = typeof GoLiveRequest.Type

const example = {
  id: exampleId("glr"),
  merchant_id: exampleId("acct"),
  status: "pending",
  requested_by: exampleId("usr"),
  decided_by: null,
  decided_at: null,
  rejection_reason: null,
  live_account_id: null,
  ...exampleVersion
} as const

export const GoLiveRequestJson = GoLiveRequest.json.annotate({
  identifier: "GoLiveRequest",
  description: "A sandbox account asks for its live account. Both stay what they are: nothing of the sandbox becomes real."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** A request as the operator sees it. */
export const OperatorGoLiveRequestJson = Schema.Struct({
  ...GoLiveRequest.json.fields,
  account_name: Schema.String.annotate({ description: "The name of the account that asks" }),
  legal_name: Schema.NullOr(Schema.String).annotate({ description: "Of its newest legal entity that is verified; null where none is" })
}).annotate({
  identifier: "OperatorGoLiveRequest",
  description: "A request to go live, with who asks."
}).pipe(Schema.annotateEncoded({ examples: [{ ...example, account_name: "Nordlicht Keramik", legal_name: "Nordlicht Keramik GmbH" }] }))
export type OperatorGoLiveRequest = typeof OperatorGoLiveRequestJson.Type

/** An approved request. The secret of the key is shown by no later answer. */
export const GoLiveApproved = Schema.Struct({
  ...GoLiveRequest.json.fields,
  api_key: Schema.NullOr(ApiKeyIssued).annotate({
    description: "The first secret key of the live account, where no owner asked for it; null where one did, who owns it"
  })
}).annotate({ identifier: "GoLiveApproved" }).pipe(Schema.annotateEncoded({
  examples: [{
    ...example,
    status: "approved",
    decided_by: exampleId("usr"),
    decided_at: EXAMPLE_TIME,
    live_account_id: "acct_01KDVK5D80000000000000000B",
    version: 2,
    api_key: null
  }]
}))

export const goLiveRequests = tableOf(GoLiveRequest, {
  name: "go_live_requests",
  account: "merchant_id",
  fixed: ["requested_by"],
  audited: true
})

/** What a list may be narrowed to. */
export const goLiveFilters = { status: Schema.optionalKey(GoLiveStatus) }
export type GoLiveFilter = Schema.Struct.Type<typeof goLiveFilters>

export const CreateGoLiveRequest = Schema.Struct(requiredKey).annotate({
  identifier: "CreateGoLiveRequest",
  examples: [{ idempotency_key: "0b6f2f9e-6f43-4c2d-9a6b-0d1c5a3e7b21" }]
})

export const RejectGoLiveRequest = Schema.Struct({
  reason: oneLine(500).annotate({ description: "Why, in words that the merchant reads" })
}).annotate({ identifier: "RejectGoLiveRequest", examples: [{ reason: "Tell us first what you sell" }] })
