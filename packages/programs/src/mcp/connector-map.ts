/** connector-map.yaml: systems outside of the repository, the packages that speak to them, the files that use them, their variables. */
import { cited, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { yaml } from "../claims/yaml.ts"
import type { Project } from "../facts/project.ts"
import { type Connector, connectorsOf } from "./connectors.ts"
import { searchedText } from "./none.ts"

const MOST_FILES = 10

const filesOf = (imports: Connector["imports"]): ReadonlyArray<string> => [...new Set(imports.map(({ evidence: [{ path }] }) => path))]

const entryOf = ({ dependencies, evidence, imports, system, variables }: Connector): Value =>
  cited({
    system,
    packages: dependencies.map((dependency) => cited({ name: dependency.subject, range: dependency.value.range }, dependency)),
    used_in: filesOf(imports).slice(0, MOST_FILES),
    files: filesOf(imports).length,
    variables: [...new Set(variables.map(({ subject }) => subject))],
    at: placesOf(evidence)
  }, ...evidence)

export const connectorMap = (project: Project): Artifact => {
  const connectors = connectorsOf(project)
  return connectors.length === 0
    ? yaml({ connectors: [], searched: searchedText(project, "No dependency on a database, queue, model or service that is known here.") })
    : yaml({ connectors: connectors.map(entryOf) })
}
