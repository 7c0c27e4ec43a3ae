/** What this server can do, what of it is paid, and what else its operator runs. */
import { programs } from "@svc/programs/programs"
import { categories } from "@svc/tool-kit/services/directory"
import { estateOf } from "@svc/tools/discovery/estate"
import { notes, planTable } from "@svc/tools/discovery/notes"
import { type DocumentFacts, json, type Make } from "./document.ts"

const grouped = (tools: DocumentFacts["tools"]) =>
  Object.fromEntries(
    categories.map((category) => [
      category,
      tools.filter((one) => one.category === category).map(({ auth, name, price_cents, status }) => ({ name, auth, price_cents, status }))
    ])
  )

export const capabilities: Make = ({ site, tools }) =>
  json({
    schema_version: "1.0",
    service: site.service,
    version: site.version,
    protocols: { mcp: site.protocol_versions, json_rpc: "2.0", payment: ["Payment (draft-httpauth-payment-00)", "x402 v1", "x402 v2"] },
    endpoints: { mcp: `${site.tools_url}/mcp`, openapi: `${site.tools_url}/openapi.json`, tools: `${site.tools_url}/v1/mcp/tools` },
    tools: grouped(tools),
    programs: programs.map(({ artifacts, name, tier }) => ({ name, tier, artifacts: artifacts.length })),
    plans: planTable,
    notes
  })

export const estate: Make = ({ site, tools }) => json(estateOf(site, tools))

const isPaid = ({ price_cents }: DocumentFacts["tools"][number]): boolean => Object.values(price_cents).some((cents) => cents > 0)

/** What is asked payment for. All tools are called at one URL, so it stands here once. */
export const x402: Make = ({ site, tools }) =>
  json({
    version: 1,
    resources: [`${site.tools_url}/v1/mcp`, `${site.tools_url}/v1/analyze`],
    x402Versions: [1, 2],
    instructions:
      `POST a JSON-RPC tools/call to ${site.tools_url}/v1/mcp. Without credits the answer is 402 with what is accepted. ping_payment costs one cent.`,
    tools: tools.filter(isPaid).map(({ auth, description, name, price_cents }) => ({ name, description, auth, price_cents }))
  })

/** RFC 9727: a linkset of RFC 9264. */
export const apiCatalog: Make = ({ site: { api_url, tools_url } }) =>
  json({
    linkset: [
      {
        anchor: `${tools_url}/v1/mcp`,
        "service-desc": [{ href: `${tools_url}/openapi.json`, type: "application/json" }],
        "service-doc": [{ href: `${tools_url}/v1/docs`, type: "text/html" }, { href: `${tools_url}/for-agents`, type: "text/markdown" }],
        "service-meta": [{ href: `${tools_url}/v1/mcp/server.json`, type: "application/json" }],
        status: [{ href: `${tools_url}/v1/health`, type: "application/json" }]
      },
      {
        anchor: `${api_url}/v1`,
        "service-desc": [{ href: `${api_url}/openapi.json`, type: "application/json" }],
        "service-doc": [{ href: `${api_url}/docs`, type: "text/html" }],
        status: [{ href: `${api_url}/v1/health`, type: "application/json" }]
      }
    ]
  }, "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"")
