/** Scenes of a film about the project: what each shows is a fact, and how long it is shown follows from how much there is to read. */
import { knownOperations } from "../artifacts/operations.ts"
import { modelsOf } from "../artifacts/shown-resource.ts"
import { code } from "../claims/inline.ts"
import { type Evidence, evidenceOf } from "../claims/model.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { folderGraph, folderOf } from "../map/graph.ts"
import { memo } from "../map/memo.ts"
import { byLinks, factsOfModule, modulesOf } from "../map/modules.ts"
import { pathOf } from "../map/uses.ts"
import { count, listed, namesOf } from "../map/words.ts"

export const FRAMES_PER_SECOND = 30
/** A scene stands for two seconds and one more for each line. */
const FRAMES_OF_SCENE = 60
const FRAMES_OF_LINE = 30

export interface SceneLine {
  readonly text: string
  /** As Markdown, in which names are code. */
  readonly markdown: string
  readonly evidence: Evidence
}

/** Ends are places in the list of lines. */
export interface Link {
  readonly from: number
  readonly to: number
  readonly markdown: string
  readonly evidence: Evidence
}

export interface Scene {
  readonly title: string
  readonly lines: ReadonlyArray<SceneLine>
  /** Between lines. */
  readonly links: ReadonlyArray<Link>
  /** The frame that it begins with. */
  readonly from: number
  readonly frames: number
}

type Drawn = Pick<Scene, "title" | "lines"> & { readonly links?: ReadonlyArray<Link> }

const MOST_LINES = 8
const MOST_TEXT = 72

/** What is between backticks is a name. */
const lineOf = (markdown: string, facts: ReadonlyArray<AnyFact>): ReadonlyArray<SceneLine> => {
  const evidence = evidenceOf(facts)
  return evidence === undefined ? [] : [{ text: clip(markdown.replaceAll("`", ""), MOST_TEXT), markdown, evidence }]
}

/** Its name as its manifest has it, and what it says of itself. */
const opening = (project: Project): Drawn => {
  const [manifest] = project.facts("manifest").toSorted((one, other) => pathOf(one).length - pathOf(other).length)
  const [heading] = project.facts("heading").filter((one) => /^readme/iu.test(pathOf(one)))
  const [paragraph] = project.facts("paragraph").filter((one) => /^readme/iu.test(pathOf(one)))
  return {
    title: project.description.project_name,
    lines: [
      ...(manifest === undefined ? [] : lineOf(`${code(manifest.subject)} ${manifest.value.version ?? ""}`.trim(), [manifest])),
      ...(manifest?.value.description == null || paragraph !== undefined
        ? []
        : lineOf(`${code(manifest.subject)}: ${code(manifest.value.description)}`, [manifest])),
      ...(heading === undefined ? [] : lineOf(code(heading.subject), [heading])),
      ...(paragraph === undefined ? [] : lineOf(code(paragraph.value.text), [paragraph]))
    ]
  }
}

const operations = (project: Project): Drawn => {
  const known = knownOperations(project)
  return {
    title: count(known.length, known[0]?.operation.kind === "function" ? "export" : known[0]?.operation.kind ?? "route"),
    lines: known.slice(0, MOST_LINES).flatMap(({ operation: { evidence, handler, name } }) =>
      lineOf(handler === null || handler === name ? code(name) : `${code(name)} → ${code(handler)}`, [...evidence])
    )
  }
}

const models = (project: Project): Drawn => {
  const found = modelsOf(project)
  return {
    title: count(found.length, "model"),
    lines: found.slice(0, MOST_LINES).flatMap((schema) =>
      lineOf(`${code(schema.subject)}: ${listed(schema.value.fields.map(({ name }) => name), 8)}`, [schema])
    )
  }
}

/** The folders with most links, and which of them imports which. */
const modules = (project: Project): Drawn => {
  const found = byLinks(modulesOf(project)).slice(0, MOST_LINES).toSorted((one, other) =>
    other.level - one.level || byText(one.name, other.name)
  )
  const places = new Map(found.map(({ folder }, at) => [folder, at]))
  const links = folderGraph(project).edges.flatMap(({ from, imports, to }): ReadonlyArray<Link> => {
    const [source, target] = [places.get(from), places.get(to)]
    return source === undefined || target === undefined
      ? []
      : [{
        from: source,
        to: target,
        markdown: `${code(found[source]?.name ?? from)} → ${code(found[target]?.name ?? to)}`,
        evidence: imports
      }]
  })
  return {
    title: count(modulesOf(project).length, "module"),
    lines: found.flatMap((module) => lineOf(`${code(module.name)}: ${listed(namesOf(module.names), 3)}`, factsOfModule(module))),
    links
  }
}

const tests = (project: Project): Drawn => {
  const found = project.facts("test")
  const folders = Array.from(Map.groupBy(found, (test) => folderOf(pathOf(test))))
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other))
  return {
    title: count(found.length, "test"),
    lines: folders.slice(0, MOST_LINES).flatMap(([folder, group]) =>
      lineOf(`${code(folder)}: ${group.length}, such as ${code(group[0]?.subject ?? "")}`, group)
    )
  }
}

/** In the order of the film; scenes without lines are none. */
export const scenesOf: (project: Project) => ReadonlyArray<Scene> = memo((project) => {
  let from = 0
  return [opening, operations, models, modules, tests].map((draw) => draw(project)).filter(({ lines }) => lines.length > 0)
    .map(({ lines, links = [], title }) => {
      const frames = FRAMES_OF_SCENE + FRAMES_OF_LINE * lines.length
      const scene = { title, lines, links, from, frames }
      from += frames
      return scene
    })
})

export const framesOf = (scenes: ReadonlyArray<Scene>): number => scenes.reduce((sum, { frames }) => sum + frames, 0)

/** What an absence of scenes has searched. */
export const NO_SCENES = "No manifest, document, code or test to make a scene of."
