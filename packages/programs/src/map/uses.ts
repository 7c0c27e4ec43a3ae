/** Who uses a symbol: who calls it, who imports it by name, which tests do either. */
import { placeOf } from "../claims/places.ts"
import { inverse } from "../facts/links.ts"
import { type AnyFact, type Fact, fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "./memo.ts"

export type SymbolFact = Fact<"symbol">

export const placeOfFact = (fact: Fact): string => placeOf(fact.evidence[0])
export const pathOf = (fact: Fact): string => fact.evidence[0].path
export const lineOf = (fact: Fact): number => fact.evidence[0].start_line

export const roleOf = (project: Project, path: string) => project.factsOf(path, "file")[0]?.value.role

export const testFiles: (project: Project) => ReadonlySet<string> = memo((project) =>
  new Set(project.facts("file").flatMap(({ evidence: [{ path }], value: { role } }) => role === "test" ? [path] : []))
)

export const isTestFile = (project: Project, path: string): boolean => testFiles(project).has(path)

/** What the file offers to others, by lines. */
export const exportsOf = (project: Project, path: string): ReadonlyArray<SymbolFact> =>
  project.factsOf(path, "symbol").filter(({ value }) => value.exported && value.container === null && value.kind !== "module")

/** The facts of a kind that stand within the lines of another. */
export const within = <K extends "call" | "sql" | "error" | "log" | "environment" | "model-call">(
  project: Project,
  kind: K,
  { evidence: [{ end_line, path, start_line }] }: Fact
): ReadonlyArray<Fact<K>> =>
  project.factsOf(path, kind).filter(({ evidence: [at] }) => at.start_line >= start_line && at.end_line <= end_line)

export interface Uses {
  readonly callers: ReadonlyArray<Fact<"call">>
  /** Imports that name it, in files that do not call it. */
  readonly importers: ReadonlyArray<Fact<"import">>
  /** Calls and imports of tests. */
  readonly tests: ReadonlyArray<AnyFact>
}

/** Imports of each file by the names that they bring, worked out for the files that are asked for. */
const importersByName = memo((_: Project) => new Map<string, ReadonlyMap<string, ReadonlyArray<Fact<"import">>>>())

const importersOf = (project: Project, path: string, name: string): ReadonlyArray<Fact<"import">> => {
  const known = importersByName(project)
  const ofPath = known.get(path) ?? inverse(project.links.importers(path), ({ value: { names } }) => [...new Set(names)])
  known.set(path, ofPath)
  return ofPath.get(name) ?? []
}

export const usesOf = (project: Project, symbol: SymbolFact): Uses => {
  const calls = project.links.callers(symbol)
  const calling = new Set(calls.map(pathOf))
  const imports = importersOf(project, pathOf(symbol), symbol.subject).filter((one) => !calling.has(pathOf(one)))
  const isTested = (one: Fact): boolean => isTestFile(project, pathOf(one))
  return {
    callers: calls.filter((one) => !isTested(one)),
    importers: imports.filter((one) => !isTested(one)),
    tests: [...calls, ...imports].filter(isTested)
  }
}

/** Routes that the project serves; those of tests are none. */
export const routesOf = (project: Project): ReadonlyArray<Fact<"route">> =>
  project.facts("route").filter((route) => !isTestFile(project, pathOf(route)))

/** What says that a manifest requires such as `node >=20`: its own line where that is known, else the manifest. */
export const requirementOf = (project: Project, manifest: Fact<"manifest">, requirement: string): AnyFact =>
  project.factsOf(pathOf(manifest), "setting").find(({ value: { name, value } }) => `${name} ${value}` === `engines.${requirement}`) ??
    manifest

/** Variables that the project reads; those of tests are none. */
export const variablesOf = (project: Project): ReadonlyArray<Fact<"environment">> =>
  project.facts("environment").filter((variable) => !isTestFile(project, pathOf(variable)))

/** The function that answers a route, where its name leads to one. */
export const handlerOf = (project: Project, route: Fact<"route">): SymbolFact | undefined => {
  const { handler } = route.value
  if (handler === null) return undefined
  return project.links.callee(
    fact("call", handler.slice(handler.lastIndexOf(".") + 1), { callee: handler, caller: null }, route.evidence[0])
  )
}
