/** mcp-config.json: how a client starts the server of the Model Context Protocol that the repository publishes, where it has one. */
import { cited, json } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { variablesOf } from "../map/uses.ts"
import { searchedText } from "./none.ts"
import { type RunnableServer, runnableServers } from "./servers.ts"

/** Variables that the package's code reads and has no value for. */
const requiredEnvironment = (project: Project, { manifest }: RunnableServer) => {
  const [{ path: file }] = manifest.evidence
  const folder = file.slice(0, file.lastIndexOf("/") + 1)
  return variablesOf(project).filter(({ evidence: [{ path }], value }) => value.required && path.startsWith(folder))
}

const entryOf = (project: Project, server: RunnableServer) => {
  const variables = requiredEnvironment(project, server)
  return [
    server.name,
    cited(
      {
        command: "npx",
        args: ["-y", server.name],
        env: variables.length === 0
          ? undefined
          : Object.fromEntries(variables.map((variable) => [variable.subject, cited("", variable)]))
      },
      server.manifest,
      server.dependency
    )
  ] as const
}

export const mcpConfig = (project: Project): Artifact => {
  const servers = runnableServers(project)
  return servers.length === 0
    ? json({
      mcpServers: {},
      searched: searchedText(project, "No published package with a command that depends on the Model Context Protocol.")
    })
    : json({ mcpServers: Object.fromEntries(servers.map((server) => entryOf(project, server))) })
}
