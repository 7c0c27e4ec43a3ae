/** Modules: folders that hold code that is read. What of a repository is worth a note, a page or a step of its own. */
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { type Edge, fileGraph, folderGraph, folderOf } from "./graph.ts"
import { memo } from "./memo.ts"
import { purposeOf } from "./purpose.ts"
import { exportsOf, isTestFile, type SymbolFact } from "./uses.ts"

export interface Module {
  /** The path of its folder; the project's name for the root. */
  readonly name: string
  readonly folder: string
  readonly files: ReadonlyArray<Fact<"file">>
  /** Those of the most imported files first. */
  readonly exports: ReadonlyArray<SymbolFact>
  /** What it is known by: its exports, else what it declares or imports; never empty where its code is read. */
  readonly names: ReadonlyArray<AnyFact>
  /** What it is for, in the words of its own files. */
  readonly purpose: { readonly text: string; readonly fact: AnyFact } | undefined
  readonly level: number
  readonly to: ReadonlyArray<Edge>
  readonly from: ReadonlyArray<Edge>
  /** Test files that import it. */
  readonly tests: ReadonlyArray<string>
}

const compute = (project: Project): ReadonlyArray<Module> => {
  const graph = folderGraph(project)
  const importers = (path: string) => fileGraph(project).to(path)
  const readmes = project.paths.filter((path) => /(?:^|\/)readme\.[a-z]+$/iu.test(path))
  const code = project.facts("file").filter(({ value }) => value.role === "source")
  return Array.from(Map.groupBy(code, ({ subject }) => folderOf(subject)), ([folder, files]): Module => {
    const byUse = files.toSorted((one, other) =>
      importers(other.subject).length - importers(one.subject).length || byText(one.subject, other.subject)
    )
    const readme = readmes.find((path) => folderOf(path) === folder)
    const paragraph = readme === undefined ? undefined : project.factsOf(readme, "paragraph")[0]
    const exports = byUse.flatMap(({ subject }) => exportsOf(project, subject))
    const symbols = byUse.flatMap(({ subject }) => project.factsOf(subject, "symbol"))
    const imports = byUse.flatMap(({ subject }) => project.factsOf(subject, "import"))
    const tests = files.flatMap(({ subject }) => importers(subject).map(({ from }) => from)).filter((path) => isTestFile(project, path))
    return {
      name: folder === "." ? project.description.project_name : folder,
      folder,
      files,
      exports,
      names: [exports, symbols, imports].find((found) => found.length > 0) ?? [],
      purpose: paragraph === undefined
        ? byUse.flatMap(({ subject }) => purposeOf(project, subject) ?? [])[0]
        : { text: paragraph.value.text, fact: paragraph },
      level: graph.level(folder),
      to: graph.from(folder),
      from: graph.to(folder),
      tests: [...new Set(tests)].toSorted(byText)
    }
  }).filter(({ names }) => names.length > 0).toSorted((one, other) => byText(one.folder, other.folder))
}

export const modulesOf: (project: Project) => ReadonlyArray<Module> = memo(compute)

/** Facts that say that the module is there: what it is known by, else its files. */
export const factsOfModule = ({ files, names, purpose }: Module): ReadonlyArray<AnyFact> => [
  ...names.slice(0, 1),
  ...purpose === undefined ? [] : [purpose.fact],
  ...names.slice(1),
  ...files
]

/** Modules with most links first. */
export const byLinks = (modules: ReadonlyArray<Module>): ReadonlyArray<Module> =>
  modules.toSorted((one, other) =>
    other.to.length + other.from.length - one.to.length - one.from.length || byText(one.folder, other.folder)
  )
