/** Agent keys: what an account lets a software agent do in its name, and how much it may spend. The token itself is never stored. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { type Redacted, Schema } from "effect"

export const AgentKeyId = idSchema("agk", "AgentKeyId")
export type AgentKeyId = typeof AgentKeyId.Type

export const agentKeyStatuses = ["active", "revoked", "expired"] as const
export const AgentKeyStatus = Schema.Literals(agentKeyStatuses).annotate({ identifier: "AgentKeyStatus" })
export type AgentKeyStatus = typeof AgentKeyStatus.Type

/** A key that the account issues is at depth 1; one cut from it at depth 2. */
export const MAX_DEPTH = 3
/** Active keys that may be cut from one key. With them a key and all below it are 651 at most, which one commit can end. */
export const MAX_CUTS = 25
/** How long a key of a sandbox account lives at most. */
export const SANDBOX_HOURS = 24

/** Minor units of USD, and calls a minute: whole, and not below zero. */
const Whole = Schema.Natural

/** What may be spent at most in each window. Windows begin at the full hour, day and month in UTC of the account's clock. */
export const AgentBudgets = Schema.Struct({
  hour: Schema.optionalKey(Whole),
  day: Schema.optionalKey(Whole),
  month: Schema.optionalKey(Whole),
  life: Schema.optionalKey(Whole)
}).annotate({
  identifier: "AgentBudgets",
  description:
    "What the key may spend at most, in minor units of USD, in each hour, day and month, and ever. Keys cut from it spend from the same."
})
export type AgentBudgets = typeof AgentBudgets.Type

const names = (what: string, description: string) =>
  Schema.Array(Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,63}$/u, { message: `must be the name of a ${what}` })))
    .annotate({ description })
    .check(Schema.isMaxLength(100), Schema.isUnique({ message: `must not name a ${what} twice` }))

/** What is left out is not limited. */
export const AgentPolicy = Schema.Struct({
  allowed_currencies: Schema.optionalKey(
    Schema.Array(Currency).annotate({ description: "ISO 4217 codes" }).check(
      Schema.isMaxLength(200),
      Schema.isUnique({ message: "must not name a currency twice" })
    )
  ),
  allowed_providers: Schema.optionalKey(names("rail", "Names of rails")),
  allowed_tools: Schema.optionalKey(names("tool", "Names of the tools that the key may call")),
  max_amount_minor_cents: Schema.optionalKey(
    Whole.annotate({ description: "The most that one payment or one paid call may come to, in minor units" })
  ),
  rate_limit_per_minute: Schema.optionalKey(Whole.annotate({ description: "Calls a minute" })),
  require_approval_above: Schema.optionalKey(
    Whole.annotate({ description: "A payment by `execute_payment` above this waits for a person" })
  ),
  budgets: Schema.optionalKey(AgentBudgets)
}).annotate({ identifier: "AgentPolicy", description: "What the key may do. What is left out is not limited." })
export type AgentPolicy = typeof AgentPolicy.Type

/** The fields of a policy by what they are: lists of what is allowed, and limits. */
export const policyLists = ["allowed_currencies", "allowed_providers", "allowed_tools"] as const
export const policyLimits = ["max_amount_minor_cents", "rate_limit_per_minute", "require_approval_above"] as const
export const budgetWindows = ["hour", "day", "month", "life"] as const

export const AgentKeyName = oneLine(80)

/** A row. What the wire shows of it is an `AgentKeyRecord`. */
export const AgentKey = resource({
  id: AgentKeyId,
  account_id: Schema.String,
  /** The key that this one was cut from; null when the account issued it. */
  parent_id: Schema.NullOr(AgentKeyId),
  /** 1 for a key that the account issued, {@link MAX_DEPTH} at most. */
  depth: Schema.Int,
  name: AgentKeyName,
  status: AgentKeyStatus,
  sandbox: Schema.Boolean,
  policy: AgentPolicy,
  /** SHA-256 of the token, hexadecimal. */
  hash: Schema.String,
  expires_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type AgentKey = typeof AgentKey.Type

/** What was done with a key so far, as far as it has been written down. */
export interface KeyUses {
  readonly calls: number
  readonly last_used_at: Timestamp | null
}
export const unused: KeyUses = { calls: 0, last_used_at: null }

/** A key with what was done with it. */
export interface UsedKey {
  readonly key: AgentKey
  readonly uses: KeyUses
}

export const agentKeys = tableOf(AgentKey, {
  name: "agent_keys",
  account: "account_id",
  fixed: ["parent_id", "depth", "sandbox", "hash", "expires_at"],
  audited: true
})

/** The kind of the timer that ends a key when its time is over. */
export const EXPIRE = "agent_key.expire"

// -------------------------------------------------------------------------------------- wire

const policyExample = {
  allowed_tools: ["get_quote", "execute_payment"],
  max_amount_minor_cents: 5000,
  require_approval_above: 2000,
  budgets: { day: 10_000 }
}

/** The names are the contract's. */
export const AgentKeyRecord = Schema.Struct({
  ID: AgentKeyId,
  MerchantID: Schema.String,
  Name: Schema.String,
  Status: AgentKeyStatus,
  CreatedAt: Timestamp,
  ExpiresAt: Schema.NullOr(Timestamp),
  LastUsedAt: Schema.NullOr(Timestamp).annotate({ description: "Written down every second or so" }),
  IsSandbox: Schema.Boolean,
  CallCount: Schema.Natural.annotate({ description: "Calls so far; written down every second or so" }),
  Policy: AgentPolicy,
  TokenHash: Schema.String.annotate({ description: "SHA-256 of the token, hexadecimal" }),
  ParentID: Schema.NullOr(AgentKeyId).annotate({ description: "The key that this one was cut from; null when the account issued it" }),
  UpdatedAt: Timestamp,
  Version: Schema.Int
}).annotate({ identifier: "AgentKeyRecord", description: "An agent key without its token." }).pipe(Schema.annotateEncoded({
  examples: [{
    ID: exampleId("agk"),
    MerchantID: exampleId("acct"),
    Name: "Shopping agent",
    Status: "active",
    CreatedAt: EXAMPLE_TIME,
    ExpiresAt: "2026-01-02T12:00:00.000Z",
    LastUsedAt: null,
    IsSandbox: true,
    CallCount: 0,
    Policy: policyExample,
    TokenHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ParentID: null,
    UpdatedAt: EXAMPLE_TIME,
    Version: 1
  }]
}))
export type AgentKeyRecord = typeof AgentKeyRecord.Type

export const recordOf = ({ key, uses }: UsedKey): AgentKeyRecord => ({
  ID: key.id,
  MerchantID: key.account_id,
  Name: key.name,
  Status: key.status,
  CreatedAt: key.created_at,
  ExpiresAt: key.expires_at,
  LastUsedAt: uses.last_used_at,
  IsSandbox: key.sandbox,
  CallCount: uses.calls,
  Policy: key.policy,
  TokenHash: key.hash,
  ParentID: key.parent_id,
  UpdatedAt: key.updated_at,
  Version: key.version
})

const NOTE = "Send it to the tool server as Authorization: Bearer. It is shown this once."

/** A new key with its token, which no later answer shows again. */
export const AgentKeyIssued = Schema.Struct({
  id: AgentKeyId,
  name: Schema.String,
  token: Schema.RedactedFromValue(Schema.String).annotate({ description: "Shown this once; only its SHA-256 is stored" }),
  policy: AgentPolicy,
  status: AgentKeyStatus,
  parent_id: Schema.NullOr(AgentKeyId),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  note: Schema.String
}).annotate({ identifier: "AgentKeyIssued" }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("agk"),
    name: "Shopping agent",
    token: "agk_test_4f9Q…, shown once",
    policy: policyExample,
    status: "active",
    parent_id: null,
    created_at: EXAMPLE_TIME,
    expires_at: "2026-01-02T12:00:00.000Z",
    note: NOTE
  }]
}))
export type AgentKeyIssued = typeof AgentKeyIssued.Type

/** A key at the one moment at which its token is there. */
export const issuedOf = ({ key, token }: { readonly key: AgentKey; readonly token: Redacted.Redacted<string> }): AgentKeyIssued => ({
  id: key.id,
  name: key.name,
  token,
  policy: key.policy,
  status: key.status,
  parent_id: key.parent_id,
  created_at: key.created_at,
  expires_at: key.expires_at,
  note: NOTE
})

// ---------------------------------------------------------------------------------- requests

const requestFields = {
  name: AgentKeyName,
  expires_at: Schema.optionalKey(
    Schema.NullOr(Timestamp).annotate({
      description:
        `When the key ends. A sandbox key ends after ${SANDBOX_HOURS} hours at the latest, and unless told otherwise; a live key that says nothing does not end by itself`
    })
  ),
  policy: Schema.optionalKey(AgentPolicy)
}

export const IssueAgentKeyRequest = Schema.Struct({
  ...requestFields,
  parent_id: Schema.optionalKey(AgentKeyId.annotate({
    description:
      `Cuts the key from this one: its policy, budgets and expiry lie within that key's, it spends from the same budgets, and it ends with it. What the policy leaves out is as there. At most ${MAX_DEPTH} levels`
  }))
}).annotate({ identifier: "IssueAgentKeyRequest", examples: [{ name: "Shopping agent", policy: policyExample }] })
export type IssueAgentKeyRequest = typeof IssueAgentKeyRequest.Type

/** What an agent asks for that cuts a key from its own. */
export const CutAgentKeyRequest = Schema.Struct(requestFields).annotate({
  identifier: "CutAgentKeyRequest",
  examples: [{ name: "Price checker", policy: { allowed_tools: ["get_quote"], budgets: { day: 100 } } }]
})
export type CutAgentKeyRequest = typeof CutAgentKeyRequest.Type

export const UpdateAgentKeyRequest = Schema.Struct({
  name: Schema.optionalKey(AgentKeyName),
  /** Takes the place of the policy as a whole. */
  policy: Schema.optionalKey(AgentPolicy),
  version: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "The version you read; the update is refused when it is no longer the current one"
    })
  )
}).annotate({ identifier: "UpdateAgentKeyRequest", examples: [{ policy: policyExample, version: 1 }] })
export type UpdateAgentKeyRequest = typeof UpdateAgentKeyRequest.Type

/** What an update may change. */
export type AgentKeyPatch = Omit<UpdateAgentKeyRequest, "version">
