/** context-map.json: what is where, an item a line, so that a search for a name shows the place beside it. */
import { cited, citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { dependenciesOf } from "../map/dependencies.ts"
import { type Edge, fileGraph, folderGraph } from "../map/graph.ts"
import { factsOfModule, modulesOf } from "../map/modules.ts"
import { entriesOf } from "../map/packages.ts"
import { purposeOf } from "../map/purpose.ts"
import { exportsOf, isTestFile, lineOf, placeOfFact, routesOf, variablesOf } from "../map/uses.ts"
import { namesOf } from "../map/words.ts"
import { byName, commandLines, placeList, routeLine } from "./lines.ts"

const MOST_NAMES = 12

const environment = (project: Project): ReadonlyArray<Value> =>
  byName(
    variablesOf(project),
    (name, reads) => ({
      environment: name,
      read: placeList(reads),
      fallback: reads.find(({ value }) => value.fallback !== null)?.value.fallback ?? undefined
    })
  )

const dependencies = (project: Project): ReadonlyArray<Value> =>
  dependenciesOf(project).flatMap(({ declared, imports, name }) =>
    citedOf({
      dependency: name,
      range: declared[0]?.value.range,
      declared: placeList(declared),
      "who imports it": placeList(imports, 4)
    }, [...declared, ...imports])
  )

const entries = (project: Project): ReadonlyArray<Value> =>
  entriesOf(project).map(({ fact, name, package: entered, path, target }) =>
    cited({ entry: name, package: entered, file: path ?? target, declared: placeOfFact(fact) }, fact)
  )

const weighed = (edges: ReadonlyArray<Edge>, end: "from" | "to"): Value | undefined =>
  edges.length === 0 ? undefined : edges.map((edge) => `${edge[end]} ×${edge.imports.length}`)

const folders = (project: Project): ReadonlyArray<Value> => {
  const graph = folderGraph(project)
  return modulesOf(project).flatMap((module) =>
    citedOf({
      folder: module.folder,
      files: module.files.length,
      has: namesOf(module.names.slice(0, 2)),
      imports: weighed(graph.from(module.folder), "to"),
      "imported by": weighed(graph.to(module.folder), "from")
    }, factsOfModule(module))
  )
}

const names = (facts: ReadonlyArray<Fact>): ReadonlyArray<string> => {
  const shown = facts.slice(0, MOST_NAMES).map((one) => `${one.subject}:${lineOf(one)}`)
  return facts.length > MOST_NAMES ? [...shown, `+${facts.length - MOST_NAMES}`] : shown
}

/** What a file is known by that exports nothing and says nothing of itself; calls are too many to say anything. */
const otherFacts = (project: Project, path: string): ReadonlyArray<AnyFact> =>
  project.kinds.filter((kind) => kind !== "file" && kind !== "call" && kind !== "resolution" && kind !== "listing")
    .flatMap((kind) => project.factsOf(path, kind) as ReadonlyArray<AnyFact>).slice(0, 3)

const fileLine = (project: Project, file: Fact<"file">): Value => {
  const path = file.subject
  const { language, lines, role } = file.value
  const purpose = purposeOf(project, path)
  const exported = exportsOf(project, path)
  const others = purpose === undefined && exported.length === 0 ? otherFacts(project, path) : []
  const importers = fileGraph(project).to(path)
  const [tests, users] = [true, false].map((isTest) =>
    importers.filter(({ from }) => isTestFile(project, from) === isTest).map(({ imports }) => imports[0])
  )
  return cited({
    file: path,
    role,
    language,
    lines,
    for: role === "test" ? undefined : purpose?.text,
    exports: exported.length === 0 ? undefined : names(exported),
    has: others.length === 0 ? undefined : namesOf(others),
    "who imports it": placeList(users ?? []),
    tests: placeList(tests ?? [])
  }, purpose?.fact ?? exported[0] ?? others[0] ?? file)
}

export const contextMap = (project: Project): Artifact => {
  const files = project.facts("file")
  if (files.length === 0) return jsonLines({ project: project.description.project_name, searched: `${project.searched()} files` })
  return jsonLines({
    project: project.description.project_name,
    entries: entries(project),
    routes: routesOf(project).map((route) => routeLine(project, route)),
    commands: commandLines(project),
    environment: environment(project),
    dependencies: dependencies(project),
    files: files.map((file) => fileLine(project, file)),
    folders: folders(project)
  })
}
