/** What a task needs before an agent may buy in somebody's name, found by the words of the task. */
import { programs } from "@svc/programs/programs"
import type { focusAreas } from "@svc/tool-kit/services/snapshots"
import { wordsOf } from "./search.ts"

export type Area = typeof focusAreas[number] | "payment" | "readiness" | "research"

interface Need {
  readonly area: Area
  readonly terms: ReadonlyArray<string>
  readonly why: string
  /** In the order in which they are called. */
  readonly tools: ReadonlyArray<string>
  /** Of the programs, those that a team reads for it. */
  readonly artifacts: ReadonlyArray<string>
}

export const needs: ReadonlyArray<Need> = [
  {
    area: "payment",
    terms: [
      "buy",
      "pay",
      "payment",
      "purchase",
      "order",
      "checkout",
      "charge",
      "spend",
      "card",
      "invoice",
      "subscription",
      "book",
      "wallet",
      "stablecoin",
      "x402",
      "usdc",
      "price",
      "quote",
      "budget"
    ],
    why: "Money moves: try the way in which this server is paid, and buy within a budget that the account's owner has set.",
    tools: ["ping_payment", "get_quote", "execute_payment"],
    artifacts: ["checkout-flow.md", "agent-purchasing-playbook.md", "commerce-registry.json"]
  },
  {
    area: "sca",
    terms: ["sca", "psd2", "3ds", "3d", "authentication", "exemption", "eur", "euro", "europe", "european", "eu", "challenge", "strong"],
    why: "European payers are authenticated strongly unless an exemption applies: decide which before the charge.",
    tools: ["sca_exemption_decision"],
    artifacts: ["checkout-flow.md"]
  },
  {
    area: "dispute",
    terms: ["dispute", "chargeback", "fraud", "refund", "representment", "evidence", "retrieval", "unrecognized"],
    why: "A charge may be disputed: know what evidence is missing while it can still be had.",
    tools: ["score_dispute_readiness", "assemble_ce3_evidence", "assemble_representment"],
    artifacts: ["agent-purchasing-playbook.md", "checkout-flow.md"]
  },
  {
    area: "mandate",
    terms: ["mandate", "ap2", "consent", "intent", "cart", "delegate", "authorize", "authority", "autonomous", "behalf", "approval"],
    why: "An agent buys in somebody's name: a signed mandate says what it may buy and who said so.",
    tools: ["build_ap2_mandate"],
    artifacts: ["ap2-interop-samples.json", "negotiation-rules.md"]
  },
  {
    area: "tap",
    terms: ["tap", "bot", "crawler", "signature", "identity", "trusted", "visa", "verify", "attestation"],
    why: "Merchants tell agents from bots by signed requests.",
    tools: ["prepare_agentic_purchasing_preview"],
    artifacts: ["protocol-spec.md", "server-manifest.yaml"]
  },
  {
    area: "tokenization",
    terms: ["token", "tokenization", "tokenize", "vault", "pan", "pci", "network", "store", "credential"],
    why: "Card numbers should not be kept: network tokens stand in their place.",
    tools: ["svc_network_tokenization"],
    artifacts: ["commerce-registry.json", "mcp/fintech-domain-schema.yaml"]
  },
  {
    area: "readiness",
    terms: [
      "shop",
      "store",
      "merchant",
      "integrate",
      "integration",
      "webhook",
      "idempotency",
      "catalog",
      "product",
      "sell",
      "api",
      "code",
      "repository",
      "ready",
      "readiness",
      "compliance",
      "compliant",
      "audit"
    ],
    why: "The code that sells should be ready for buyers that are programs.",
    tools: ["prepare_agentic_purchasing_preview", "grade_compliance", "prepare_agentic_purchasing"],
    artifacts: ["agent-purchasing-playbook.md", "product-schema.json", "mcp/fintech-mcp-surface-package.md"]
  },
  {
    area: "research",
    terms: ["find", "compare", "search", "research", "cheapest", "supplier", "vendor", "flight", "hotel", "review", "best"],
    why: "What is bought has to be found and compared first.",
    tools: ["svc_web_research", "svc_web_search"],
    artifacts: ["context-map.json", "product-schema.json"]
  }
]

/** The programs that make them, in the order of the contract. */
const programsOf = ({ artifacts }: Need): ReadonlyArray<string> =>
  programs.flatMap(({ artifacts: made, name }) => made.some(({ path }) => artifacts.includes(path)) ? [name] : [])

export interface MatchedNeed extends Need {
  readonly programs: ReadonlyArray<string>
  /** The words of the task that told. Empty for an area that was asked for by name. */
  readonly matched: ReadonlyArray<string>
}

/** Areas asked for by name first, then those of which the task has most words. Without any, what every purchase needs. */
export const triage = (task: string, asked: ReadonlyArray<Area> = []): ReadonlyArray<MatchedNeed> => {
  const words = new Set(wordsOf(task))
  const matches = needs
    .map((need) => ({ ...need, programs: programsOf(need), matched: need.terms.filter((term) => words.has(term)) }))
    .filter(({ area, matched }) => matched.length > 0 || asked.includes(area))
    .sort((one, other) =>
      Number(asked.includes(other.area)) - Number(asked.includes(one.area)) || other.matched.length - one.matched.length
    )
  return matches.length > 0
    ? matches
    : needs.filter(({ area }) => area === "payment" || area === "readiness").map((need) => ({
      ...need,
      programs: programsOf(need),
      matched: []
    }))
}
