/** dashboard-widget.tsx: how many routes, models and tests there are, by what they are about, as a component without a request. */
import { codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, type Evidence, evidenceOf } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { quoted, typeName } from "../claims/typescript.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { pathOf } from "../map/uses.ts"
import { count } from "../map/words.ts"
import { componentsOf } from "./components.ts"
import { modelsOf, resourcesOf } from "./shown-resource.ts"

const MOST = 12

export interface Count {
  readonly title: string
  readonly number: number
  readonly names: ReadonlyArray<string>
  readonly evidence: Evidence
}

const countOf = (title: string, facts: ReadonlyArray<AnyFact>): ReadonlyArray<Count> => {
  const evidence = evidenceOf(facts)
  const names = [...new Set(facts.map(({ subject }) => subject))]
  return evidence === undefined ? [] : [{ title, number: facts.length, names: names.slice(0, 4), evidence }]
}

const byFolder = (facts: ReadonlyArray<AnyFact>): ReadonlyArray<Count> =>
  Array.from(Map.groupBy(facts, (fact) => folderOf(pathOf(fact)))).flatMap(([folder, group]) => countOf(folder, group))
    .toSorted((one, other) => other.number - one.number || byText(one.title, other.title)).slice(0, MOST)

export interface Group {
  readonly title: string
  readonly total: number
  readonly counts: ReadonlyArray<Count>
}

/** Nothing is counted where nothing is served or shown. */
export const groupsOf = (project: Project): ReadonlyArray<Group> => {
  const resources = resourcesOf(project)
  const components = componentsOf(project).map(({ fact }) => fact)
  if (resources.length + components.length === 0) return []
  const routes = resources.slice(0, MOST).flatMap(({ name, routes }) => countOf(`/${name}`, routes))
  const models = modelsOf(project)
  const groups: ReadonlyArray<Group> = [
    { title: "routes", total: resources.reduce((sum, { routes }) => sum + routes.length, 0), counts: routes },
    { title: "models", total: models.length, counts: byFolder(models) },
    { title: "components", total: components.length, counts: byFolder(components) },
    { title: "tests", total: project.facts("test").length, counts: byFolder(project.facts("test")) }
  ]
  return groups.filter(({ counts }) => counts.length > 0)
}

const linesOfCount = (total: number) => ({ evidence, names, number, title }: Count): ReadonlyArray<CodeLine> => [
  { text: `        <dt title={${quoted(placesOf(evidence).join(", "), 400)}}>{${quoted(title)}}</dt>`, evidence },
  { text: `        <dd><meter max={${total}} value={${number}} /> {${quoted(`${number}: ${names.join(", ")}`)}}</dd>` }
]

const linesOfGroup = ({ counts, title, total }: Group): ReadonlyArray<CodeLine> => [
  { text: `      <h3>{${quoted(count(total, title.replace(/s$/u, "")))}}</h3>` },
  { text: "      <dl>" },
  ...counts.flatMap(linesOfCount(total)),
  { text: "      </dl>" }
]

export const dashboardWidget = (project: Project): Artifact => {
  const groups = groupsOf(project)
  const name = project.description.project_name
  if (groups.length === 0) {
    return codeFile([...comments("//", [absence("No HTTP route and no component to count.", project.searched())]), { text: "export {}" }])
  }
  return codeFile([
    { text: `// ${groups.map(({ title, total }) => count(total, title.replace(/s$/u, ""))).join(", ")}` },
    { text: `export function ${typeName(name)}Counts() {` },
    { text: "  return (" },
    { text: `    <section aria-label={${quoted(name)}}>` },
    ...groups.flatMap(linesOfGroup),
    { text: "    </section>" },
    { text: "  )" },
    { text: "}" }
  ])
}
