/** What each program reads of a repository, and what each artifact is for: people and agents search by these lines. */
import { Schema } from "effect"
import type { FactKind } from "./facts/model.ts"
import { programs } from "./programs.ts"

export interface AboutProgram {
  /** What its artifacts are for. */
  readonly about: string
  /** Kinds of facts that it asks for, beside files. Without any of these in a repository its artifacts say what was searched. */
  readonly evidence: ReadonlyArray<FactKind>
  /** One line each, in the order of the contract. */
  readonly artifacts: Readonly<Record<string, string>>
}

export const aboutPrograms: Readonly<Record<string, AboutProgram>> = {
  search: {
    about: "Maps of a code base: context, symbols, dependencies, architecture, hotspots.",
    evidence: [
      "call",
      "ci-step",
      "command",
      "dependency",
      "entry",
      "environment",
      "error",
      "heading",
      "import",
      "license",
      "listing",
      "locked",
      "manifest",
      "payment-sign",
      "route",
      "script",
      "setting",
      "sql",
      "symbol",
      "test",
      "todo"
    ],
    artifacts: {
      "context-map.json": "What is where: modules, entries, routes, environment variables, an item a line",
      "repo-profile.yaml": "What the repository is made of: languages, packages, tools, licences",
      "architecture-summary.md": "Packages, entries, levels and circles of the import graph on two pages",
      "dependency-hotspots.md": "Where a change of imports or dependencies costs most",
      "symbol-index.json": "Every exported symbol, where it stands and who uses it",
      "repo-run-stats.json": "What was read, and what was not"
    }
  },
  skills: {
    about: "Instructions for coding agents: rules, workflows, policies, model choice.",
    evidence: [
      "ci-step",
      "ci-trigger",
      "code-block",
      "dependency",
      "environment",
      "generated",
      "license",
      "manifest",
      "model-call",
      "paragraph",
      "ran",
      "script",
      "setting",
      "test"
    ],
    artifacts: {
      "AGENTS.md": "What an agent does not see at one look: tests, generated files, what breaks silently; commands that were run",
      "CLAUDE.md": "The same for Claude Code: permissions of its commands",
      ".cursorrules": "The same for Cursor, by the files that are open",
      "workflow-pack.md": "The order in which continuous integration and scripts run",
      "policy-pack.md": "What the repository demands, and what holds each demand",
      "model-cascade.md": "Model calls of the code, their models, and what happens when one fails"
    }
  },
  debug: {
    about: "Debugging: playbook, incidents, tracing, root causes.",
    evidence: [
      "call",
      "ci-step",
      "container",
      "dependency",
      "environment",
      "error",
      "locked",
      "log",
      "route",
      "script",
      "sql",
      "symbol",
      "todo"
    ],
    artifacts: {
      "debug-playbook.md": "From an error message or log line to the place that writes it and its callers",
      "incident-template.md": "Services, health checks, logs and ways back, for while it is down",
      "tracing-rules.md": "How one request is followed through the code, and where its trace ends",
      "root-cause-checklist.md": "What goes wrong unseen here, quickest to rule out first"
    }
  },
  frontend: {
    about: "Frontend code: rules, components, layout, accessibility audit of the interface.",
    evidence: ["classes", "component", "element", "entry", "import", "render", "route", "token", "token-use"],
    artifacts: {
      "frontend-rules.md": "How components are named, styled and given state here, with the exceptions",
      "component-guidelines.md": "Components, their props and where each is used",
      "layout-patterns.md": "Routes, their pages and the layouts around them",
      "ui-audit.md": "Images without alt, inputs without label and the like, by WCAG criterion"
    }
  },
  seo: {
    about: "Search engines: meta tags, structured data, content and route priorities.",
    evidence: ["component", "element", "heading", "link", "paragraph", "route"],
    artifacts: {
      "seo-rules.md": "What pages say to search engines, and what they lack",
      "schema-recommendations.json": "Structured data (JSON-LD) that the pages support or have",
      "route-priority-map.md": "Public routes and pages in the order of their links",
      "content-audit.md": "Headings, texts and links of each page",
      "meta-tag-audit.json": "Title, description, canonical, Open Graph, robots and viewport of each page",
      "seo-head-tags.html": "Head tags of each page, of its own texts"
    }
  },
  pitch: {
    about: "A pitch deck for investors and partners, with slides.",
    evidence: [
      "ci-step",
      "command",
      "element",
      "heading",
      "import",
      "license",
      "link",
      "listing",
      "manifest",
      "paragraph",
      "route",
      "sql",
      "symbol",
      "test",
      "todo",
      "token"
    ],
    artifacts: {
      "pitch-deck.md": "What the project is, quoted, and what of its code shows it; the rest is questions",
      "pitch-deck.json": "The slides as data",
      "slide-art-prompts.json": "Prompts for pictures, of the project's own colours and assets"
    }
  },
  optimization: {
    about: "Cost and tokens of model calls: prompts, budgets, caches, estimates.",
    evidence: ["call", "model-call", "prompt"],
    artifacts: {
      "optimization-rules.md": "Model calls with their loops, retries and caches",
      "prompt-diff-report.md": "Prompts that are near copies of each other, and what differs",
      "cost-estimate.json": "Tokens of each prompt by its place; prices are questions",
      "token-budget-plan.md": "Tokens a call, and where a bound is missing"
    }
  },
  theme: {
    about: "Design tokens, CSS theme, dark mode.",
    evidence: ["classes", "component", "token", "token-use"],
    artifacts: {
      "design-tokens.json": "Colours, sizes and fonts in the format of the Design Tokens Community Group",
      "theme.css": "The same as custom properties",
      "theme-guidelines.md": "Tokens that are used, repeated or passed by",
      "component-theme-map.json": "Which component uses which token",
      "dark-mode-tokens.json": "Tokens of dark scopes; without one, contrasts and questions"
    }
  },
  brand: {
    about: "Brand voice, tone, terms and messages, with prose linting.",
    evidence: [
      "call",
      "ci-step",
      "command",
      "component",
      "dependency",
      "element",
      "environment",
      "error",
      "generated",
      "heading",
      "license",
      "link",
      "listing",
      "log",
      "mail",
      "manifest",
      "paragraph",
      "script",
      "setting",
      "symbol"
    ],
    artifacts: {
      "brand-guidelines.md": "Names and terms that the project uses for itself, and where they disagree",
      "voice-and-tone.md": "Sentences, person and imperatives of documents and interface, measured",
      "content-constraints.md": "Rules for text that the repository has already",
      "messaging-system.yaml": "What README, manifest and site say of the project, side by side",
      ".vale.ini": "Settings of Vale, a linter of prose",
      "styles/Svc/ForbiddenPatterns.yml": "Spellings that the project has against its own use, for Vale",
      "styles/Svc/PreferredTerms.yml": "Terms and what they replace, for Vale",
      "channel-rulebook.md": "Where the project speaks (README, errors, logs, mails), and what each says now"
    }
  },
  superpowers: {
    about: "Workflows and automation: tests, refactoring, verification, hooks.",
    evidence: [
      "call",
      "ci-step",
      "ci-trigger",
      "command",
      "container",
      "dependency",
      "entry",
      "import",
      "manifest",
      "ran",
      "route",
      "script",
      "setting",
      "symbol",
      "test",
      "todo"
    ],
    artifacts: {
      "superpower-pack.md": "Everything that one line starts here",
      "workflow-registry.json": "The same as data: what starts it, where, and what it needs",
      "test-generation-rules.md": "How tests are written here, and exports that have none",
      "refactor-checklist.md": "Where a change of form is worth its risk, and what would break",
      "automation-pipeline.yaml": "A workflow of GitHub that runs the repository's own commands",
      "verify.sh": "A script that is green when the quick checks are",
      "verify-full.sh": "The same for all checks",
      ".githooks/pre-push": "A hook of git that runs the quick checks",
      "redundancy-sweep.mjs": "A script that finds what is there twice, and what nothing uses",
      "redundancy-sweep-playbook.md": "What the sweep finds today, and what to look at before deleting"
    }
  },
  marketing: {
    about: "Campaigns, funnels, conversion, A/B tests, mail sequences.",
    evidence: [
      "call",
      "code-block",
      "command",
      "component",
      "element",
      "entry",
      "error",
      "flag",
      "heading",
      "listing",
      "log",
      "mail",
      "manifest",
      "paragraph",
      "route",
      "schema",
      "sql",
      "tracking"
    ],
    artifacts: {
      "campaign-brief.md": "What the project says of itself, quoted; audience and goals are questions",
      "funnel-map.md": "Pages, sign-up, checkout and tracked events; steps that nothing measures",
      "sequence-pack.md": "Mails that the code sends, with their templates and triggers",
      "cro-playbook.md": "Forms, their fields and their error messages",
      "ab-test-plan.md": "Feature flags and experiments of the code"
    }
  },
  notebook: {
    about: "Research notes: summary, sources, citations, study brief.",
    evidence: ["call", "command", "entry", "heading", "import", "link", "manifest", "paragraph", "symbol", "test", "todo"],
    artifacts: {
      "notebook-summary.md": "Which sources there are, and what they say themselves",
      "source-map.json": "What to load into a notebook, a source a line",
      "study-brief.md": "In which order to read, and what a reader should be able to say",
      "research-threads.md": "What is open: marked by authors, or seen by comparing documents, tests and code",
      "citation-index.json": "Sentences that the repository says of itself, with the lines to cite"
    }
  },
  obsidian: {
    about: "An Obsidian vault: notes, links, templates, graph.",
    evidence: ["entry", "heading", "import", "link", "manifest", "route", "symbol", "test"],
    artifacts: {
      "obsidian-skill-pack.md": "The map of the vault: which note to open for what",
      "vault-rules.md": "Names, tags and properties of the notes",
      "graph-prompt-map.json": "What to ask of each note, and which notes hold the answer",
      "linking-policy.md": "Links between notes: too many, too few, in a circle",
      "template-pack.md": "Notes of the most linked modules, ready to be saved"
    }
  },
  mcp: {
    about: "Model Context Protocol: server config, registry metadata, connectors, manifest.",
    evidence: [
      "call",
      "ci-step",
      "code-block",
      "command",
      "container",
      "dependency",
      "environment",
      "error",
      "heading",
      "import",
      "manifest",
      "model-call",
      "paragraph",
      "route",
      "schema",
      "script",
      "setting",
      "symbol"
    ],
    artifacts: {
      "mcp-config.json": "How a client starts the server that the repository publishes",
      "mcp-registry-metadata.json": "Its entry in the registry of MCP",
      "protocol-spec.md": "Tools that routes, commands or functions would be, each with its place",
      "spec.types.ts": "TypeScript types of the tools' inputs and the schemas",
      "mcp/README.md": "What a server for this repository would stand on, and what is missing",
      "mcp/project-setup.md": "What a machine needs before anything runs",
      "mcp/build-artifacts.md": "What is built, by which command, and which job publishes it",
      "mcp/package-json.root.template.json": "package.json of the workspace with the server",
      "mcp/package-json.package.template.json": "package.json of the server",
      "mcp/tsconfig.root.template.json": "tsconfig.json of the workspace",
      "mcp/tsconfig.package.template.json": "tsconfig.json of the server",
      "mcp/monorepo-structure.md": "Packages of the workspace, and which depend on which",
      "mcp/core-implementation-artifacts.md": "For each tool the handler, failures, statements and environment",
      "mcp/testing-documentation-polish-artifacts.md": "Which tools have tests and documents, and which have neither",
      "connector-map.yaml": "Outside systems, the packages that speak to them, their variables",
      "capability-registry.json": "Each tool as the protocol describes one, and documents as resources",
      "mcp/fintech-mcp-surface-package.md": "What an agent could do with the money that moves here",
      "mcp/fintech-domain-schema.yaml": "The schemas that hold money",
      "server-manifest.yaml": "The server on one page: name, version, transports, tools, credentials"
    }
  },
  artifacts: {
    about: "Components, widgets, product requirements, specifications, tasks.",
    evidence: [
      "call",
      "code-block",
      "command",
      "component",
      "dependency",
      "entry",
      "environment",
      "error",
      "heading",
      "import",
      "manifest",
      "paragraph",
      "route",
      "schema",
      "sql",
      "symbol",
      "test",
      "todo"
    ],
    artifacts: {
      "generated-component.tsx": "A React component over the schema or route that is used most",
      "dashboard-widget.tsx": "A widget over the counts of routes and models",
      "embed-snippet.ts": "A snippet that embeds the project's public entry or route",
      "artifact-spec.md": "What each of these is made from",
      "component-library.json": "Components, their props and their uses",
      "prd.md": "What the code does now by route, command and test, and what is open",
      "design.md": "How it is built: modules, data, where it fails",
      "tasks.md": "Gaps that were found, each with its line",
      "context.md": "The shortest set of files to read for each area",
      "index.html": "One static page of the map",
      "capability-map.yaml": "What the project can do, and where"
    }
  },
  remotion: {
    about: "Video: scripts, scenes, storyboard, rendering.",
    evidence: [
      "code-block",
      "command",
      "element",
      "heading",
      "import",
      "link",
      "manifest",
      "paragraph",
      "route",
      "schema",
      "symbol",
      "test",
      "token"
    ],
    artifacts: {
      "remotion-script.ts": "A composition of Remotion made of the project's own facts",
      "scene-plan.md": "Scenes and the facts that they show",
      "render-config.json": "Size, frames and length",
      "asset-checklist.md": "Assets of the repository that scenes use",
      "storyboard.md": "What is seen and said, scene by scene"
    }
  },
  canvas: {
    about: "Posters, social images, diagrams, assets.",
    evidence: ["element", "heading", "import", "link", "listing", "manifest", "sql", "symbol", "test", "token"],
    artifacts: {
      "canvas-spec.json": "The import graph in JSON Canvas",
      "social-pack.md": "Texts and pictures for social networks that the project has",
      "poster-layouts.md": "Layouts from its own words, colours and assets",
      "asset-guidelines.md": "Pictures and fonts with their formats and sizes",
      "architecture-diagram.d2": "The architecture as a diagram in D2",
      "brand-board.md": "Colours and fonts of the tokens"
    }
  },
  algorithmic: {
    about: "Generative art: sketch, parameters, collection, export.",
    evidence: ["import", "symbol"],
    artifacts: {
      "generative-sketch.ts": "A sketch whose geometry is the project's import graph",
      "parameter-pack.json": "Its parameters",
      "collection-map.md": "Its variations, and the modules that they come from",
      "export-manifest.yaml": "Formats and sizes of the export",
      "variation-matrix.json": "Parameters of each variation"
    }
  },
  "agentic-purchasing": {
    about: "Purchases by agents: checkout flow, product schema, negotiation, payment mandates, commerce.",
    evidence: [
      "call",
      "catalog-item",
      "dependency",
      "environment",
      "error",
      "generated",
      "import",
      "locked",
      "manifest",
      "payment-sign",
      "route",
      "schema",
      "sql"
    ],
    artifacts: {
      "agent-purchasing-playbook.md": "How an agent buys here: routes, keys, budgets, refunds, what is missing",
      "product-schema.json": "The project's products as a JSON Schema",
      "checkout-flow.md": "From cart to webhook: routes, provider calls, signature checks, idempotency",
      "negotiation-rules.md": "Budgets, limits and discounts of the code; the rest is questions",
      "commerce-registry.json": "Payment providers, routes, webhooks and their variables",
      "ap2-interop-samples.json": "Mandates of AP2 that carry the project's own items"
    }
  },
  closer: {
    about: "Publication: packaging, license, CI, releases, marketplaces, attestation.",
    evidence: [
      "ci-step",
      "ci-trigger",
      "container",
      "dependency",
      "entry",
      "environment",
      "import",
      "license",
      "license-text",
      "listen",
      "listing",
      "locked",
      "manifest",
      "script",
      "setting",
      "test"
    ],
    artifacts: {
      "packaging/README.md": "How to get, build, run and test it",
      "packaging/LICENSE": "The licence that was found, byte for byte, or that there is none",
      Dockerfile: "An image of the program, by its own build",
      "docker-compose.yml": "The program with the services that it needs",
      ".github/workflows/ci.yml": "Continuous integration by its own commands",
      ".github/workflows/release.yml": "A release when a tag is pushed",
      "packaging/manifests/npm-package.json": "The manifest for npm",
      "packaging/manifests/unreal.uplugin": "The descriptor of an Unreal plugin",
      "packaging/manifests/vscode-extension.json": "The manifest of an extension of VS Code",
      "packaging/manifests/dockerhub-repository.md": "The page on Docker Hub",
      "packaging/manifests/github-marketplace-listing.md": "The listing in GitHub's marketplace",
      "packaging/attestation/attestation.json": "An in-toto statement with the bill of materials (SBOM, CycloneDX)",
      "packaging/attestation/merkle-proof.json": "A Merkle tree over the bundle, with a proof of each file (RFC 6962)",
      "packaging-report.md": "What each marketplace wants, what is there, and what lacks",
      "DISTRIBUTABLE.md": "What may be distributed, and what stands against it",
      Makefile: "Targets for build, test and run"
    }
  },
  deploy: {
    about: "Deployment: Docker, Cloudflare, Render, scripts, containers.",
    evidence: ["call", "container", "dependency", "entry", "environment", "listen", "manifest", "route", "script", "setting", "test"],
    artifacts: {
      "deploy/Dockerfile": "An image to deploy: stages, no root, the port that is listened on",
      "deploy/Dockerfile.dockerignore": "What the image leaves out",
      "deploy/docker-compose.dev.yml": "The program and its services for development",
      "deploy/render.yaml": "A blueprint for Render",
      "deploy/deploy.sh": "Builds and starts it, for POSIX shells",
      "deploy/deploy.ps1": "The same for PowerShell",
      "deploy/vscode-launch.json.template": "A launch configuration of VS Code",
      "deploy/wrangler.pages.toml": "Settings for Cloudflare Pages",
      "deploy/wrangler.containers.toml": "Settings for Cloudflare Containers",
      "deploy/worker.ts": "The Worker before the container",
      "deploy/deploy-cloudflare.sh": "Deploys to Cloudflare, for POSIX shells",
      "deploy/deploy-cloudflare.ps1": "The same for PowerShell",
      "deploy/deploy-qualification-report.md": "Which targets the project qualifies for, and why not the others"
    }
  }
}

/** A program as it is shown to those who look for one. */
export const DescribedProgram = Schema.Struct({
  name: Schema.String,
  /** `free` when all that it makes is. */
  tier: Schema.Literals(["free", "paid"]),
  about: Schema.String,
  evidence: Schema.Array(Schema.String).annotate({ description: "Kinds of facts that it reads in a repository" }),
  artifacts: Schema.Array(Schema.Struct({ path: Schema.String, free: Schema.Boolean, about: Schema.String }))
}).annotate({ identifier: "DescribedProgram" })
export type DescribedProgram = typeof DescribedProgram.Type

export const describedPrograms: ReadonlyArray<DescribedProgram> = programs.map((program) => {
  const { about = "", artifacts = {}, evidence = [] } = aboutPrograms[program.name] ?? {}
  return { ...program, about, evidence, artifacts: program.artifacts.map((one) => ({ ...one, about: artifacts[one.path] ?? "" })) }
})
