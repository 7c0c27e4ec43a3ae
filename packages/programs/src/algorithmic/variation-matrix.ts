/** variation-matrix.json: each drawing by each weight: which circle is the largest, and how much of the whole it is. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedText } from "../mcp/none.ts"
import { drawingOf, heaviest, nameOf, NO_FILES, type Part, partsOf, totalOf, type Weight, WEIGHTS } from "./graph.ts"

const variation = (part: Part, weight: Weight): ReadonlyArray<Value> => {
  const [largest, total] = [heaviest(part, weight), totalOf(part, weight)]
  const [first, ...rest] = largest?.facts ?? []
  if (largest === undefined || first === undefined || total === 0) return []
  return [cited(
    {
      drawing: part.folder ?? "all",
      weight,
      total,
      largest: largest.path,
      has: nameOf(largest),
      percent: Math.round(100 * largest.weights[weight] / total)
    },
    first,
    ...rest
  )]
}

export const variationMatrix = (project: Project): Artifact => {
  const parts = partsOf(drawingOf(project))
  const variations = parts.flatMap((part) => WEIGHTS.flatMap((weight) => variation(part, weight)))
  return variations.length === 0 ? jsonLines({ variations: [], searched: searchedText(project, NO_FILES) }) : jsonLines({ variations })
}
