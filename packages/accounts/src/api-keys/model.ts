/** API keys: who may call, for which account, and what for. The secret itself is never stored. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { ApiKeyScope } from "../access/model.ts"
import { AccountId } from "../accounts/model.ts"

export const ApiKeyId = idSchema("key", "ApiKeyId")
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * `secret`: all of one account. `restricted`: its scopes only. `tool`: the tool server only. `operator`: the installation, and no account.
 */
export const ApiKeyKind = Schema.Literals(["secret", "restricted", "tool", "operator"]).annotate({ identifier: "ApiKeyKind" })
export type ApiKeyKind = typeof ApiKeyKind.Type

export const ApiKeyName = oneLine(80)

/** Row and wire in one declaration. */
export const ApiKey = resource({
  id: ApiKeyId,
  /** Null for the operator's keys. */
  account_id: Schema.NullOr(AccountId),
  kind: ApiKeyKind,
  name: ApiKeyName,
  /** How the secret begins, to recognise it by. */
  prefix: Schema.String,
  /** SHA-256 of the secret, hexadecimal. */
  hash: Model.Sensitive(Schema.String),
  /** Empty unless the key is restricted. */
  scopes: Schema.Array(ApiKeyScope),
  status: Schema.Literals(["active", "revoked"]),
  created_at: Timestamp,
  updated_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp),
  version: Schema.Int
})
export type ApiKey = typeof ApiKey.Type

export const apiKeyExample = {
  id: exampleId("key"),
  account_id: exampleId("acct"),
  kind: "restricted",
  name: "Reporting",
  prefix: "rk_test_HsGI",
  scopes: ["ledger:read"],
  status: "active",
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  revoked_at: null,
  version: 1
} as const

export const ApiKeyJson = ApiKey.json.annotate({ identifier: "ApiKey", description: "An API key without its secret." })
  .pipe(Schema.annotateEncoded({ examples: [apiKeyExample] }))
export type ApiKeyJson = typeof ApiKeyJson.Type

/** A new key with its secret, which no later answer shows again. */
export const ApiKeyIssued = Schema.Struct({
  ...ApiKey.json.fields,
  secret: Schema.RedactedFromValue(Schema.String).annotate({ description: "Shown this once; only its SHA-256 is stored" })
}).annotate({ identifier: "ApiKeyIssued" }).pipe(
  Schema.annotateEncoded({ examples: [{ ...apiKeyExample, secret: "rk_test_HsGI…, shown once" }] })
)
export type ApiKeyIssued = typeof ApiKeyIssued.Type

// ---------------------------------------------------------------------------------- requests

/** What is wrong with a key of this kind having these scopes, in words; nothing when they fit. */
export const scopesIssue = (kind: ApiKeyKind, scopes: ReadonlyArray<ApiKeyScope>): string | undefined => {
  if (kind === "restricted") return scopes.length === 0 ? "a restricted key needs at least one scope" : undefined
  return scopes.length > 0 ? `a key of kind ${kind} is not limited by scopes; leave them out or make the key restricted` : undefined
}

export const CreateApiKeyRequest = Schema.Struct({
  name: ApiKeyName,
  kind: Schema.Literals(["secret", "restricted", "tool"]).annotate({
    description: "`secret` opens all of the account, `restricted` what its scopes name, `tool` the tool server and nothing here"
  }),
  scopes: Schema.optionalKey(Schema.Array(ApiKeyScope).check(Schema.isUnique({ message: "must not name a scope twice" })))
}).annotate({
  // Before the check: the annotations of a check do not reach the JSON Schema.
  examples: [{ name: "Reporting", kind: "restricted", scopes: ["ledger:read"] }]
}).check(Schema.makeFilter(({ kind, scopes = [] }) => {
  const issue = scopesIssue(kind, scopes)
  return issue === undefined ? undefined : { path: ["scopes"], issue }
})).annotate({ identifier: "CreateApiKeyRequest" })
export type CreateApiKeyRequest = typeof CreateApiKeyRequest.Type
