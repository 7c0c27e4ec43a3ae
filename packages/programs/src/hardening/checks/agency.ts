/** Rights that an agent has and nobody grants: money, guards that are off, servers of tools without a version. */
import { findNodeAtLocation, parseTree } from "jsonc-parser"
import { lineAt } from "../../facts/positions.ts"
import { type AgentFile, riskAt } from "../agent-file.ts"
import type { Risk } from "../rules.ts"

const PAYS = new RegExp(
  "\\b(?:paymentIntents|charges|refunds|transfers|payouts|PaymentIntent|Charge|Refund|Transfer|Payout)\\.(?:create|confirm|capture)$|" +
    "(?:^|\\.)(?:execute_payment|executePayment|sendTransaction|send_transaction|sendPayment|send_payment|writeContract|" +
    "transferFunds|transfer_funds)$",
  "u"
)
const APPROVED = /approv|confirm(?!ed_at)\w{0,40}\(|\bconsent|authori[sz]e|\bbudget|spend(?:ing)?_?limit|human/iu

const moneyRisks = (file: AgentFile): ReadonlyArray<Risk> =>
  file.source.calls.filter((call) => PAYS.test(call.callee) && !APPROVED.test(file.around(call.start).replaceAll(call.callee, "")))
    .map(({ start }): Risk => ({ rule: "money-without-approval", ...riskAt(file, start) }))

const ON = /^(?:allow_dangerous_\w+|allowDangerous\w+|dangerously\w+|trust_remote_code|auto_?approve|autoApprove|bypassPermissions)$/u
const OFF = /^(?:rejectUnauthorized|verify|verify_ssl|requireApproval|require_approval)$/u

const switchRisks = (file: AgentFile): ReadonlyArray<Risk> =>
  [...file.members, ...file.assignments].filter(({ name, value }) => {
    const written = file.textOf(value)
    return ON.test(name) && /^[Tt]rue$/u.test(written) || OFF.test(name) && /^[Ff]alse$/u.test(written)
  }).map(({ name, start, value }): Risk => {
    // The check of certificates is the one guard that nothing else depends on.
    const isTls = /^(?:rejectUnauthorized|verify|verify_ssl)$/u.test(name)
    const edits = [{ ...value, text: file.isPython ? "True" : "true" }]
    return { rule: "unsafe-switch", ...riskAt(file, start), ...(isTls ? { edits } : {}) }
  })

export const agencyRisks = (file: AgentFile): ReadonlyArray<Risk> => [...moneyRisks(file), ...switchRisks(file)]

const SERVERS = new RegExp(
  "(?:^|/)(?:\\.?mcp|claude_desktop_config|mcp[_-]config)\\.json$|(?:^|/)\\.(?:cursor|vscode|gemini|claude)/(?:mcp|settings)\\.json$",
  "u"
)
/** A package with a version other than `latest`. */
const PINNED = /^(?:@[^/@]+\/)?[^/@=]+(?:@(?!latest$)[^]|==[^])/u

/** Of the files in which clients of tools name their servers. */
export const serverRisks = (path: string, text: string): ReadonlyArray<Risk> => {
  if (!SERVERS.test(path)) return []
  const tree = parseTree(text)
  const line = lineAt(text)
  const servers = ["mcpServers", "servers"].flatMap((name) => tree === undefined ? [] : findNodeAtLocation(tree, [name])?.children ?? [])
  return servers.flatMap(({ children }): ReadonlyArray<Risk> => {
    const server = children?.[1]
    const command = server === undefined ? undefined : findNodeAtLocation(server, ["command"])
    const given = server === undefined ? [] : findNodeAtLocation(server, ["args"])?.children ?? []
    if (!/^(?:npx|bunx|uvx|pipx)$/u.test(String(command?.value ?? ""))) return []
    const named = given.find(({ value }) => typeof value === "string" && !value.startsWith("-") && value !== "run")
    const isOpen = named !== undefined && !PINNED.test(String(named.value)) && !/^[./~]|:\/\//u.test(String(named.value))
    return isOpen ? [{ rule: "unpinned-server", path, line: line(named.offset) }] : []
  })
}
