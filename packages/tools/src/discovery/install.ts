/** How clients are told of this server: one entry a platform, with what to paste where. */
import type { Site } from "@svc/tool-kit/services/site"
import { Schema } from "effect"

export const Installation = Schema.Struct({
  platform: Schema.String,
  name: Schema.String,
  /** Where the text goes: a file, or a terminal. */
  where: Schema.String,
  text: Schema.String
}).annotate({ identifier: "Installation" })
export type Installation = typeof Installation.Type

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** What stands in place of the key until one was made. */
const KEY = "svck_…"

const bearer = { Authorization: `Bearer ${KEY}` }

/** Without the header, every tool that needs no key works too. */
export const installations = ({ tools_url }: Site["Service"]): ReadonlyArray<Installation> => {
  const url = `${tools_url}/mcp`
  return [
    {
      platform: "claude-code",
      name: "Claude Code",
      where: "terminal",
      text: `claude mcp add --transport http svc ${url} --header "Authorization: Bearer ${KEY}"`
    },
    {
      platform: "claude-desktop",
      name: "Claude Desktop",
      where: "claude_desktop_config.json",
      text: pretty({ mcpServers: { svc: { command: "npx", args: ["-y", "mcp-remote", url, "--header", `Authorization: Bearer ${KEY}`] } } })
    },
    { platform: "cursor", name: "Cursor", where: ".cursor/mcp.json", text: pretty({ mcpServers: { svc: { url, headers: bearer } } }) },
    {
      platform: "vscode",
      name: "Visual Studio Code",
      where: ".vscode/mcp.json",
      text: pretty({ servers: { svc: { type: "http", url, headers: bearer } } })
    },
    {
      platform: "codex",
      name: "Codex",
      where: "~/.codex/config.toml",
      text: `[mcp_servers.svc]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${KEY}" }`
    },
    {
      platform: "curl",
      name: "curl",
      where: "terminal",
      text: `curl -s ${url} -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`
    }
  ]
}

/** How to get a key, in the order in which an agent would try. */
export const waysToAKey = (tools_url: string) => [
  {
    how: "sandbox",
    method: "POST",
    url: `${tools_url}/v1/agents/signup`,
    body: { agent_name: "my-agent" },
    gives: "an agent key, agk_test_…, for 24 hours, at once and without a person"
  },
  {
    how: "account",
    method: "POST",
    url: `${tools_url}/v1/accounts`,
    body: { email: "you@example.com", name: "You", tier: "free" },
    gives: "a key of an account, svck_…"
  }
]
