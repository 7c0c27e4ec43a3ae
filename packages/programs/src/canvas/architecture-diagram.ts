/** architecture-diagram.d2: the import graph in D2 (https://d2lang.com), a line a box and a line an import. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { d2Text } from "../claims/d2.ts"
import { absence, type Artifact, evidenceOf } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { type Box, diagramOf } from "../map/diagram.ts"
import { count } from "../map/words.ts"

const MOST_NAMES = 3

const labelOf = ({ files, names, path }: Box): string => {
  const shown = names.slice(0, MOST_NAMES).join(", ")
  const more = names.length > MOST_NAMES ? ` +${names.length - MOST_NAMES}` : ""
  return `${path}${files > 1 ? `, ${count(files, "file")}` : ""}${shown === "" ? "" : `: ${shown}${more}`}`
}

const boxLine = (box: Box): ReadonlyArray<CodeLine> => {
  const evidence = evidenceOf(box.evidence)
  return evidence === undefined ? [] : [citedLine("#", `${d2Text(box.path)}: ${d2Text(labelOf(box))}`, evidence)]
}

export const architectureDiagram = (project: Project): Artifact => {
  const { boxes, edges, left, of } = diagramOf(project)
  if (boxes.length === 0) {
    return codeFile([...comments("#", [absence("No code to draw.", project.searched())]), { text: `${d2Text("nothing to draw")}` }])
  }
  return codeFile([
    { text: "direction: down" },
    ...boxes.flatMap(boxLine),
    ...edges.map(({ from, imports, to }) => citedLine("#", `${d2Text(from)} -> ${d2Text(to)}: ${d2Text(String(imports.length))}`, imports)),
    ...left > 0 ? [{ text: `# ${count(left, of === "files" ? "file" : "folder")} not drawn` }] : []
  ])
}
