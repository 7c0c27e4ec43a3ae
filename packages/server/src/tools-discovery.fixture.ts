/** The formats that the documents of discovery follow, as JSON Schemas: what their publications require, and no more. */

const text = { type: "string", minLength: 1 }
const uri = { type: "string", format: "uri" }
const header = {
  type: "object",
  required: ["name"],
  properties: { name: text, description: text, isRequired: { type: "boolean" }, isSecret: { type: "boolean" } }
}

/** The registry's schema of 2025-12-11, of what is used of it. */
export const serverJson = {
  type: "object",
  required: ["$schema", "name", "description", "version"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255, not: { enum: ["latest"] } },
    websiteUrl: uri,
    repository: { type: "object", required: ["url", "source"] },
    packages: { type: "array" },
    icons: { type: "array" },
    remotes: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "url"],
        properties: {
          type: { enum: ["streamable-http", "sse"] },
          url: { type: "string", pattern: "^https?://[^\\s]+$" },
          headers: { type: "array", items: header }
        },
        additionalProperties: false
      }
    },
    _meta: { type: "object", propertyNames: { const: "io.modelcontextprotocol.registry/publisher-provided" } }
  },
  additionalProperties: false
}

/** Identity and remotes, without tools. */
export const serverCard = {
  type: "object",
  required: ["name", "version", "description", "remotes"],
  properties: {
    ...serverJson.properties,
    protocolVersions: { type: "array", items: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } },
    tools: false
  },
  not: { anyOf: [{ required: ["tools"] }] }
}

/** The contract's AgentDiscoveryResponse. */
export const agentDiscovery = {
  type: "object",
  required: ["service", "version", "protocol_version", "transports", "authentication", "tools"],
  properties: {
    service: text,
    version: { const: "0.5.3" },
    protocol_version: { const: "2025-03-26" },
    transports: { type: "object", required: ["streamable_http", "sse"], additionalProperties: uri },
    authentication: { type: "object", minProperties: 4, additionalProperties: text },
    tools: {
      type: "array",
      minItems: 30,
      items: {
        type: "object",
        required: ["name", "description", "inputSchema"],
        properties: { inputSchema: { type: "object", required: ["type"], properties: { type: { const: "object" } } } }
      }
    },
    description: text,
    human_setup_url: uri,
    onboarding_url: uri,
    contact_email: { type: ["string", "null"] }
  }
}

const target = { type: "object", required: ["href"], properties: { href: uri, type: text } }

/** RFC 9264, section 4.2; the relations are those that RFC 9727 names. */
export const linkset = {
  type: "object",
  required: ["linkset"],
  additionalProperties: false,
  properties: {
    linkset: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["anchor", "service-desc"],
        properties: { anchor: uri },
        patternProperties: { "^(service-desc|service-doc|service-meta|status)$": { type: "array", minItems: 1, items: target } },
        additionalProperties: false
      }
    }
  }
}

/** Skills discovery 0.1.0. */
export const skills = {
  type: "object",
  required: ["skills"],
  not: { required: ["$schema"] },
  properties: {
    skills: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["name", "description", "files"],
        properties: {
          name: { type: "string", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 64 },
          description: { type: "string", maxLength: 1024 },
          files: { type: "array", contains: { const: "SKILL.md" } }
        }
      }
    }
  }
}

/** Skills discovery 0.2.0. */
export const agentSkills = {
  type: "object",
  required: ["$schema", "skills"],
  properties: {
    $schema: { const: "https://schemas.agentskills.io/discovery/0.2.0/schema.json" },
    skills: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["name", "type", "description", "url", "digest"],
        properties: {
          name: { type: "string", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 64 },
          type: { enum: ["skill-md", "archive"] },
          description: { type: "string", minLength: 1, maxLength: 1024 },
          url: uri,
          digest: { type: "string", pattern: "^sha256:[0-9a-f]{64}$" }
        },
        additionalProperties: false
      }
    }
  }
}

export const estate = {
  type: "object",
  required: ["schema_version", "properties"],
  properties: {
    properties: {
      type: "array",
      minItems: 2,
      items: {
        type: "object",
        required: ["id", "url", "endpoints", "auth", "tools"],
        properties: { url: uri, endpoints: { type: "object", additionalProperties: uri } }
      }
    }
  }
}

export const x402 = {
  type: "object",
  required: ["version", "resources"],
  properties: { version: { const: 1 }, resources: { type: "array", minItems: 1, items: uri } }
}

/** What wallets read of OpenAPI: an offer has an amount in the method's smallest unit, or null where it depends on the call. */
export const paymentInfo = {
  type: "object",
  required: ["offers"],
  properties: {
    offers: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["intent", "method", "amount"],
        properties: {
          intent: { enum: ["charge", "session"] },
          method: text,
          amount: { anyOf: [{ type: "null" }, { type: "string", pattern: "^(0|[1-9]\\d*)$" }] },
          currency: text,
          description: text
        },
        additionalProperties: false
      }
    }
  }
}
