/** poster-layouts.md: the import graph on one sheet: which block stands in which row, how wide, and which arrows are worth their ink. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { type Box, diagramOf } from "../map/diagram.ts"
import { code, count, listed } from "../map/words.ts"
import { statementsOf } from "../wording/statements.ts"

const MOST_ARROWS = 12
/** A block that is narrower cannot be read. */
const NARROWEST = 5

/** Widths of a row in percent, by lines of code. */
const widths = (row: ReadonlyArray<Box>): ReadonlyArray<number> => {
  const all = Math.max(1, row.reduce((sum, { lines }) => sum + lines, 0))
  return row.map(({ lines }) => Math.max(NARROWEST, Math.round(100 * lines / all)))
}

const rows = (project: Project): ReadonlyArray<Block> =>
  table(
    ["row", "block", "width", "shows"],
    Array.from(Map.groupBy(diagramOf(project).boxes, ({ row }) => row)).flatMap(([row, boxes]) => {
      const shares = widths(boxes)
      return boxes.flatMap((box, at) =>
        rowOf([String(row + 1), code(box.path), `${shares[at] ?? NARROWEST} %`, listed(box.names, 3)], box.evidence)
      )
    })
  )

/** The imports that most names go through. */
const arrows = (project: Project): ReadonlyArray<Block> =>
  diagramOf(project).edges.toSorted((one, other) =>
    other.imports.length - one.imports.length || byText(`${one.from} ${one.to}`, `${other.from} ${other.to}`)
  ).slice(0, MOST_ARROWS).flatMap(({ from, imports, to }) => {
    const names = [...new Set(imports.flatMap(({ value }) => value.names))]
    const carried = names.length === 0 ? count(imports.length, "import") : listed(names, 3)
    return claimOf(`${code(from)} → ${code(to)}: ${carried}`, imports)
  })

const lines = (project: Project): ReadonlyArray<Block> =>
  statementsOf(project).slice(0, 2).flatMap(({ fact, text }) => claimOf(code(clip(text, 200)), [fact]))

export const posterLayouts = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source"] })
  return page(`Poster of ${project.description.project_name}`, [
    { title: "Line under the title", blocks: lines(project), none: absence("No sentence that describes it.", project.searched()) },
    { title: "Rows", blocks: rows(project), none: absence("No code for a block.", sources) },
    { title: "Arrows", blocks: arrows(project), none: absence("No import for an arrow.", sources) }
  ])
}
