/** Everything that a client needs to know before its first call, in one value. */
import { endpointsAt } from "@svc/metering/agents/model"
import { tiers } from "@svc/metering/plans/model"
import { describedPrograms } from "@svc/programs/about"
import { programs } from "@svc/programs/programs"
import { type Described, Entry } from "@svc/tool-kit/services/directory"
import type { Site } from "@svc/tool-kit/services/site"
import { Schema } from "effect"
import { Installation, installations, waysToAKey } from "./install.ts"
import { notes, planTable } from "./notes.ts"

const Endpoints = Schema.Struct({
  mcp_streamable: Schema.String,
  mcp_sse: Schema.String,
  mcp_messages: Schema.String,
  discovery: Schema.String
})

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
  plans: Schema.Array(
    Schema.Struct({
      tier: Schema.Literals(tiers),
      price_cents: Schema.Natural,
      monthly_credits: Schema.Natural,
      service_work: Schema.Boolean
    })
  ),
  programs: Schema.Natural,
  artifacts: Schema.Natural,
  /** What an analysis makes, and of what; list_programs says it of each artifact. */
  makes: Schema.Array(Schema.Struct({
    program: Schema.String,
    about: Schema.String,
    evidence: Schema.Array(Schema.String),
    artifacts: Schema.Natural,
    free: Schema.Natural
  })),
  tools: Schema.Array(Entry),
  notes: Schema.Array(Schema.String)
}).annotate({ identifier: "InstallManifest" })
export type Manifest = typeof Manifest.Type

/** Without the input schemas. */
export const entryOf = ({ also, auth, category, description, mend, name, price_cents, status, title }: Described): Entry => ({
  name,
  title,
  description,
  category,
  auth,
  price_cents,
  status,
  also,
  ...(mend === undefined ? {} : { mend })
})

/** For one platform, or for all of them. */
export const manifestOf = (site: Site["Service"], tools: ReadonlyArray<Described>, platform?: string): Manifest => ({
  service: site.service,
  version: site.version,
  protocol_version: site.protocol_version,
  protocol_versions: site.protocol_versions,
  endpoints: endpointsAt(site.tools_url),
  authentication: {
    header: "Authorization: Bearer <key>, or X-Svc-Key: <key>",
    token_prefixes: ["svck_", "agk_"],
    keys: waysToAKey(site.tools_url)
  },
  install: installations(site).filter((one) => platform === undefined || one.platform === platform),
  plans: planTable,
  programs: programs.length,
  artifacts: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0),
  makes: describedPrograms.map(({ about, artifacts, evidence, name }) => ({
    program: name,
    about,
    evidence,
    artifacts: artifacts.length,
    free: artifacts.filter(({ free }) => free).length
  })),
  tools: tools.map(entryOf),
  notes
})
