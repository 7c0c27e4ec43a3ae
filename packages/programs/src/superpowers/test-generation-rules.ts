/** test-generation-rules.md: how tests are written here, and which exports have none. */
import { posix } from "node:path"
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, evidenceOf, type Table } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { projectCommands } from "../skills/commands.ts"
import { pageOf } from "../skills/page.ts"

const MOST = 40

const frameworks = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("test"), ({ value: { framework } }) => framework)).toSorted(([one], [other]) => byText(one, other))
    .flatMap(([framework, tests]) => {
      const files = new Set(tests.map(({ evidence: [{ path }] }) => path))
      const such = tests[0] === undefined ? "" : `, such as ${code(tests[0].subject, 60)}`
      return claimOf(`${code(framework, 40)}: ${tests.length} in ${files.size} ${files.size === 1 ? "file" : "files"}${such}`, tests)
    })

/** What names of tests have in common: `.test.ts`, `_test.go`, `test_`. */
const markOf = (path: string): string | undefined =>
  /(?:[._-](?:test|spec)|Tests?)\.\w+$/u.exec(path)?.[0] ?? /^test_/u.exec(posix.basename(path))?.[0]

/** Folders of tests, and how their files are named. */
const places = (project: Project): ReadonlyArray<Block> => {
  const files = project.facts("test").map((test) => ({
    test,
    folder: posix.dirname(test.evidence[0].path),
    mark: markOf(test.evidence[0].path)
  }))
  const groups = Map.groupBy(files, ({ folder, mark }) => `${folder} ${mark}`)
  return Array.from(groups).toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, 12)
    .flatMap(([, group]) => {
      const names = group.slice(0, 2).map(({ test: { subject } }) => code(subject, 50))
      const [{ folder, mark } = { folder: "", mark: undefined }] = group
      return claimOf(`${code(folder)}${mark === undefined ? "" : `, ${code(mark)}`}: ${list(names)}`, group.map(({ test }) => test))
    })
}

const commands = (project: Project): ReadonlyArray<Block> =>
  projectCommands(project).filter(({ purpose }) => purpose === "one test").flatMap(({ command, evidence, source }) =>
    claimOf(`one file: ${code(command)}`, evidence, source)
  )

/** Helpers that tests import, most used first: a new test begins with them. */
const helpers = (project: Project): ReadonlyArray<Block> => {
  const tests = new Set(project.facts("test").map(({ evidence: [{ path }] }) => path))
  const imports = project.facts("import").filter(({ evidence: [{ path }] }) => tests.has(path))
  return Array.from(Map.groupBy(imports, (fact) => project.links.target(fact) ?? fact.subject))
    .filter(([target, facts]) => facts.length > 2 && /test|fixture|helper|mock|factory|support/iu.test(target))
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, 10)
    .flatMap(([target, facts]) => {
      const names = [...new Set(facts.flatMap(({ value }) => value.names))].slice(0, 4).map((name) => code(name, 40))
      return claimOf(`${code(target)}${names.length === 0 ? "" : ` gives ${list(names)}`}, to ${facts.length} files`, facts)
    })
}

/** Files that tests import, and those that these import in turn. */
const reachedByTests = (project: Project): ReadonlySet<string> => {
  const imports = Map.groupBy(project.facts("import"), ({ evidence: [{ path }] }) => path)
  const tests = project.facts("file").filter(({ value: { role } }) => role === "test").map(({ evidence: [{ path }] }) => path)
  const reached = new Set([...tests, ...project.facts("test").map(({ evidence: [{ path }] }) => path)])
  for (const path of reached) {
    for (const fact of imports.get(path) ?? []) {
      const target = project.links.target(fact)
      if (target !== undefined) reached.add(target)
    }
  }
  return reached
}

type Exported = Fact<"symbol">

const runs = ({ value: { exported, kind } }: Exported): boolean =>
  exported && (kind === "function" || kind === "class" || kind === "method")

/** Those that most of the code calls first: there a test is worth most. */
const untested = (project: Project): readonly [unreached: ReadonlyArray<Exported>, unnamed: ReadonlyArray<Exported>] => {
  const reached = reachedByTests(project)
  const roles = new Map(project.facts("file").map(({ evidence: [{ path }], value: { role } }) => [path, role]))
  const isTest = (path: string): boolean => roles.get(path) === "test" || project.factsOf(path, "test").length > 0
  const said = new Set([
    ...project.facts("call").filter(({ evidence: [{ path }] }) => isTest(path)).map(({ subject }) => subject),
    ...project.facts("import").filter(({ evidence: [{ path }] }) => isTest(path)).flatMap(({ value: { names } }) => names)
  ])
  const symbols = project.facts("symbol").filter((symbol) =>
    runs(symbol) && roles.get(symbol.evidence[0].path) === "source" && !isTest(symbol.evidence[0].path)
  )
    .map((symbol) => ({ symbol, callers: project.links.callers(symbol).length }))
    .toSorted((one, other) => other.callers - one.callers).map(({ symbol }) => symbol)
  const unreached = symbols.filter(({ evidence: [{ path }], subject }) => !reached.has(path) && !said.has(subject))
  return [unreached, symbols.filter(({ evidence: [{ path }], subject }) => reached.has(path) && !said.has(subject))]
}

const table = (project: Project, symbols: ReadonlyArray<Exported>): ReadonlyArray<Table> => {
  const rows = symbols.slice(0, MOST).flatMap((symbol) => {
    const callers = project.links.callers(symbol)
    const evidence = evidenceOf([symbol, ...callers.slice(0, 1)])
    const head = code(symbol.value.signature.replace(/^export (?:default )?(?:async )?/u, ""), 100)
    return evidence === undefined ? [] : [{ cells: [code(symbol.subject, 60), head, String(callers.length)], evidence }]
  })
  return rows.length === 0 ? [] : [{ block: "table", columns: ["export", "head", "calls"], rows }]
}

export const testGenerationRules = (project: Project): Artifact => {
  const [unreached, unnamed] = untested(project)
  return pageOf(`${project.description.project_name}: tests`, project.searched(), [
    { title: "Frameworks", blocks: frameworks(project), noun: "test" },
    { title: "Places", blocks: places(project) },
    { title: "To run", blocks: commands(project) },
    { title: "Helpers", blocks: helpers(project) },
    { title: "Exports that no test reaches by imports", blocks: table(project, unreached) },
    { title: "Exports that tests reach and never name", blocks: table(project, unnamed) }
  ])
}
