/** parameter-pack.json: what the sketch can be asked with, and the numbers that its geometry follows from. */
import { citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedText } from "../mcp/none.ts"
import { functionName } from "./generative-sketch.ts"
import { drawingOf, heaviest, nameOf, NO_FILES, type Part, partsOf, sizeOf, totalOf, type Weight, WEIGHTS } from "./graph.ts"

const weightOf = (all: Part) => (weight: Weight): ReadonlyArray<Value> => {
  const most = heaviest(all, weight)
  return most === undefined ? [] : citedOf({
    weight,
    total: totalOf(all, weight),
    most: most.weights[weight],
    "most in": most.path,
    has: nameOf(most)
  }, most.facts)
}

const folderOf = ({ edges, folder, nodes }: Part): ReadonlyArray<Value> =>
  folder === undefined
    ? []
    : citedOf(
      { folder, files: nodes.length, imports: edges.length, such: nodes.slice(0, 2).map(nameOf) },
      nodes.flatMap(({ facts }) => facts.slice(0, 1))
    )

export const parameterPack = (project: Project): Artifact => {
  const drawing = drawingOf(project)
  const parts = partsOf(drawing)
  const [all] = parts
  if (all === undefined) return jsonLines({ weights: [], searched: searchedText(project, NO_FILES) })
  const levels = Map.groupBy(drawing.nodes, ({ level }) => level)
  return jsonLines({
    function: functionName(project),
    seed: drawing.seed,
    size: sizeOf(drawing),
    weights: WEIGHTS.flatMap(weightOf(all)),
    folders: parts.flatMap(folderOf),
    rings: Array.from(levels).toSorted(([one], [other]) => one - other).flatMap(([ring, nodes]) =>
      citedOf({ ring, files: nodes.length, such: nodes.slice(0, 3).map(nameOf) }, nodes.flatMap(({ facts }) => facts.slice(0, 1)))
    )
  })
}
