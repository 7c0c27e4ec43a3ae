/** What an agent asks for that signs itself up, and what it gets. */
import { AccountId } from "@svc/accounts/accounts/model"
import { AgentKeyId, AgentKeyRecord, AgentPolicy } from "@svc/accounts/agent-keys/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const AgentSignupRequest = Schema.Struct({
  agent_name: Schema.optionalKey(Schema.NullOr(oneLine(80))),
  contact: Schema.optionalKey(Schema.NullOr(oneLine(200)).annotate({ description: "How the agent's owner is reached" }))
}).annotate({ identifier: "AgentSignupRequest", examples: [{ agent_name: "Shopping agent", contact: "ada@example.com" }] })
export type AgentSignupRequest = typeof AgentSignupRequest.Type

/** What nobody who vouches for an agent has decided. In sandbox no money moves, so it is enough to try everything. */
export const signupPolicy: AgentPolicy = { max_amount_minor_cents: 100_000, rate_limit_per_minute: 60, budgets: { life: 1_000_000 } }

const Endpoints = Schema.Struct({
  mcp_streamable: Schema.String,
  mcp_sse: Schema.String,
  mcp_messages: Schema.String,
  discovery: Schema.String
})

/** Where a tool server at this address is spoken to. */
export const endpointsAt = (base: string): typeof Endpoints.Type => ({
  mcp_streamable: `${base}/v1/mcp`,
  mcp_sse: `${base}/v1/mcp/sse`,
  mcp_messages: `${base}/v1/mcp/messages`,
  discovery: `${base}/v1/agents/discovery`
})

export const NOTE =
  "A sandbox: nothing in it moves money. Send the token as Authorization: Bearer to the endpoints. It is shown this once and ends after 24 hours; sign up again for another one."

export const SandboxSignupResponse = Schema.Struct({
  merchant_id: AccountId,
  agent_key_id: AgentKeyId,
  token: Schema.RedactedFromValue(Schema.String).annotate({ description: "Shown this once; only its SHA-256 is stored" }),
  policy: AgentPolicy,
  mode: Schema.Literal("sandbox"),
  expires_at: Schema.NullOr(Timestamp),
  note: Schema.String,
  endpoints: Endpoints
}).annotate({ identifier: "SandboxSignupResponse" }).pipe(Schema.annotateEncoded({
  examples: [{
    merchant_id: exampleId("acct"),
    agent_key_id: exampleId("agk"),
    token: "agk_test_4f9Q…, shown once",
    policy: signupPolicy,
    mode: "sandbox",
    expires_at: EXAMPLE_TIME.replace("01-01", "01-02"),
    note: NOTE,
    endpoints: endpointsAt("https://tools.example.com")
  }]
}))
export type SandboxSignupResponse = typeof SandboxSignupResponse.Type

/** The keys that an agent gave to its helpers. */
export const AgentKeyCuts = Schema.Struct({ agent_keys: Schema.Array(AgentKeyRecord) }).annotate({ identifier: "AgentKeyCuts" })
