/** protocol-spec.md: the tools that the repository's routes, commands or functions would be, each with its place. */
import { code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { type Artifact, type Block, claim, evidenceOf, heading, question, rule, type Source } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "./none.ts"
import { type Effects, NO_OPERATIONS, type Operation, operationsOf } from "./operations.ts"

export const TOOLS_OF_MCP: Source = {
  name: "Model Context Protocol, tools",
  url: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools"
}
export const HTTP_METHODS: Source = { name: "RFC 9110, section 9.2", url: "https://www.rfc-editor.org/rfc/rfc9110#section-9.2" }

const effectsText = ({ effects }: Operation): string => {
  if (effects === undefined) return "?"
  return effects.readOnly ? "reads" : effects.destructive ? "deletes" : effects.idempotent ? "replaces" : "writes"
}

const table = (operations: ReadonlyArray<Operation>): Block => ({
  block: "table",
  columns: ["tool", "from", "needs", "effect"],
  rows: operations.map((operation) => ({
    cells: [
      `\`${operation.tool}\``,
      `\`${operation.name}\``,
      operation.parameters.map(({ name }) => `\`${name}\``).join(" "),
      effectsText(operation)
    ],
    evidence: operation.evidence
  }))
})

/** What the methods of these tools tell a client before it calls. */
const HINTS: ReadonlyArray<readonly [is: (effects: Effects) => boolean, says: string]> = [
  [({ readOnly }) => readOnly, "only reads: `readOnlyHint`"],
  [({ idempotent, readOnly }) => idempotent && !readOnly, "can be sent twice: `idempotentHint`"],
  [({ destructive }) => destructive, "deletes: `destructiveHint`"]
]

const hints = (operations: ReadonlyArray<Operation>): ReadonlyArray<Block> => {
  const said = HINTS.flatMap(([is, says]) => {
    const methods = operations.flatMap(({ effects, name }) => effects !== undefined && is(effects) ? [code(name.split(" ")[0] ?? "")] : [])
    return methods.length === 0 ? [] : [`${list([...new Set(methods)])} ${says}`]
  })
  return said.length === 0 ? [] : [rule(`${said.join(", ")}.`, HTTP_METHODS)]
}

/** What refuses a call: the errors that the handlers' own files throw. */
const refusals = (project: Project, operations: ReadonlyArray<Operation>): ReadonlyArray<Block> => {
  const handlers = new Set(operations.flatMap(({ handler }) => handler ?? []))
  return project.facts("error")
    .filter(({ value: { style, within } }) => style === "throw" && within !== null && handlers.has(within))
    .map((error) => {
      const { message, within } = error.value
      return claim(`\`${within}\` throws \`${error.subject}\`${message === null ? "" : `: ${message}`}`, error)
    })
}

export const protocolSpec = (project: Project): Artifact => {
  const operations = operationsOf(project)
  if (operations.length === 0) return nothingInMarkdown(project, "Tools", NO_OPERATIONS)
  const errors = refusals(project, operations)
  const undocumented = operations.filter(({ description }) => description === null)
  const evidence = evidenceOf(undocumented.flatMap(({ evidence: [first] }) => [first]))
  return markdown([
    heading(1, `Tools of ${project.description.project_name}`),
    table(operations),
    ...hints(operations),
    ...(errors.length === 0 ? [] : [
      heading(2, "Refusals"),
      ...errors,
      rule("Each is a result with `isError`.", TOOLS_OF_MCP)
    ]),
    ...(evidence === undefined ? [] : [
      heading(2, "Not described"),
      claim(`${undocumented.map(({ name }) => `\`${name}\``).slice(0, 10).join(", ")}: uncommented.`, ...evidence),
      question("What does each do?")
    ])
  ])
}
