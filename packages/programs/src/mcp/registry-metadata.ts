/**
 * mcp-registry-metadata.json: a `server.json` of the MCP registry (schema of 2025-12-11) for the package that runs a server. The registry
 * wants a name in reverse DNS, which only the publisher knows: the name is that of the account that hosts the repository, where that is
 * written down.
 */
import { cited, json } from "../claims/json.ts"
import { type Artifact, evidenceOf } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { searchedText } from "./none.ts"
import { NO_OPERATIONS, operationsOf } from "./operations.ts"
import { rootManifest, runnableServers } from "./servers.ts"

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
const MOST_DESCRIPTION = 100

const registryName = (name: string): string => {
  const [, scope = "", bare = ""] = /^(?:@([^/]+)\/)?(.+)$/u.exec(name) ?? []
  const part = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9._-]/gu, "-")
  return `io.github.${part(scope === "" ? bare : scope)}/${part(bare)}`
}

export const registryMetadata = (project: Project): Artifact => {
  const [server] = runnableServers(project)
  const manifest = server?.manifest ?? rootManifest(project)
  const { description = null, version = null } = manifest?.value ?? {}
  if (manifest === undefined || version === null) return json({ searched: searchedText(project, "No manifest with a version.") })
  const evidence = evidenceOf(operationsOf(project).slice(0, 1).flatMap(({ evidence: [first] }) => [first]))
  return json({
    $schema: SCHEMA,
    name: cited(registryName(manifest.subject), manifest),
    description: cited(clip(description ?? `Tools of ${manifest.subject}`, MOST_DESCRIPTION), manifest),
    version: cited(version, manifest),
    ...(server === undefined ? {} : {
      packages: [{
        registryType: "npm",
        identifier: cited(server.name, server.manifest),
        version: cited(version, server.manifest),
        transport: { type: "stdio" }
      }]
    }),
    _meta: {
      "io.modelcontextprotocol.registry/publisher-provided": {
        published: server === undefined ? "No package of this repository runs a server: nothing can be published yet." : undefined,
        tools: operationsOf(project).length,
        from: placesOf([manifest]),
        searched: evidence === undefined ? searchedText(project, NO_OPERATIONS) : undefined
      }
    }
  })
}
