/** What an agent needs to begin: `AgentDiscoveryResponse` of the contract. */
import { endpointsAt } from "@svc/metering/agents/model"
import { json, type Make } from "./document.ts"
import { DESCRIPTION } from "./registry.ts"

export const discovery: Make = ({ site, tools }) =>
  json({
    service: site.service,
    version: site.version,
    protocol_version: site.protocol_version,
    description: DESCRIPTION,
    transports: { streamable_http: `${site.tools_url}/v1/mcp`, sse: `${site.tools_url}/v1/mcp/sse` },
    authentication: {
      scheme: "bearer",
      header: "Authorization",
      alternative_header: "X-Svc-Key",
      token_prefix: "agk_",
      token_prefixes: "agk_test_, agk_live_, svck_test_, svck_live_",
      how_to_get_a_key:
        `POST ${site.tools_url}/v1/agents/signup with {} answers at once with a sandbox key for 24 hours. No person is needed.`
    },
    tools: tools.map(({ description, inputSchema, name }) => ({ name, description, inputSchema })),
    onboarding_url: `${site.tools_url}/for-agents`,
    human_setup_url: `${site.tools_url}/v1/docs`,
    contact_email: site.contact_email
  })

/** For whoever knows the address alone. */
export const index: Make = ({ site: { service, tools_url, version } }) =>
  json({
    service,
    version,
    description: DESCRIPTION,
    endpoints: endpointsAt(tools_url),
    signup: `POST ${tools_url}/v1/agents/signup`,
    tool_schemas: `${tools_url}/v1/agents/discovery`,
    for_agents: `${tools_url}/for-agents`,
    docs: `${tools_url}/v1/docs`,
    openapi: `${tools_url}/openapi.json`,
    llms: `${tools_url}/llms.txt`,
    install: `${tools_url}/v1/install`,
    health: `${tools_url}/v1/health`
  })
