/** The programs that turn a repository into artifacts: which there are, and what each makes. Free artifacts are made for everybody. */
export interface Program {
  readonly name: string
  /** `free` when all that it makes is. */
  readonly tier: "free" | "paid"
  readonly artifacts: ReadonlyArray<{ readonly path: string; readonly free: boolean }>
}

/** A program, the paths of what it makes, in order, and which of them are free: all when that is left out. */
const program = (name: string, paths: ReadonlyArray<string>, free: ReadonlyArray<string> = paths): Program => {
  const artifacts = paths.map((path) => ({ path, free: free.includes(path) }))
  return { name, tier: artifacts.every((artifact) => artifact.free) ? "free" : "paid", artifacts }
}

export const programs: ReadonlyArray<Program> = [
  program("search", [
    "context-map.json",
    "repo-profile.yaml",
    "architecture-summary.md",
    "dependency-hotspots.md",
    "symbol-index.json",
    "repo-run-stats.json"
  ]),
  program("skills", ["AGENTS.md", "CLAUDE.md", ".cursorrules", "workflow-pack.md", "policy-pack.md", "model-cascade.md"]),
  program("debug", ["debug-playbook.md", "incident-template.md", "tracing-rules.md", "root-cause-checklist.md"]),
  program("frontend", ["frontend-rules.md", "component-guidelines.md", "layout-patterns.md", "ui-audit.md"], ["frontend-rules.md"]),
  program("seo", [
    "seo-rules.md",
    "schema-recommendations.json",
    "route-priority-map.md",
    "content-audit.md",
    "meta-tag-audit.json",
    "seo-head-tags.html"
  ], ["seo-rules.md", "meta-tag-audit.json"]),
  program("pitch", ["pitch-deck.md", "pitch-deck.json", "slide-art-prompts.json"], ["pitch-deck.md"]),
  program("optimization", ["optimization-rules.md", "prompt-diff-report.md", "cost-estimate.json", "token-budget-plan.md"], [
    "optimization-rules.md"
  ]),
  program("theme", ["design-tokens.json", "theme.css", "theme-guidelines.md", "component-theme-map.json", "dark-mode-tokens.json"], [
    "design-tokens.json"
  ]),
  program("brand", [
    "brand-guidelines.md",
    "voice-and-tone.md",
    "content-constraints.md",
    "messaging-system.yaml",
    ".vale.ini",
    "styles/Svc/ForbiddenPatterns.yml",
    "styles/Svc/PreferredTerms.yml",
    "channel-rulebook.md"
  ], ["brand-guidelines.md", "voice-and-tone.md"]),
  program("superpowers", [
    "superpower-pack.md",
    "workflow-registry.json",
    "test-generation-rules.md",
    "refactor-checklist.md",
    "automation-pipeline.yaml",
    "verify.sh",
    "verify-full.sh",
    ".githooks/pre-push",
    "redundancy-sweep.mjs",
    "redundancy-sweep-playbook.md"
  ], ["superpower-pack.md", "refactor-checklist.md"]),
  program("marketing", ["campaign-brief.md", "funnel-map.md", "sequence-pack.md", "cro-playbook.md", "ab-test-plan.md"], [
    "campaign-brief.md"
  ]),
  program("notebook", ["notebook-summary.md", "source-map.json", "study-brief.md", "research-threads.md", "citation-index.json"], [
    "notebook-summary.md"
  ]),
  program("obsidian", ["obsidian-skill-pack.md", "vault-rules.md", "graph-prompt-map.json", "linking-policy.md", "template-pack.md"], [
    "obsidian-skill-pack.md"
  ]),
  program("mcp", [
    "mcp-config.json",
    "mcp-registry-metadata.json",
    "protocol-spec.md",
    "spec.types.ts",
    "mcp/README.md",
    "mcp/project-setup.md",
    "mcp/build-artifacts.md",
    "mcp/package-json.root.template.json",
    "mcp/package-json.package.template.json",
    "mcp/tsconfig.root.template.json",
    "mcp/tsconfig.package.template.json",
    "mcp/monorepo-structure.md",
    "mcp/core-implementation-artifacts.md",
    "mcp/testing-documentation-polish-artifacts.md",
    "connector-map.yaml",
    "capability-registry.json",
    "mcp/fintech-mcp-surface-package.md",
    "mcp/fintech-domain-schema.yaml",
    "server-manifest.yaml"
  ], ["mcp-config.json", "protocol-spec.md", "mcp/README.md"]),
  program("artifacts", [
    "generated-component.tsx",
    "dashboard-widget.tsx",
    "embed-snippet.ts",
    "artifact-spec.md",
    "component-library.json",
    "prd.md",
    "design.md",
    "tasks.md",
    "context.md",
    "index.html",
    "capability-map.yaml"
  ], ["artifact-spec.md", "prd.md", "design.md"]),
  program("remotion", ["remotion-script.ts", "scene-plan.md", "render-config.json", "asset-checklist.md", "storyboard.md"], [
    "storyboard.md"
  ]),
  program("canvas", [
    "canvas-spec.json",
    "social-pack.md",
    "poster-layouts.md",
    "asset-guidelines.md",
    "architecture-diagram.d2",
    "brand-board.md"
  ], ["asset-guidelines.md", "brand-board.md"]),
  program("algorithmic", [
    "generative-sketch.ts",
    "parameter-pack.json",
    "collection-map.md",
    "export-manifest.yaml",
    "variation-matrix.json"
  ], ["generative-sketch.ts"]),
  program("agentic-purchasing", [
    "agent-purchasing-playbook.md",
    "product-schema.json",
    "checkout-flow.md",
    "negotiation-rules.md",
    "commerce-registry.json",
    "ap2-interop-samples.json"
  ], ["agent-purchasing-playbook.md", "checkout-flow.md"]),
  program("closer", [
    "packaging/README.md",
    "packaging/LICENSE",
    "Dockerfile",
    "docker-compose.yml",
    ".github/workflows/ci.yml",
    ".github/workflows/release.yml",
    "packaging/manifests/npm-package.json",
    "packaging/manifests/unreal.uplugin",
    "packaging/manifests/vscode-extension.json",
    "packaging/manifests/dockerhub-repository.md",
    "packaging/manifests/github-marketplace-listing.md",
    "packaging/attestation/attestation.json",
    "packaging/attestation/merkle-proof.json",
    "packaging-report.md",
    "DISTRIBUTABLE.md",
    "Makefile"
  ], ["packaging/README.md", "Dockerfile", "DISTRIBUTABLE.md"]),
  program("deploy", [
    "deploy/Dockerfile",
    "deploy/Dockerfile.dockerignore",
    "deploy/docker-compose.dev.yml",
    "deploy/render.yaml",
    "deploy/deploy.sh",
    "deploy/deploy.ps1",
    "deploy/vscode-launch.json.template",
    "deploy/wrangler.pages.toml",
    "deploy/wrangler.containers.toml",
    "deploy/worker.ts",
    "deploy/deploy-cloudflare.sh",
    "deploy/deploy-cloudflare.ps1",
    "deploy/deploy-qualification-report.md"
  ], ["deploy/Dockerfile", "deploy/docker-compose.dev.yml", "deploy/render.yaml"])
]

/**
 * The generators of a program, one an artifact and in their order, such as `search.context-map-json`. No two programs have one of the same
 * name.
 */
export const generatorsOf = ({ artifacts, name }: Program): ReadonlyArray<string> =>
  artifacts.map(({ path }) => `${name}.${path.toLowerCase().replace(/^[^a-z0-9]+/u, "").replace(/[^a-z0-9]+/gu, "-")}`)

const freePaths: ReadonlySet<string> = new Set(
  programs.flatMap(({ artifacts }) => artifacts.flatMap(({ free, path }) => free ? [path] : []))
)

export const isFree = (path: string): boolean => freePaths.has(path)
