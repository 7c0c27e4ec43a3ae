/** Everything that a client needs to know before its first call, in one value. */
import { programs } from "@svc/programs/programs"
import { Schema } from "effect"
import { endpointsAt } from "../agents/model.ts"
import { tiers } from "../plans.ts"
import { type Described, Entry } from "../services/directory.ts"
import type { Site } from "../services/site.ts"
import { Installation, installations, waysToAKey } from "./install.ts"
import { notes, planTable } from "./notes.ts"

const Endpoints = Schema.Struct({ mcp_streamable: Schema.String, mcp_sse: Schema.String, mcp_messages: Schema.String, discovery: Schema.String })

export const Manifest = Schema.Struct({
  service: Schema.String,
  version: Schema.String,
  protocol_version: Schema.String,
  protocol_versions: Schema.Array(Schema.String),
  endpoints: Endpoints,
  authentication: Schema.Struct({
    header: Schema.String,
    token_prefixes: Schema.Array(Schema.String),
    keys: Schema.Array(Schema.Struct({
      how: Schema.String,
      method: Schema.String,
      url: Schema.String,
      body: Schema.Record(Schema.String, Schema.String),
      gives: Schema.String
    }))
  }),
  install: Schema.Array(Installation),
  plans: Schema.Array(Schema.Struct({ tier: Schema.Literals(tiers), price_cents: Schema.Natural, monthly_credits: Schema.Natural, service_work: Schema.Boolean })),
  programs: Schema.Natural,
  artifacts: Schema.Natural,
  tools: Schema.Array(Entry),
  notes: Schema.Array(Schema.String)
}).annotate({ identifier: "InstallManifest" })
export type Manifest = typeof Manifest.Type

/** Without the input schemas. */
export const entryOf = ({ also, auth, category, description, name, price_cents, status, title }: Described): Entry =>
  ({ name, title, description, category, auth, price_cents, status, also })

/** For one platform, or for all of them. */
export const manifestOf = (site: Site["Service"], tools: ReadonlyArray<Described>, platform?: string): Manifest => ({
  service: site.service,
  version: site.version,
  protocol_version: site.protocol_version,
  protocol_versions: site.protocol_versions,
  endpoints: endpointsAt(site.tools_url),
  authentication: { header: "Authorization: Bearer <key>, or X-Svc-Key: <key>", token_prefixes: ["svck_", "agk_"], keys: waysToAKey(site.tools_url) },
  install: installations(site).filter((one) => platform === undefined || one.platform === platform),
  plans: planTable,
  programs: programs.length,
  artifacts: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0),
  tools: tools.map(entryOf),
  notes
})
