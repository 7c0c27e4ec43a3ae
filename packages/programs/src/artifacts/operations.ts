/** What can be asked of the project, and what is known of each: its handler, the tests and the documents that name it. */
import { inUse } from "../debug/sites.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { entriesOf } from "../map/packages.ts"
import { exportsOf, handlerOf, isTestFile, pathOf } from "../map/uses.ts"
import { type Operation, operationsOf } from "../mcp/operations.ts"
import { mostUsed } from "../notebook/most-used.ts"
import { isAside } from "../skills/aside.ts"

const MOST_EXPORTS = 30

export interface Known {
  readonly operation: Operation
  /** The function behind it. */
  readonly symbol: Fact<"symbol"> | undefined
  /** Imports by tests: of its handler by name, else of its file. */
  readonly tests: ReadonlyArray<Fact<"import">>
  readonly documents: ReadonlyArray<AnyFact>
}

/** What a document calls it by: a path with its parameters cut off, a command, a function. */
const wordOf = ({ kind, name }: Operation): string =>
  kind === "route" ? (name.split(" ")[1] ?? "").split(/[:{<[*]/u, 1).join("").replace(/(?<=.)\/$/u, "") : name

/** Exports of entries; where none is read, those that most places use. */
const exported = (project: Project): ReadonlyArray<Operation> => {
  const runs = ({ value: { kind } }: Fact<"symbol">): boolean => kind === "function" || kind === "class"
  const ofEntries = [...new Set(entriesOf(project).flatMap(({ path }) => path ?? []))].flatMap((path) => exportsOf(project, path)).filter(
    runs
  )
  const symbols = ofEntries.length > 0 ? ofEntries : mostUsed(project).map(({ symbol }) => symbol).filter(runs)
  return inUse(project, symbols).slice(0, MOST_EXPORTS).map((symbol) => ({
    tool: symbol.subject,
    kind: "function",
    name: symbol.subject,
    description: symbol.value.doc,
    handler: symbol.subject,
    parameters: [],
    effects: undefined,
    evidence: [symbol],
    path: pathOf(symbol)
  }))
}

/** Routes and commands; else what is exported. */
const asked = (project: Project): ReadonlyArray<Operation> => {
  const served = operationsOf(project).filter(({ kind, path }) => kind !== "function" && !isAside(path))
  return served.length > 0 ? served : exported(project)
}

/** Shorter words stand in every text. */
const SHORT = 4

export const knownOperations: (project: Project) => ReadonlyArray<Known> = memo((project) => {
  const texts = [
    ...project.facts("paragraph").map((fact) => ({ fact, text: fact.value.text })),
    ...project.facts("code-block").map((fact) => ({ fact, text: fact.value.text })),
    ...project.facts("heading").map((fact) => ({ fact, text: fact.subject }))
  ]
  const isTest = (one: Fact): boolean => isTestFile(project, pathOf(one))
  return asked(project).map((operation): Known => {
    const [first] = operation.evidence
    const symbol = first.kind === "route" ? handlerOf(project, first) : first.kind === "symbol" ? first : undefined
    const word = wordOf(operation)
    return {
      operation: { ...operation, description: operation.description ?? symbol?.value.doc ?? null },
      symbol,
      tests: symbol === undefined
        ? project.links.importers(operation.path).filter(isTest)
        : project.links.importers(pathOf(symbol)).filter((one) => isTest(one) && one.value.names.includes(symbol.subject)),
      documents: word.length < SHORT ? [] : texts.filter(({ text }) => text.includes(word)).map(({ fact }) => fact)
    }
  })
})
