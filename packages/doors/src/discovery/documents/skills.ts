/** Skills: how to work with this server, step by step, as files that agents load. */
import { type Described, priceText } from "@svc/tool-kit/services/directory"
import { createHash } from "node:crypto"
import { type DocumentFacts, json, type Make, markdown } from "./document.ts"

interface Skill {
  readonly name: string
  readonly description: string
  readonly body: (facts: Pick<DocumentFacts, "site" | "tools">) => ReadonlyArray<string>
}

const listOf = (tools: ReadonlyArray<Described>, of: ReadonlyArray<Described["category"]>): ReadonlyArray<string> =>
  tools.filter(({ category }) => of.includes(category)).map((tool) => `- \`${tool.name}\` (${priceText(tool)}): ${tool.description}`)

const skills: ReadonlyArray<Skill> = [
  {
    name: "call-tools",
    description:
      "Get a key for the svc tool server, find a tool, call it and pay for it. Use when a task needs a service that you do not have.",
    body: ({ site: { tools_url }, tools }) => [
      "# Call tools",
      "",
      `1. Without a key, POST {} to ${tools_url}/v1/agents/signup and keep \`token\`. It lasts 24 hours.`,
      `2. Find a tool: GET ${tools_url}/v1/mcp/tools?q=<keyword>, or call \`search_and_discover_tools\`.`,
      `3. Call it: POST ${tools_url}/mcp, method \`tools/call\`, with \`Authorization: Bearer <token>\` and a fresh \`Idempotency-Key\`.`,
      "4. Answered 402, pay what a challenge asks and send the identical request again with the credential, the key in `X-Svc-Key`.",
      "   In the sandbox no wallet is needed: take the `WWW-Authenticate: Payment …` challenge whose method is `stripe` and send `Authorization: Payment base64url({\"challenge\": {all its parameters}, \"payload\": {\"spt\": \"spt_test_1\"}})`. Any `spt_test_…` pays; `spt_test_decline…` is declined. A wallet of x402 pays what `PAYMENT-REQUIRED` asks for.",
      `   ${tools_url}/for-agents has the commands; \`ping_payment\` tries it for one cent.`,
      "5. Heard nothing? Send the identical request with the same `Idempotency-Key`: a call is never charged twice for one key.",
      "",
      "Tools to look around with:",
      "",
      ...listOf(tools, ["discovery", "account"])
    ]
  },
  {
    name: "buy-for-someone",
    description:
      "Make a purchase in somebody's name within their policy: what to check first, how to pay, and what to do above the approval threshold.",
    body: ({ tools }) => [
      "# Buy for someone",
      "",
      "1. Call `discover_agentic_purchasing_needs` with the task: it is free and says what the purchase needs.",
      "2. With an agent key that its owner issued, `get_quote` and `execute_payment` are listed besides. The key's policy says what they may do.",
      "3. A payment above the policy's `require_approval_above` waits for the owner. Ask for its state; do not pay again.",
      "",
      "Tools for the way there:",
      "",
      ...listOf(tools, ["purchasing", "compliance", "payments"])
    ]
  },
  {
    name: "analyze-code",
    description:
      "Turn a repository into context maps, agent instructions, audits and deploy files. Use before working on an unfamiliar code base.",
    body: ({ tools }) => [
      "# Analyze code",
      "",
      "1. `list_programs` shows what can be made, and what of it is free.",
      "2. `analyze_repo` or `analyze_files` makes it and answers with a `snapshot_id`. `X-Agent-Mode: lite` makes the free part for nothing.",
      "3. `get_artifact` reads one artifact; follow `next_offset` until it is null.",
      "4. `delete_snapshot` when done.",
      "",
      ...listOf(tools, ["analysis", "snapshots"])
    ]
  }
]

/** The names, for the routes of their files. */
export const skillNames: ReadonlyArray<string> = skills.map(({ name }) => name)

const fileOf = ({ body, description, name }: Skill, facts: DocumentFacts): string =>
  ["---", `name: ${name}`, `description: ${JSON.stringify(description)}`, "---", "", ...body(facts), ""].join("\n")

export const skillFile = (name: string): Make => (facts) => {
  const skill = skills.find((one) => one.name === name)
  return markdown(skill === undefined ? "" : fileOf(skill, facts))
}

/** Version 0.1.0 of skills discovery: files beside the index, in a folder of the skill's name. */
export const skillsIndex: Make = () => json({ skills: skills.map(({ description, name }) => ({ name, description, files: ["SKILL.md"] })) })

const AGENT_SKILLS_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

/** Version 0.2.0: each file with its digest. */
export const agentSkillsIndex: Make = (facts) =>
  json({
    $schema: AGENT_SKILLS_SCHEMA,
    skills: skills.map((skill) => ({
      name: skill.name,
      type: "skill-md",
      description: skill.description,
      url: `${facts.site.tools_url}/.well-known/agent-skills/${skill.name}/SKILL.md`,
      digest: `sha256:${createHash("sha256").update(fileOf(skill, facts)).digest("hex")}`
    }))
  })
