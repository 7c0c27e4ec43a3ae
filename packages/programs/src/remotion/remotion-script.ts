/** remotion-script.ts: the film as Remotion's program. Scenes are data; what draws them is the same in every film, and small. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, rule, type Source } from "../claims/model.ts"
import { quoted, typeName } from "../claims/typescript.ts"
import type { Project } from "../facts/project.ts"
import { FRAMES_PER_SECOND, framesOf, NO_SCENES, type Scene, scenesOf } from "./scenes.ts"

const LICENSE: Source = { name: "Remotion License", url: "https://www.remotion.dev/license" }

const sceneLines = ({ frames, from, lines, links, title }: Scene): ReadonlyArray<CodeLine> => [
  { text: `  { from: ${from}, frames: ${frames}, title: ${quoted(title)}, lines: [` },
  ...lines.map(({ evidence, text }, at) => citedLine("//", `    ${quoted(text)}${at === lines.length - 1 ? "" : ","}`, evidence)),
  { text: `  ], links: [${links.length === 0 ? "] }," : ""}` },
  ...links.map(({ evidence, from: source, to }, at) =>
    citedLine("//", `    [${source}, ${to}]${at === links.length - 1 ? "" : ","}`, evidence)
  ),
  ...(links.length === 0 ? [] : [{ text: "  ] }," }])
]

/** Lines come one by one; links are arcs at their left, from the line that imports. */
const drawing = (name: string): ReadonlyArray<string> => [
  `const Drawn${name} = ({ lines, links, title }: ${name}Scene) => {`,
  "  const shown = Math.floor(useCurrentFrame() / 15)",
  "  const texts = lines.slice(0, shown).map((line, at) => h(\"text\", { key: at, x: 100, y: at * 90 + 50, fontSize: 44 }, line))",
  "  const arcs = links.filter((ends) => Math.max(...ends) < shown).map(([from, to]) => {",
  "    const d = `M80 ${from * 90 + 40} Q0 ${(from + to) * 45 + 40} 80 ${to * 90 + 40}`",
  "    return h(\"path\", { key: d, d, fill: \"none\", stroke: \"currentColor\" })",
  "  })",
  "  return h(",
  "    AbsoluteFill,",
  "    { style: { backgroundColor: \"white\", padding: 80, fontFamily: \"sans-serif\" } },",
  "    h(\"h1\", { style: { fontSize: 80 } }, title),",
  "    h(\"svg\", { viewBox: \"0 0 1760 760\" }, texts, arcs)",
  "  )",
  "}",
  "",
  `const ${name} = () =>`,
  `  h(AbsoluteFill, {}, scenesOf${name}.map((scene) =>`,
  `    h(Sequence, { key: scene.from, from: scene.from, durationInFrames: scene.frames, children: h(Drawn${name}, scene) })`,
  "  ))"
]

export const remotionScript = (project: Project): Artifact => {
  const scenes = scenesOf(project)
  if (scenes.length === 0) return codeFile([...comments("//", [absence(NO_SCENES, project.searched())]), { text: "export {}" }])
  const name = `Film${typeName(project.description.project_name)}`
  const composition = `id: ${quoted(idOf(project))}, component: ${name}, width: 1920, height: 1080`
  return codeFile([
    ...comments("//", [rule("Larger companies buy a licence.", LICENSE)]),
    { text: "import { createElement as h } from \"react\"" },
    { text: "import { AbsoluteFill, Composition, registerRoot, Sequence, useCurrentFrame } from \"remotion\"" },
    { text: "" },
    { text: `interface ${name}Scene {` },
    { text: "  readonly title: string" },
    { text: "  readonly from: number" },
    { text: "  readonly frames: number" },
    { text: "  readonly lines: ReadonlyArray<string>" },
    { text: "  readonly links: ReadonlyArray<readonly [from: number, to: number]>" },
    { text: "}" },
    { text: "" },
    { text: `const scenesOf${name}: ReadonlyArray<${name}Scene> = [` },
    ...scenes.flatMap(sceneLines),
    { text: "]" },
    { text: "" },
    ...drawing(name).map((text) => ({ text })),
    { text: "" },
    { text: `registerRoot(() => h(Composition, { ${composition}, fps: ${FRAMES_PER_SECOND}, durationInFrames: ${framesOf(scenes)} }))` }
  ])
}

/** Remotion takes letters, digits and hyphens for the name of a composition. */
export const idOf = (project: Project): string =>
  project.description.project_name.replaceAll(/[^A-Za-z0-9]+/gu, "-").replaceAll(/^-|-$/gu, "") || "film"
