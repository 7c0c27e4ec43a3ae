/** What programs and tools are about, in words that people search by. */
import type { Category } from "../services/directory.ts"

/** One sentence a program: what its artifacts are for. */
export const programTopics: Readonly<Record<string, string>> = {
  search: "Maps of a code base: context, symbols, dependencies, architecture, hotspots.",
  skills: "Instructions for coding agents: rules, workflows, policies, model choice.",
  debug: "Debugging: playbook, incidents, tracing, root causes.",
  frontend: "Frontend code: rules, components, layout, interface audit.",
  seo: "Search engines: meta tags, structured data, content and route priorities.",
  pitch: "A pitch deck for investors and partners, with slides.",
  optimization: "Cost and tokens: prompt changes, budgets, estimates, performance.",
  theme: "Design tokens, CSS theme, dark mode.",
  brand: "Brand voice, tone, terms and messages, with prose linting.",
  superpowers: "Workflows and automation: tests, refactoring, verification, hooks.",
  marketing: "Campaigns, funnels, conversion, A/B tests, mail sequences.",
  notebook: "Research notes: summary, sources, citations, study brief.",
  obsidian: "An Obsidian vault: notes, links, templates, graph.",
  mcp: "Model Context Protocol: server config, registry metadata, connectors, manifest.",
  artifacts: "Components, widgets, product requirements, specifications, tasks.",
  remotion: "Video: scripts, scenes, storyboard, rendering.",
  canvas: "Posters, social images, diagrams, assets.",
  algorithmic: "Generative art: sketch, parameters, collection, export.",
  "agentic-purchasing": "Purchases by agents: checkout flow, product schema, negotiation, payment mandates, commerce.",
  closer: "Publication: packaging, license, CI, releases, marketplaces, attestation.",
  deploy: "Deployment: Docker, Cloudflare, Render, scripts, containers."
}

const named: Readonly<Partial<Record<Category, ReadonlyArray<string>>>> = {
  analysis: ["analyze_repo", "analyze_files", "closer", "deploy", "svc_improve_my_agent", "svc_hygiene"],
  snapshots: ["get_snapshot", "delete_snapshot", "get_artifact"],
  purchasing: ["prepare_agentic_purchasing_preview", "prepare_agentic_purchasing", "discover_agentic_purchasing_needs"],
  compliance: [
    "sca_exemption_decision", "grade_compliance", "assemble_ce3_evidence", "build_ap2_mandate", "score_dispute_readiness", "assemble_representment",
    "svc_network_tokenization"
  ],
  discovery: ["list_programs", "search_and_discover_tools", "get_install_manifest", "discover_estate_tools"],
  account: ["get_referral_code", "get_referral_credits"],
  payments: ["ping_payment", "get_quote", "execute_payment"],
  planned: ["svc_validate", "svc_inspect", "svc_compare", "svc_manifest_verify", "platform_compliance_check"]
}

const byName = new Map<string, Category>()
for (const category of ["analysis", "snapshots", "purchasing", "compliance", "discovery", "account", "payments", "planned"] as const) {
  for (const name of named[category] ?? []) byName.set(name, category)
}

/** What is not named is one of the services that are called for themselves. */
export const categoryOf = (name: string): Category => byName.get(name) ?? "service"

/** Every name above, so that a test can find those that no tool has. */
export const categorized: ReadonlyArray<string> = Array.from(byName.keys())
