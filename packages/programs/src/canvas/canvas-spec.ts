/** canvas-spec.json: the import graph as JSON Canvas 1.0 (https://jsoncanvas.org/spec/1.0/), to be opened in Obsidian and the like. */
import { cited, citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { type Box, type Diagram, diagramOf } from "../map/diagram.ts"
import { count, listed } from "../map/words.ts"

const WIDTH = 320
const HEIGHT = 160
const GAP = 80
/** Colours that the format knows by number. */
const COLOURS = 6

/** Boxes of one package or folder at the root have one colour, as long as there are colours. */
const coloursOf = ({ boxes }: Diagram): ReadonlyMap<string, string> => {
  const groups = [...Map.groupBy(boxes, ({ path }) => groupOf(path))]
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other))
  return new Map(groups.slice(0, COLOURS).map(([group], at) => [group, String(at + 1)]))
}

const groupOf = (path: string): string => path.split("/").slice(0, path.startsWith("packages/") ? 2 : 1).join("/")

const textOf = ({ files, lines, names, path, purpose }: Box, of: Diagram["of"]): string =>
  [
    `**${clip(path, 80)}**`,
    of === "files" ? count(lines, "line") : `${count(files, "file")}, ${count(lines, "line")}`,
    ...names.length === 0 ? [] : [listed(names, 4)],
    ...purpose === undefined ? [] : [clip(purpose, 100)]
  ].join("\n")

const sides = (from: Box, to: Box): readonly [string, string] => {
  if (from.row < to.row) return ["bottom", "top"]
  if (from.row > to.row) return ["top", "bottom"]
  return from.column < to.column ? ["right", "left"] : ["left", "right"]
}

const nodeOf = (box: Box, { of }: Diagram, colours: ReadonlyMap<string, string>): ReadonlyArray<Value> =>
  citedOf({
    id: box.path,
    type: "text",
    x: box.column * (WIDTH + GAP),
    y: box.row * (HEIGHT + GAP),
    width: WIDTH,
    height: HEIGHT,
    color: colours.get(groupOf(box.path)),
    text: textOf(box, of)
  }, box.evidence)

export const canvasSpec = (project: Project): Artifact => {
  const diagram = diagramOf(project)
  const colours = coloursOf(diagram)
  const boxes = new Map(diagram.boxes.map((box) => [box.path, box]))
  const nodes = diagram.boxes.flatMap((box) => nodeOf(box, diagram, colours))
  if (nodes.length === 0) {
    const text = `No code to draw. Searched: ${project.searched()} files.`
    return jsonLines({ nodes: [{ id: "searched", type: "text", x: 0, y: 0, width: WIDTH, height: HEIGHT, text }], edges: [] })
  }
  const edges = diagram.edges.flatMap(({ from, imports, to }): ReadonlyArray<Value> => {
    const [start, end] = [boxes.get(from), boxes.get(to)]
    if (start === undefined || end === undefined) return []
    const [fromSide, toSide] = sides(start, end)
    const label = listed([...new Set(imports.flatMap(({ value }) => value.names))], 2).replaceAll("`", "")
    return [
      cited({ id: `${from} → ${to}`, fromNode: from, fromSide, toNode: to, toSide, label: label === "" ? undefined : label }, ...imports)
    ]
  })
  return jsonLines({ nodes, edges })
}
