/** collection-map.md: the drawings that the sketch can make, one of all files and one of each folder, and what is seen in each. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { count } from "../map/words.ts"
import { drawingOf, heaviest, nameOf, NO_FILES, type Part, partsOf } from "./graph.ts"

const drawn = (part: Part): ReadonlyArray<Block> => {
  const [longest, used] = [heaviest(part, "lines"), heaviest(part, "importers")]
  const parts = [
    `${count(part.nodes.length, "circle")}, ${count(part.edges.length, "arc")}`,
    ...(longest === undefined ? [] : [`${code(nameOf(longest))} in ${code(longest.path)} of ${count(longest.weights.lines, "line")}`]),
    ...(used === undefined || used.weights.importers === 0 ? [] : [`${code(used.path)} for ${count(used.weights.importers, "importer")}`])
  ]
  const facts = [
    ...longest?.facts.slice(0, 1) ?? [],
    ...used?.facts ?? [],
    ...longest?.facts.slice(-1) ?? [],
    ...part.edges.map(({ imports }) => imports[0])
  ]
  return claimOf(`${part.folder === undefined ? "all" : code(part.folder)}: ${parts.join("; ")}`, facts)
}

export const collectionMap = (project: Project): Artifact =>
  page(`${project.description.project_name}: drawings`, [{
    title: "Collection",
    blocks: partsOf(drawingOf(project)).flatMap(drawn),
    none: absence(NO_FILES, project.searched())
  }])
