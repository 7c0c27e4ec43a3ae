/** What else this operator runs: the payments API beside the tool server. */
import { type Described, Entry } from "@svc/tool-kit/services/directory"
import type { Site } from "@svc/tool-kit/services/site"
import { Schema } from "effect"

const Property = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  url: Schema.String,
  endpoints: Schema.Record(Schema.String, Schema.String),
  auth: Schema.Struct({
    mode: Schema.Literals(["none", "bearer", "per_tool"]),
    header: Schema.String,
    token_prefixes: Schema.Array(Schema.String)
  }),
  tools: Schema.Array(
    Schema.Struct({ name: Schema.String, auth: Entry.fields.auth, price_cents: Entry.fields.price_cents, status: Entry.fields.status })
  )
})

export const Estate = Schema.Struct({ schema_version: Schema.Literal("1.0"), properties: Schema.Array(Property) }).annotate({
  identifier: "Estate"
})
export type Estate = typeof Estate.Type

export const estateOf = ({ api_url, tools_url }: Site["Service"], tools: ReadonlyArray<Described>): Estate => ({
  schema_version: "1.0",
  properties: [
    {
      id: "tools",
      name: "Tool server",
      description: "Tools for agents, over the Model Context Protocol and plain JSON-RPC, paid by credits or by the call.",
      url: tools_url,
      endpoints: {
        mcp: `${tools_url}/mcp`,
        discovery: `${tools_url}/v1/agents/discovery`,
        openapi: `${tools_url}/openapi.json`,
        health: `${tools_url}/v1/health`
      },
      auth: { mode: "per_tool", header: "Authorization: Bearer <key>, or X-Svc-Key: <key>", token_prefixes: ["svck_", "agk_"] },
      tools: tools.map(({ auth, name, price_cents, status }) => ({ name, auth, price_cents, status }))
    },
    {
      id: "payments",
      name: "Payments API",
      description: "Payments, refunds, settlements, webhooks, and a ledger that anyone can verify.",
      url: api_url,
      endpoints: { openapi: `${api_url}/openapi.json`, docs: `${api_url}/docs`, health: `${api_url}/v1/health` },
      auth: { mode: "bearer", header: "Authorization: Bearer <key>", token_prefixes: ["sk_"] },
      tools: []
    }
  ]
})
