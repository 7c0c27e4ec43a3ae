/** Sites of errors and log lines, and who calls the functions that they stand in. */
import { code } from "../claims/inline.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { testFiles } from "../map/uses.ts"
import { isAside } from "../skills/aside.ts"

/** The function or method of the file with the name, which may be written after that of its class. */
export const functionOf = (project: Project, path: string, within: string | null): Fact<"symbol"> | undefined => {
  const name = within?.split(/[.#:]/u).at(-1)
  return name === undefined ? undefined : project.factsOf(path, "symbol").find(({ subject }) => subject === name)
}

export const callersOf = (project: Project, path: string, within: string | null): ReadonlyArray<Fact<"call">> => {
  const symbol = functionOf(project, path, within)
  return symbol === undefined ? [] : project.links.callers(symbol)
}

/** Names of callers for a cell, each once. */
export const callersText = (calls: ReadonlyArray<Fact<"call">>, most = 3): string => {
  const names = [...new Set(calls.map(({ evidence: [{ path }], value: { caller } }) => code(caller ?? path, 60)))]
  return names.length <= most ? names.join(", ") : `${names.slice(0, most).join(", ")} and ${names.length - most} more`
}

/** Not of tests, examples and benchmarks: nobody meets those in use. */
export const inUse = <F extends Fact>(project: Project, facts: ReadonlyArray<F>): ReadonlyArray<F> => {
  const tests = testFiles(project)
  return facts.filter(({ evidence: [{ path }] }) => !tests.has(path) && !isAside(path))
}

/** Catches of functions that neither log nor throw: errors end there, and nobody hears of them. */
export const silentCatches = (project: Project): ReadonlyArray<Fact<"error">> =>
  inUse(project, project.facts("error")).filter(({ evidence: [{ end_line, path, start_line }], value: { style, within } }) => {
    if (style !== "catch") return false
    const speaks = [...project.factsOf(path, "log"), ...project.factsOf(path, "error").filter(({ value }) => value.style !== "catch")]
    return !speaks.some(({ evidence: [span], value }) =>
      (span.start_line >= start_line && span.start_line <= end_line) ||
      (start_line === end_line && within !== null && value.within === within)
    )
  })
