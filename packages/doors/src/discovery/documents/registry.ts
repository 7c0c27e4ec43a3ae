/** What registries of MCP servers read: server.json, and the card of the server. */
import { installations } from "@svc/tools/discovery/install"
import { type DocumentFacts, json, type Make } from "./document.ts"

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

/** Reverse DNS, as registries name servers: `com.example.tools/svc` for tools.example.com. */
const nameOf = ({ service, tools_url }: DocumentFacts["site"]): string =>
  `${new URL(tools_url).hostname.replace(/[[\]]/gu, "").replace(/:/gu, "-").split(".").reverse().join(".")}/${service}`

/** A registry takes at most 100 characters. */
export const DESCRIPTION = "Tools for agents, paid by credits or by the call: payments, compliance, code analysis, services."

const keys = [
  {
    name: "Authorization",
    description: "Bearer and a key, svck_… or agk_…. Tools without auth need none.",
    isRequired: false,
    isSecret: true
  }
]

export const serverJson = ({ site }: Pick<DocumentFacts, "site">) => ({
  $schema: SCHEMA,
  name: nameOf(site),
  title: site.title,
  description: DESCRIPTION,
  version: site.version,
  websiteUrl: `${site.tools_url}/v1/docs`,
  remotes: [
    { type: "streamable-http", url: `${site.tools_url}/mcp`, headers: keys },
    { type: "sse", url: `${site.tools_url}/v1/mcp/sse`, headers: keys }
  ],
  _meta: {
    "io.modelcontextprotocol.registry/publisher-provided": {
      agents: `${site.tools_url}/for-agents`,
      openapi: `${site.tools_url}/openapi.json`
    }
  }
})

export const server: Make = (facts) => json(serverJson(facts))

/** Identity and remotes alone: the tools are listed by the server itself. */
const card = ({ site }: DocumentFacts) => {
  const { _meta, $schema: _schema, ...identity } = serverJson({ site })
  return {
    ...identity,
    protocolVersions: site.protocol_versions,
    authentication: { required: false, schemes: ["bearer"] },
    documentation: _meta["io.modelcontextprotocol.registry/publisher-provided"].agents
  }
}

export const serverCard: Make = (facts) => json(card(facts), "application/mcp-server-card+json")

/** For crawlers that look for a client's configuration. */
export const mcpJson: Make = (facts) =>
  json({
    ...card(facts),
    mcpServers: { svc: { type: "http", url: `${facts.site.tools_url}/mcp` } },
    install: installations(facts.site).map(({ name, platform }) => ({
      platform,
      name,
      url: `${facts.site.tools_url}/v1/install/${platform}`
    }))
  })
