/** export-manifest.yaml: the files that the collection is kept as, and the arguments of the sketch that give each. */
import { cited, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import type { Project } from "../facts/project.ts"
import { searchedText } from "../mcp/none.ts"
import { functionName } from "./generative-sketch.ts"
import { drawingOf, NO_FILES, type Part, partsOf, sizeOf, WEIGHTS } from "./graph.ts"

/** A name of a file: nothing that a repository calls its folder leads elsewhere, and no two have one name. */
const fileName = (at: number, folder: string | undefined, weight: string): string =>
  `${at}-${(folder ?? "all").toLowerCase().split("/").at(-1)?.replaceAll(/[^a-z0-9]+/gu, "-").slice(0, 16)}-${weight}.svg`

const entryOf = ({ edges, folder, nodes }: Part, at: number): Value => {
  const [edge] = edges
  const [fact] = nodes.flatMap(({ facts }) => facts.slice(0, 1))
  return {
    of: folder ?? "all",
    such: edge === undefined ? fact && cited(fact.subject, fact) : cited(edge.imports[0].subject, ...edge.imports),
    circles: nodes.length,
    arcs: edges.length,
    files: WEIGHTS.map((weight) => fileName(at, folder, weight))
  }
}

export const exportManifest = (project: Project): Artifact => {
  const drawing = drawingOf(project)
  const parts = partsOf(drawing)
  return parts.length === 0
    ? yaml({ exports: [], searched: searchedText(project, NO_FILES) })
    : yaml({ sketch: functionName(project), size: sizeOf(drawing), exports: parts.map(entryOf) })
}
