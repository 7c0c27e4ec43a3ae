/** What of a repository nothing uses, as its facts show it. */
import { posix } from "node:path"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { isAside } from "../skills/aside.ts"

/** A file that is reached from outside, and the fact that says so. */
export interface Entry {
  readonly path: string
  readonly fact: AnyFact
}

const ENDINGS = ["", ".ts", ".tsx", ".js", ".mjs", ".jsx", "/index.ts", "/index.js"]

/** The file that a manifest means, which often names what is built of it. */
const sourceOf = (paths: ReadonlySet<string>, folder: string, target: string): string | undefined => {
  const stem = target.replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/u, "")
  const built = [stem.replace(/^(?:\.\/)?(?:dist|lib|build|out)\//u, "src/"), stem.replace(/^(?:\.\/)?(?:dist|lib|build|out)\//u, "")]
  return [target, ...[stem, ...built].flatMap((base) => ENDINGS.map((ending) => base + ending))]
    .map((path) => posix.join(folder, path)).find((path) => paths.has(path))
}

/** Entries of manifests, and files that scripts, workflows and containers name. */
export const entriesOf: (project: Project) => ReadonlyArray<Entry> = memo((project) => {
  const paths = new Set(project.paths)
  const found = new Map<string, Entry>()
  const add = (fact: AnyFact, targets: ReadonlyArray<string>) => {
    const folder = posix.dirname(fact.evidence[0].path)
    for (const target of targets) {
      const path = sourceOf(paths, folder, target) ?? sourceOf(paths, ".", target)
      if (path !== undefined && !found.has(path)) found.set(path, { path, fact })
    }
  }
  for (const entry of project.facts("entry")) add(entry, [entry.value.target])
  const wordsOf = (text: string): ReadonlyArray<string> => text.split(/[\s"'=,[\]]+/u).filter((word) => /[./]/u.test(word))
  for (const script of project.facts("script")) add(script, wordsOf(script.value.command))
  for (const step of project.facts("ci-step")) add(step, wordsOf(step.value.run ?? ""))
  for (const container of project.facts("container")) add(container, wordsOf(container.value.value))
  for (const route of project.facts("route")) if (/next/iu.test(route.value.framework)) add(route, [posix.basename(route.evidence[0].path)])
  return [...found.values()]
})

const SOURCE = /\.[cm]?[jt]sx?$/u
/** Tools read configuration and declarations without an import. */
const CONFIGURATION = /\.d\.[cm]?ts$|(?:^|\/)(?:\.[^/]+|[^/]+\.config)\.[cm]?[jt]s$/u

/** Source files that no other imports and nothing names. */
export const unimportedFiles = (project: Project): ReadonlyArray<Fact<"file">> => {
  const entries = new Set(entriesOf(project).map(({ path }) => path))
  return project.facts("file").filter(({ evidence: [{ path }], value: { role } }) =>
    role === "source" && SOURCE.test(path) && !CONFIGURATION.test(path) && !isAside(path) && !entries.has(path) &&
    project.links.importers(path).length === 0
  )
}

/** Exported symbols of which no importer of their file says the name, where all of them say which names they take. */
export const unusedExports: (project: Project) => ReadonlyArray<Fact<"symbol">> = memo((project) => {
  const entries = new Set(entriesOf(project).map(({ path }) => path))
  const roles = new Map(project.facts("file").map(({ evidence: [{ path }], value: { role } }) => [path, role]))
  return project.facts("symbol").filter((symbol) => {
    const { evidence: [{ path }], subject, value: { container, exported } } = symbol
    if (!exported || container !== null || entries.has(path) || roles.get(path) !== "source" || !SOURCE.test(path)) return false
    const importers = project.links.importers(path)
    const named = importers.every(({ value: { names, style } }) =>
      names.length > 0 && !names.some((name) => name.startsWith("*")) && style !== "dynamic"
    )
    return importers.length > 0 && named && !importers.some(({ value: { names } }) => names.includes(subject)) &&
      project.links.callers(symbol).every(({ evidence: [span] }) => span.path === path)
  })
})

/** Functions that stand with the same name and the same head in several files. */
export const repeatedFunctions = (project: Project): ReadonlyArray<ReadonlyArray<Fact<"symbol">>> => {
  const functions = project.facts("symbol").filter(({ value: { container, kind, signature } }) =>
    kind === "function" && container === null && signature.length > 24
  )
  const groups = Map.groupBy(functions, ({ value: { signature } }) => signature.replace(/^export (?:default )?/u, ""))
  return [...groups.values()].filter((group) => new Set(group.map(({ evidence: [{ path }] }) => path)).size > 1)
}
