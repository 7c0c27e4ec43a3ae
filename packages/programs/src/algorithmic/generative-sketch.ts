/**
 * generative-sketch.ts: draws the import graph as SVG: a ring for each level of imports, a circle for each file. It needs no package and no
 * chance: places and colours follow from the files themselves.
 */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import { quoted, typeName } from "../claims/typescript.ts"
import type { Project } from "../facts/project.ts"
import { type Drawing, drawingOf, NO_FILES, type Node, radiusOf, sizeOf } from "./graph.ts"

/** What it is imported by. */
export const functionName = (project: Project): string => `draw${typeName(project.description.project_name)}`

const boxOf = (found: Drawing): string => `-${radiusOf(found)} -${radiusOf(found)} ${sizeOf(found)} ${sizeOf(found)}`

const sizesOf = ({ exports, importers, lines }: Node["weights"]): string => `lines: ${lines}, importers: ${importers}, exports: ${exports}`

const data = (name: string, { edges, nodes }: Drawing): ReadonlyArray<CodeLine> => [
  { text: `const filesOf${name} = [` },
  ...nodes.map(({ file, hue, path, weights, x, y }) =>
    citedLine(
      "//",
      `  { path: ${quoted(path, 400)}, x: ${x}, y: ${y}, hue: ${hue}, ${sizesOf(weights)} },`,
      [file]
    )
  ),
  { text: "]" },
  { text: `const importsOf${name}: ReadonlyArray<readonly [from: number, to: number]> = [` },
  ...edges.map(({ from, imports, to }) => citedLine("//", `  [${from}, ${to}],`, imports)),
  { text: "]" }
]

const drawing = (project: Project, name: string, found: Drawing): ReadonlyArray<string> => [
  "/** All files, or those of one folder, with circles as large as their lines, importers or exports. */",
  `export function ${functionName(project)}(weight: "lines" | "importers" | "exports" = "lines", folder?: string): string {`,
  `  const isShown = (path = ""): boolean => folder === undefined || (path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".") === folder`,
  `  const most = Math.max(1, ...filesOf${name}.map((file) => file[weight]))`,
  `  const arcs = importsOf${name}.map(([from, to]) => [filesOf${name}[from], filesOf${name}[to]] as const)`,
  "    .filter((ends) => ends.every((file) => isShown(file?.path)))",
  "    .map(([from, to]) => `<path d=\"M${from?.x} ${from?.y}Q0 0 ${to?.x} ${to?.y}\"/>`)",
  `  const circles = filesOf${name}.filter(({ path }) => isShown(path)).map((file) => {`,
  "    const title = file.path.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)",
  "    const radius = Math.round(4 + 26 * Math.sqrt(file[weight] / most))",
  "    const place = `cx=\"${file.x}\" cy=\"${file.y}\" r=\"${radius}\"`",
  "    return `<circle ${place} fill=\"hsl(${file.hue} 60% 50% / .7)\"><title>${title}</title></circle>`",
  "  })",
  `  const lines = \`<g fill="none" stroke="gray">\${arcs.join("")}</g>\``,
  `  return \`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${boxOf(found)}">\${lines}\${circles.join("")}</svg>\``,
  "}"
]

export const generativeSketch = (project: Project): Artifact => {
  const found = drawingOf(project)
  if (found.nodes.length === 0) return codeFile([...comments("//", [absence(NO_FILES, project.searched())]), { text: "export {}" }])
  const name = typeName(project.description.project_name)
  return codeFile([...data(name, found), { text: "" }, ...drawing(project, name, found).map((text) => ({ text }))])
}
