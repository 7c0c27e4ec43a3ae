/** mcp/README.md: what a server of the Model Context Protocol for this repository would stand on, and what is missing. */
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, claim, evidenceOf, heading } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { variablesOf } from "../map/uses.ts"
import { nothingInMarkdown } from "./none.ts"
import { NO_OPERATIONS, type Operation, operationsOf } from "./operations.ts"
import { protocolPackages, runnableServers } from "./servers.ts"

const MOST_NAMED = 6

const existing = (project: Project): ReadonlyArray<Block> => {
  const packages = protocolPackages(project)
  const servers = runnableServers(project)
  if (packages.length === 0) {
    return [absence("No dependency speaks the Model Context Protocol.", project.searched({ roles: ["configuration"] }))]
  }
  return [
    ...packages.map((dependency) =>
      claim(`\`${dependency.subject}\` ${dependency.value.range} is a ${dependency.value.scope} dependency.`, dependency)
    ),
    ...servers.map(({ dependency, manifest, name }) => claim(`\`npx ${name}\` starts a command of that package.`, manifest, dependency))
  ]
}

const kinds = { route: "HTTP routes", command: "commands", function: "exported functions" } as const

/** One claim a file: its operations together. */
const sources = (operations: ReadonlyArray<Operation>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(operations, ({ kind, path }) => `${kind} ${path}`).values()).flatMap((group) => {
    const [first] = group
    const evidence = evidenceOf(group.flatMap(({ evidence: [one] }) => [one]))
    if (first === undefined || evidence === undefined) return []
    const names = group.slice(0, MOST_NAMED).map(({ name }) => `\`${name}\``).join(", ")
    const more = group.length > MOST_NAMED ? ` and ${group.length - MOST_NAMED} more` : ""
    return [claim(`\`${first.path}\`: ${kinds[first.kind]} ${names}${more}`, ...evidence)]
  })

const configuration = (project: Project): ReadonlyArray<Block> => {
  const required = variablesOf(project).filter(({ value }) => value.required)
  const groups = Array.from(Map.groupBy(required, ({ subject }) => subject))
  return groups.flatMap(([name, facts]) => {
    const evidence = evidenceOf(facts)
    return evidence === undefined ? [] : [claim(`\`${name}\` has no fallback.`, ...evidence)]
  })
}

export const serverReadme = (project: Project): Artifact => {
  const operations = operationsOf(project)
  if (operations.length === 0 && protocolPackages(project).length === 0) return nothingInMarkdown(project, "Server", NO_OPERATIONS)
  const variables = configuration(project)
  return markdown([
    heading(1, `A server for ${project.description.project_name}`),
    heading(2, "There"),
    ...existing(project),
    heading(2, "Callable"),
    ...sources(operations),
    ...(variables.length === 0 ? [] : [heading(2, "Environment"), ...variables])
  ])
}
