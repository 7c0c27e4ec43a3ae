/** mcp/core-implementation-artifacts.md: for each tool the code that it would call: handler, failures, statements, environment. */
import { markdown } from "../claims/markdown.ts"
import { type Artifact, type Block, claim, heading, quotation } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "./none.ts"
import { NO_OPERATIONS, type Operation, operationsOf } from "./operations.ts"

const MOST_DETAILED = 25

const reached = (project: Project, operation: Operation): ReadonlyArray<Block> => {
  const { handler, path } = operation
  if (handler === null) return []
  const calls = project.factsOf(path, "call").filter(({ value }) => value.caller === handler)
  return calls.flatMap((call) => {
    const callee = project.links.callee(call)
    return callee === undefined ? [] : [claim(`calls \`${callee.subject}\``, call, callee)]
  }).slice(0, 8)
}

const effects = (project: Project, { handler, path }: Operation): ReadonlyArray<Block> => [
  ...project.factsOf(path, "error").filter(({ value: { style, within } }) => style === "throw" && within !== null && within === handler)
    .map((error) => claim(`fails with \`${error.subject}\``, error)),
  ...project.factsOf(path, "model-call").filter(({ value: { within } }) => within !== null && within === handler)
    .map((call) => claim(`asks \`${call.subject}\`${call.value.model === null ? "" : ` for \`${call.value.model}\``}`, call))
]

const detail = (project: Project, operation: Operation): ReadonlyArray<Block> => {
  const [first, symbol] = operation.evidence
  return [
    heading(2, `\`${operation.tool}\``),
    claim(
      `\`${operation.name}\`${operation.handler === null || operation.handler === operation.name ? "" : ` is \`${operation.handler}\``}`,
      first
    ),
    ...(operation.description === null ? [] : [claim(operation.description, symbol ?? first)]),
    ...(symbol?.kind === "symbol" ? [quotation("", symbol.value.signature, symbol)] : []),
    ...reached(project, operation),
    ...effects(project, operation)
  ]
}

export const implementationArtifacts = (project: Project): Artifact => {
  const operations = operationsOf(project)
  return operations.length === 0
    ? nothingInMarkdown(project, "Implementation", NO_OPERATIONS)
    : markdown([
      heading(1, `Code behind each tool of ${project.description.project_name}`),
      ...operations.slice(0, MOST_DETAILED).flatMap((operation) => detail(project, operation))
    ])
}
