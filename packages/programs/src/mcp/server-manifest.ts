/** server-manifest.yaml: one page of what a server of this repository is: name, version, transports, tools, credentials. */
import { cited, type Value } from "../claims/json.ts"
import { type Artifact, evidenceOf } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { yaml } from "../claims/yaml.ts"
import type { Project } from "../facts/project.ts"
import { variablesOf } from "../map/uses.ts"
import { searchedText } from "./none.ts"
import { NO_OPERATIONS, operationsOf } from "./operations.ts"
import { protocolPackages, rootManifest, runnableServers } from "./servers.ts"

/** Variables whose names say that their values are secret. */
const SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/u

const credentials = (project: Project): ReadonlyArray<Value> =>
  Array.from(Map.groupBy(variablesOf(project).filter(({ subject }) => SECRET.test(subject)), ({ subject }) => subject))
    .flatMap(([name, facts]) => {
      const evidence = evidenceOf(facts)
      return evidence === undefined ? [] : [cited({ name, at: placesOf(evidence) }, ...evidence)]
    })

export const serverManifest = (project: Project): Artifact => {
  const manifest = rootManifest(project)
  const operations = operationsOf(project)
  if (manifest === undefined || operations.length === 0) {
    return yaml({ tools: [], searched: searchedText(project, manifest === undefined ? "No manifest of a package." : NO_OPERATIONS) })
  }
  const servers = runnableServers(project)
  const dependencies = evidenceOf(protocolPackages(project))
  return yaml({
    name: cited(manifest.subject, manifest),
    version: manifest.value.version === null ? undefined : cited(manifest.value.version, manifest),
    speaks_protocol: dependencies === undefined
      ? searchedText(project, "No dependency speaks the Model Context Protocol.")
      : cited(placesOf(dependencies), ...dependencies),
    started_by: servers.map(({ dependency, manifest, name }) => cited(`npx -y ${name}`, manifest, dependency)),
    tools: operations.map(({ evidence, kind, name, tool }) =>
      cited({ name: tool, from: `${kind} ${name}`, at: placesOf(evidence) }, ...evidence)
    ),
    credentials: credentials(project)
  })
}
