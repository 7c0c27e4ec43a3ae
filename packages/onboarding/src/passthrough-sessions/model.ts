/** The passthrough session: a page of one hour on which a person gives what no assistant should hear, such as a bank account's number. */
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import type { ActorIdentity } from "@svc/kernel/parts/actor"
import { keyOrElse, requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Sealed } from "@svc/platform/encryption/keyring"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const PassthroughSessionId = idSchema("pts", "PassthroughSessionId")
export type PassthroughSessionId = typeof PassthroughSessionId.Type

export const passthroughStatuses = ["open", "completed", "expired"] as const
export const PassthroughStatus = Schema.Literals(passthroughStatuses).annotate({ identifier: "PassthroughSessionStatus" })
export type PassthroughStatus = typeof PassthroughStatus.Type

export const FlowKind = Schema.Literals(["payout_bank", "business_verify"]).annotate({
  identifier: "PassthroughFlowKind",
  description: "`payout_bank` makes a transfer instrument, `business_verify` a legal entity"
})
export type FlowKind = typeof FlowKind.Type

/** What whoever makes a session needs: the scope by which its result is made by hand. */
export const flowScopes: Readonly<Record<FlowKind, ApiKeyScope>> = {
  payout_bank: "transfer_instruments:write",
  business_verify: "legal_entities:write"
}

/** How long a session lasts. */
export const SESSION_MINUTES = 60

/** The timer of a session: its end. */
export const EXPIRES = "passthrough_session.expires"

/** The key or person that made a session. Its page acts in their name. */
const MadeBy = Schema.Struct({
  type: Schema.String.annotate({ description: "As in the audit log: `api_key` or `person`" }),
  id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "PassthroughSessionMadeBy" })

/** The row. */
export const PassthroughSession = resource({
  id: PassthroughSessionId,
  account_id: AccountId,
  flow_kind: FlowKind,
  status: PassthroughStatus,
  made_by: MadeBy,
  /** SHA-256 of the secret in the page's address: the page is found by it. */
  secret_hash: Model.Sensitive(Schema.String),
  /** The secret itself, sealed, because the API shows the address again. */
  secret: Model.Sensitive(Sealed),
  prefilled: Schema.Array(Schema.String).annotate({ description: "The names of the fields that are filled already, never their values" }),
  /** What the fields are filled with until the session is over. */
  fields: Model.Sensitive(Schema.Record(Schema.String, Schema.String)),
  result_id: Schema.NullOr(Schema.String).annotate({ description: "The transfer instrument or legal entity that came of it" }),
  expires_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  ...versioned
})
export type PassthroughSession = typeof PassthroughSession.Type

/** Whether this is the key or person that made the session: nobody else sees its address or fills its page beforehand. */
export const isMaker = ({ made_by }: Pick<PassthroughSession, "made_by">, { id, type }: ActorIdentity): boolean =>
  made_by.type === type && made_by.id === id

const shown = {
  ...PassthroughSession.json.fields,
  path: Schema.NullOr(Schema.String).annotate({
    description: "The page, on this service; send a person there. Whoever has it may fill it in. " +
      "Null where the session is over, and for everybody but the key or person that made it"
  })
}

/** The session as the API shows it. */
export const PassthroughSessionJson = Schema.Struct(shown).annotate({
  identifier: "PassthroughSession",
  description: "A page of one hour on which a person gives what no assistant should hear. `result_id` says what came of it."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("pts"),
    account_id: exampleId("acct"),
    flow_kind: "payout_bank",
    status: "open",
    made_by: { type: "api_key", id: exampleId("key") },
    prefilled: ["holder_name", "country"],
    result_id: null,
    expires_at: "2026-01-01T13:00:00.000Z",
    completed_at: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2,
    path: "/pass/Zm9yIHRoaXMgc2Vzc2lvbiBhbG9uZQ"
  }]
}))

export const passthroughSessions = tableOf(PassthroughSession, {
  name: "passthrough_sessions",
  account: "account_id",
  fixed: ["flow_kind", "made_by", "secret_hash", "secret", "expires_at"],
  audited: true
})

const encodeJson = Schema.encodeSync(PassthroughSessionJson)

/** The text of the API without the address, as it is stored with an idempotency key. */
export const wireOf = (session: PassthroughSession): string => JSON.stringify(encodeJson({ ...session, path: null }))

/** The same text with the address. */
export const withPath = (wire: string, path: string | null): string =>
  wire.replace(/"path":null\}$/u, () => `"path":${JSON.stringify(path)}}`)

// ---------------------------------------------------------------------------------- requests

export const CreatePassthroughSessionRequest = Schema.Struct({
  flow_kind: FlowKind,
  reuse: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Answers the caller's open session of this flow, where there is one, instead of making a second; false unless sent"
  }),
  ...keyOrElse("each request makes another session")
}).annotate({
  identifier: "CreatePassthroughSessionRequest",
  examples: [{ flow_kind: "payout_bank", idempotency_key: "5f0c1f0a-7d0e-4f6f-9a55-0a4ef8f6b2c1" }]
})
export type CreatePassthroughSessionRequest = typeof CreatePassthroughSessionRequest.Type

export const PrefillPassthroughSessionRequest = Schema.Struct({
  fields: Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(200))).check(Schema.isMaxProperties(20)).annotate({
    description: "Names and texts. Of `payout_bank`: holder_name, country, currency. Of `business_verify`: type, legal_name, country, " +
      "registration_number, birth_date, line1, postal_code, city, address_country. Never a number of a bank account"
  }),
  ...requiredKey
}).annotate({
  identifier: "PrefillPassthroughSessionRequest",
  examples: [{ fields: { country: "DE" }, idempotency_key: "b7c1c0de-1b7e-4a44-8f0e-3f6a1de2c901" }]
})
export type PrefillPassthroughSessionRequest = typeof PrefillPassthroughSessionRequest.Type

/** What a list may be narrowed to. */
export const passthroughFilters = {
  status: Schema.optionalKey(PassthroughStatus),
  flow_kind: Schema.optionalKey(FlowKind)
}
