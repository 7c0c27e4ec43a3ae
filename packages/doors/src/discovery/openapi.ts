/** The OpenAPI document of the tool server: the routes of the contract as Effect writes them, and those that are no part of it. */
import { atomic, type Methods } from "@svc/paywall/payment/model"
import * as OpenApi from "effect/http-api/OpenApi"
import { contract } from "../api.ts"
import type { DocumentFacts } from "./documents/document.ts"
import { DESCRIPTION } from "./documents/registry.ts"

type Json = Readonly<Record<string, unknown>>

/** What an operation costs, as wallets read it: null where it depends on the tool that is called. */
const offers = ({ card, stablecoin }: Methods, cents: number | null, description: string) => ({
  offers: [
    ...(card === undefined
      ? []
      : [{ intent: "charge", method: "stripe", amount: cents === null ? null : String(cents), currency: "usd", description }]),
    ...(stablecoin === undefined
      ? []
      : [{
        intent: "charge",
        method: "evm",
        amount: cents === null ? null : atomic(cents, stablecoin),
        currency: stablecoin.asset,
        description
      }])
  ]
})

const answer = (description: string, contentType = "application/json", schema: Json = { type: "object" }) => ({
  description,
  content: { [contentType]: { schema } }
})

const refusal = (description: string) => answer(description, "application/json", { $ref: "#/components/schemas/ToolServerError" })

const unpaid = {
  ...answer(
    "Payment required: what is accepted stands in WWW-Authenticate, in PAYMENT-REQUIRED and in the body.",
    "application/problem+json"
  ),
  headers: {
    "WWW-Authenticate": { description: "A challenge of the Payment scheme, one a line.", schema: { type: "string" } },
    "PAYMENT-REQUIRED": { description: "PaymentRequired of x402 v2, in base64.", schema: { type: "string" } }
  }
}

const keys = [{}, { tool_key: [] }]

/** What the gate refuses for every tool. */
const refusedByGate = {
  "401": refusal("No key, or one that is not current."),
  "403": refusal("The account or the agent key's policy does not allow the call."),
  "409": refusal("The idempotency key was used for another call, or the call was paid for already."),
  "413": refusal("The arguments are larger than the tool takes."),
  "429": refusal("Too many calls.")
}

/** The whole answer of a tool, and how it is asked for. */
const rpc = (operationId: string, methods: Methods) => ({
  post: {
    operationId,
    tags: ["Tools"],
    summary: "Call a tool",
    description:
      "JSON-RPC 2.0, with or without a session of the Model Context Protocol. tools/list shows the tools and their arguments; ping_payment costs one cent.",
    security: keys,
    "x-payment-info": offers(methods, null, "The price of the tool that is called"),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["jsonrpc", "method"],
            properties: {
              jsonrpc: { const: "2.0" },
              id: { type: ["string", "number", "null"] },
              method: { type: "string" },
              params: { type: "object" }
            }
          },
          // A wallet that tries the operation sends it, and is to be asked for payment.
          example: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {} } }
        }
      }
    },
    responses: {
      "200": answer("A JSON-RPC response."),
      "202": { description: "Nothing to answer, or a payment whose outcome is not known yet." },
      "400": answer("No JSON-RPC request."),
      "402": unpaid
    }
  }
})

const analyze = (methods: Methods) => ({
  post: {
    operationId: "analyze",
    tags: ["Tools"],
    summary: "Analyze a repository",
    description: "The tool analyze_repo. Without a key: the free artifacts, in a snapshot that belongs to nobody, three an hour.",
    security: keys,
    "x-payment-info": offers(methods, 300, "One analysis in standard mode"),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { type: "object", required: ["github_url"], properties: { github_url: { type: "string", format: "uri" } } }
        }
      }
    },
    responses: {
      "201": answer("The snapshot.", "application/json", {
        type: "object",
        required: ["snapshot_id", "artifact_count", "programs_executed"],
        properties: {
          snapshot_id: { type: "string" },
          artifact_count: { type: "integer" },
          programs_executed: { type: "array", items: { type: "string" } }
        }
      }),
      "400": refusal("A field is missing or malformed, or the URL is none of a repository."),
      ...refusedByGate,
      "402": unpaid,
      "422": refusal("The repository cannot be read."),
      "501": refusal("This installation has no wall around foreign bytes."),
      "502": refusal("GitHub does not give the repository.")
    }
  }
})

const snapshot = {
  delete: {
    operationId: "delete_snapshot",
    tags: ["Tools"],
    summary: "Delete a snapshot",
    description: "The tool delete_snapshot.",
    security: keys,
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", maxLength: 100 } }],
    responses: {
      "200": answer("It is gone."),
      "400": refusal("The id is none."),
      ...refusedByGate,
      "404": refusal("No such snapshot, or another account's.")
    }
  }
}

/** A route that answers with a document. */
const page = (path: string, contentType: string, parameters: ReadonlyArray<Json> = []) => ({
  get: {
    operationId: `get_${path.replace(/[{}]/gu, "").split(/[^A-Za-z0-9]+/u).filter((part) => part !== "").join("_")}`,
    tags: ["Discovery"],
    summary: `Read ${path}`,
    security: [],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      "200": answer("The document.", contentType, contentType.includes("json") ? { type: "object" } : { type: "string" }),
      ...(path.includes("{") ? { "404": refusal("No such document.") } : {})
    }
  }
})

const error = {
  type: "object",
  required: ["error", "message"],
  properties: { error: { type: "string" }, message: { type: "string" }, details: {}, request_id: { type: "string" } }
}

export interface DocumentedPage {
  readonly path: string
  readonly contentType: string
}

const platform = { name: "platform", in: "path", required: true, schema: { type: "string", maxLength: 100 } }
const query = {
  name: "q",
  in: "query",
  required: false,
  description: "Keywords; all tools without",
  schema: { type: "string", maxLength: 200 }
}

/** The document, with these pages. */
export const openApi = (
  { site: { api_url, title, tools_url, version } }: DocumentFacts,
  methods: Methods,
  pages: ReadonlyArray<DocumentedPage>
): Json => {
  const { components, info, openapi, paths, tags } = OpenApi.fromApi(contract)
  const discovery = pages.map(({ contentType, path }) =>
    [path, page(path, contentType, path === "/v1/mcp/tools" ? [query] : path.endsWith("{platform}") ? [platform] : [])] as const
  )
  return {
    openapi,
    info: { ...info, title, version, summary: DESCRIPTION, description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
    "x-service-info": {
      categories: ["ai", "developer-tools", "payments"],
      docs: { apiReference: `${tools_url}/openapi.json`, homepage: `${tools_url}/v1/docs`, llms: `${tools_url}/llms.txt` },
      related: [`${api_url}/openapi.json`]
    },
    servers: [{ url: tools_url }],
    tags: [{ name: "Tools", description: "Tools, called by their names." }, {
      name: "Discovery",
      description: "What there is, for agents, crawlers and people."
    }, ...tags],
    paths: {
      "/mcp": rpc("call_tool", methods),
      "/v1/mcp": rpc("call_tool_v1", methods),
      "/v1/analyze": analyze(methods),
      "/v1/snapshots/{id}": snapshot,
      ...paths,
      ...Object.fromEntries(discovery)
    },
    components: { ...components, schemas: { ...components.schemas, ToolServerError: error } }
  }
}
