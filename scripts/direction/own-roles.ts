/**
 * Roles of packages that are more than resources. A package that stands here has a role for each of its files, and within the package a
 * file imports only what its role may. Imports between packages are judged by floors, and by the roles of resources.
 */

export interface OwnRoles {
  /**
   * Where each role stands: files and folders below `src/`, without `.ts`. A file of a resource's role keeps that role, unless the file
   * itself is named here.
   */
  readonly holds: Readonly<Record<string, ReadonlyArray<string>>>
  /** Which other roles each may import. What stands here for a role of resources is added to what it may import anyway. */
  readonly imports: Readonly<Record<string, ReadonlyArray<string>>>
}

export const OWN_ROLES: Readonly<Record<string, OwnRoles>> = {
  kernel: {
    holds: {
      value: [
        "values",
        "signatures",
        "parts",
        "resource/api-version",
        "resource/errors",
        "resource/examples",
        "resource/expansion",
        "resource/page-size",
        "resource/state-machine",
        "resource/version-change",
        "database/difference",
        "database/unreachable",
        "http/body-limit",
        "http/field-issues",
        "http/headers",
        "http/refused-fields",
        "http/request-id",
        "http/shown-path",
        "http/similar-name"
      ],
      turns: ["http/giving-way", "resource/pages"],
      database: ["database", "resource/listing", "http/rate-limit-store"],
      commit: ["road", "database/encoded", "http/reply", "resource"],
      timers: ["timers", "clocks", "parts/part"],
      outside: ["egress"],
      requests: ["http"]
    },
    imports: {
      value: [],
      turns: ["value"],
      database: ["value", "turns"],
      commit: ["value", "turns", "database"],
      timers: ["value", "turns", "database", "commit"],
      outside: ["value"],
      requests: ["value", "turns", "database", "commit"]
    }
  },
  platform: {
    holds: {
      sealed: ["encryption"],
      kept: ["kept-answers"],
      letter: ["email"],
      embedded: ["database"],
      fetched: ["fetched"],
      form: ["pages"]
    },
    imports: { sealed: [], kept: ["sealed"], letter: [], embedded: [], fetched: ["embedded"], form: [] }
  },
  confined: {
    holds: {
      model: ["model", "settings", "frames", "self-test", "newer-node"],
      filter: ["seccomp", "syscalls"],
      process: ["run", "slots", "bubblewrap", "node-child", "engine-child", "compiled"],
      wall: ["walls"],
      service: ["children", "service"]
    },
    imports: {
      model: ["model"],
      filter: [],
      process: ["model", "filter"],
      wall: ["model", "filter", "process"],
      service: ["process", "wall"]
    }
  },
  engines: { holds: { engine: ["."] }, imports: { engine: ["model"] } },
  programs: {
    holds: {
      fact: ["facts", "patch"],
      claim: ["claims"],
      topic: [
        "programs",
        "map",
        "wording",
        "delivery",
        "readiness",
        "hardening",
        "hardening/rules",
        "agentic-purchasing/commerce",
        "agentic-purchasing/prices",
        "debug/sites",
        "mcp/money",
        "mcp/operations",
        "skills/aside",
        "skills/commands",
        "skills/needs",
        "skills/one-test",
        "skills/scripts"
      ],
      program: [
        "program",
        "about",
        "running",
        "search",
        "skills",
        "debug",
        "frontend",
        "seo",
        "pitch",
        "optimization",
        "theme",
        "brand",
        "superpowers",
        "marketing",
        "notebook",
        "obsidian",
        "mcp",
        "artifacts",
        "remotion",
        "canvas",
        "algorithmic",
        "agentic-purchasing",
        "closer",
        "deploy"
      ],
      child: ["confined"],
      measure: ["testing", "testing/repository"]
    },
    imports: {
      model: ["fact", "topic"],
      fact: ["model"],
      claim: ["model", "fact"],
      topic: ["model", "fact", "claim"],
      program: ["model", "fact", "claim", "topic"],
      child: ["model", "fact", "claim", "topic", "program"],
      measure: ["model", "fact", "claim", "topic", "program", "child"]
    }
  },
  "tool-kit": {
    holds: {
      argument: ["call", "fields", "input-schema", "progress"],
      backend: ["backend", "services"],
      answer: ["gate", "typed", "typed/errors"],
      tool: ["tool", "called-services", "derive", "outcome", "planned", "testing"]
    },
    imports: {
      argument: ["model"],
      backend: ["model", "argument"],
      answer: ["model", "backend"],
      tool: ["model", "argument", "backend", "answer"]
    }
  },
  webhooks: {
    holds: {
      log: ["log"],
      signal: ["deliveries/connection", "deliveries/signal"],
      queue: ["deliveries/queue", "deliveries/queue-sql"],
      sender: ["deliveries/attempts", "deliveries/agenda", "deliveries/load", "deliveries/worker"],
      outbox: ["events/outbox"],
      rules: ["deliveries/schedules"],
      answer: ["raw-json"]
    },
    imports: {
      log: [],
      signal: [],
      queue: ["model", "signal"],
      sender: ["model", "rules", "signal", "queue"],
      outbox: ["log", "signal"],
      answer: [],
      service: ["signal"],
      http: ["answer"]
    }
  },
  ledger: {
    holds: {
      route: ["financial-events/routes"],
      proof: ["financial-events/chain", "financial-events/verify", "checkpoints/verify"],
      journal: ["financial-events/journal", "balances/tally"],
      check: ["financial-events/route-check", "state-checks"],
      jobs: ["checkpoints/worker"]
    },
    imports: {
      route: [],
      proof: ["route"],
      journal: ["proof"],
      check: ["model", "service", "route"],
      model: ["route", "proof"],
      repository: ["route", "proof"],
      service: ["proof"]
    }
  },
  compliance: { holds: { rules: ["."] }, imports: { rules: ["model"] } },
  stores: {
    holds: { model: ["model"], index: ["search", "vectors", "snapshots/lines", "snapshots/packing"], turns: ["turns", "vectors/indexes"] },
    imports: { index: ["model"], turns: ["model", "repository", "index"], repository: ["index"], service: ["index", "turns"] }
  },
  paywall: {
    holds: {
      protocol: ["payment"],
      call: [
        "gate/admitted",
        "gate/answers",
        "gate/budget",
        "gate/call-meta",
        "gate/call-metrics",
        "gate/credit-headers",
        "gate/paywall",
        "credit-purchases/offer"
      ],
      merchant: ["merchant", "payment/facilitator"],
      payer: ["gate/payers", "gate/choose-payer", "paid-calls"],
      gate: ["gate/checks", "gate/gate", "gate/terms"],
      page: ["pay-page"]
    },
    imports: {
      protocol: ["model"],
      call: ["model", "rules", "protocol"],
      merchant: ["model", "service", "protocol"],
      payer: ["model", "rules", "repository", "service", "protocol", "call", "merchant"],
      gate: ["model", "rules", "service", "call", "payer"],
      page: ["model", "rules", "service", "protocol", "call", "merchant"],
      service: ["protocol", "call", "merchant"]
    }
  },
  tools: {
    holds: {
      finder: ["discovery"],
      backend: ["backends"],
      tool: ["catalog"],
      rules: ["own-disputes/evidence"],
      answer: ["snapshots/bundle"],
      directory: ["catalog/by-name", "catalog/group", "catalog/handlers", "catalog/index", "discovery/directory"]
    },
    imports: {
      finder: ["model"],
      backend: ["model", "repository", "service"],
      answer: [],
      http: ["answer"],
      tool: ["model", "rules", "service", "finder"],
      directory: ["model", "tool", "finder"]
    }
  },
  doors: {
    holds: {
      protocol: ["mcp/answers", "mcp/extras", "mcp/json-rpc", "mcp/limits", "mcp/origin", "mcp/peer", "mcp/revisions", "mcp/shapes"],
      method: ["mcp/body", "mcp/methods"],
      session: ["mcp/event-log", "mcp/exchange", "mcp/recent-answers", "mcp/session", "mcp/sessions"],
      transport: ["mcp"],
      document: ["discovery"],
      door: ["mcp/http", "objects/http", "typed", "discovery/rest", "discovery/routes"]
    },
    imports: {
      protocol: ["model"],
      method: ["model", "protocol"],
      session: ["model", "protocol", "method"],
      transport: ["model", "protocol", "method", "session"],
      document: ["model", "protocol", "method"],
      door: ["model", "protocol", "method", "session", "transport", "document"]
    }
  },
  checkout: {
    holds: {
      text: ["i18n"],
      address: ["addresses"],
      form: ["routing/form-key"],
      view: [
        "pages",
        "cycle-payments/texts",
        "cycle-payments/pending",
        "hosted-checkout/offer-views",
        "hosted-checkout/views",
        "hosted-invoice/views",
        "hosted-invoice/pay-views",
        "portal",
        "simulator"
      ],
      answer: ["routing/answers"],
      route: ["hosted-checkout/routes", "hosted-invoice/routes", "portal/routes", "simulator/routes"]
    },
    imports: {
      text: ["model"],
      address: [],
      form: [],
      view: ["model", "rules", "text"],
      answer: ["text", "view"],
      route: ["model", "rules", "service", "text", "form", "view", "answer"],
      model: ["address"],
      repository: ["address"],
      road: ["address"],
      service: ["address", "form"]
    }
  },
  desk: {
    holds: {
      question: ["api"],
      view: ["views"],
      text: ["i18n"],
      page: ["pages"],
      route: ["routing"],
      topic: [
        "assistant/act",
        "assistant/acts",
        "assistant/language-model",
        "assistant/match",
        "assistant/pages",
        "assistant/proposals",
        "assistant/question",
        "assistant/read",
        "assistant/route",
        "assistant/topic",
        "assistant/topics"
      ],
      letter: ["attention/letter"],
      worker: ["attention/worker"]
    },
    imports: {
      topic: ["model"],
      letter: ["model", "text"],
      worker: ["service"],
      service: ["topic", "letter"],
      http: ["topic"],
      question: ["model", "api"],
      view: ["desk"],
      text: ["model", "view"],
      page: ["model", "question", "view", "text", "letter"],
      route: ["model", "service", "question", "view", "text", "page"]
    }
  }
}

/** The role of a file of such a package by the longest path that holds it, and whether the file is named itself. */
export const ownRoleOf = (name: string, path: string): { readonly role: string; readonly named: boolean } | undefined => {
  const file = path.replace(/\.ts$/, "")
  const held = Object.entries(OWN_ROLES[name]?.holds ?? {}).flatMap(([role, paths]) =>
    paths.filter((one) => one === "." || one === file || file.startsWith(`${one}/`)).map((one) => ({ role, one }))
  )
  const [closest] = held.toSorted((a, b) => b.one.length - a.one.length)
  return closest && { role: closest.role, named: closest.one === file }
}
