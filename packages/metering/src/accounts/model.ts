/** What the tool server keeps of an account besides what an account is: how its owner is reached, and the plan it is on. */
import { AccountId, AccountName, AccountStatus } from "@svc/accounts/accounts/model"
import { AgentKeyId, AgentPolicy } from "@svc/accounts/agent-keys/model"
import { ApiKeyId } from "@svc/accounts/api-keys/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { CREDITS_A_CENT, plans, tiers } from "../plans/model.ts"

export const ToolTier = Schema.Literals(tiers).annotate({ identifier: "ToolTier" })

/** A row. An account that was not opened on the tool server has none, and is on the free plan. */
export const ToolAccountRow = Schema.Struct({
  account_id: AccountId,
  /** Null for the sandbox of an agent that signed itself up. */
  email: Schema.NullOr(Schema.String),
  /** How an agent's owner is reached, in the agent's words. */
  contact: Schema.NullOr(Schema.String),
  tier: ToolTier,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type ToolAccountRow = typeof ToolAccountRow.Type

// ---------------------------------------------------------------------------------- requests

export const OpenToolAccountRequest = Schema.Struct({
  email: EmailAddress,
  name: AccountName,
  tier: Schema.optionalKey(Schema.Literals(["free"]).annotate({ description: "Accounts begin on the free plan" }))
}).annotate({ identifier: "OpenToolAccountRequest", examples: [{ email: "ada@example.com", name: "Ada", tier: "free" }] })
export type OpenToolAccountRequest = typeof OpenToolAccountRequest.Type

/** A new account with its first key, which no later answer shows again. */
export const ToolAccountOpened = Schema.Struct({
  account_id: AccountId,
  api_key: Schema.RedactedFromValue(Schema.String).annotate({
    description: "Opens the tool server. Shown this once; only its SHA-256 is stored"
  }),
  secret_key: Schema.optionalKey(
    Schema.RedactedFromValue(Schema.String).annotate({
      description:
        "Opens the payments API for the same account: agent keys with policies, approvals, payments. Of a sandbox alone: an operator issues those of live accounts. Shown this once"
    })
  ),
  tier: ToolTier,
  credits: Schema.Natural.annotate({ description: "What calls may cost this month, in tenths of a cent" })
}).annotate({ identifier: "ToolAccountOpened" }).pipe(Schema.annotateEncoded({
  examples: [{
    account_id: exampleId("acct"),
    api_key: "svck_test_4f9Q…, shown once",
    secret_key: "sk_test_9bTz…, shown once",
    tier: "free",
    credits: plans.free.allowance * CREDITS_A_CENT
  }]
}))
export type ToolAccountOpened = typeof ToolAccountOpened.Type

/** The key that asks. */
const Asking = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("api_key"), id: ApiKeyId }),
  Schema.Struct({
    kind: Schema.Literal("agent_key"),
    id: AgentKeyId,
    policy: AgentPolicy.annotate({ description: "What holds for the key now" })
  })
])

export const ToolAccount = Schema.Struct({
  account_id: AccountId,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  status: AccountStatus,
  sandbox: Schema.Boolean,
  tier: ToolTier,
  quota: Schema.Struct({ limit: Schema.Natural, remaining: Schema.Natural }).annotate({
    description: "Credits a month, and how many of them are left"
  }),
  credits: Schema.Natural.annotate({ description: "All credits, those that were bought among them. A credit is a tenth of a cent" }),
  key: Asking,
  created_at: Timestamp
}).annotate({ identifier: "ToolAccount" }).pipe(Schema.annotateEncoded({
  examples: [{
    account_id: exampleId("acct"),
    name: "Ada",
    email: "ada@example.com",
    status: "active",
    sandbox: true,
    tier: "free",
    quota: { limit: 10_000, remaining: 9_990 },
    credits: 9_990,
    key: { kind: "api_key", id: exampleId("key") },
    created_at: EXAMPLE_TIME
  }]
}))
export type ToolAccount = typeof ToolAccount.Type
