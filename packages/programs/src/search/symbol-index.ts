/**
 * symbol-index.json: where each symbol is, who uses it and which tests touch it, a symbol a line. Signatures come last: they name many
 * other symbols, and whoever searches for one of these should find its own line first.
 */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { SymbolKind } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { isTestFile, pathOf, placeOfFact, routesOf, type SymbolFact, usesOf } from "../map/uses.ts"
import { count } from "../map/words.ts"
import { byName, commandLines, placeList, routeLine } from "./lines.ts"

interface Indexed {
  readonly uses: Value
  readonly signature: Value
}

/** Errors that are thrown on purpose: they have a message, or a class of their own. */
const errors = (project: Project): ReadonlyArray<Value> =>
  byName(
    project.facts("error").filter((one) =>
      one.value.style !== "catch" && !isTestFile(project, pathOf(one)) && (one.value.message !== null || /^[A-Z]/u.test(one.subject))
    ),
    (error, thrown) => ({
      error,
      "who throws it": placeList(thrown),
      message: thrown.find(({ value }) => value.message !== null)?.value.message ?? undefined
    })
  )

const ALWAYS: ReadonlySet<SymbolKind> = new Set(["function", "method", "class"])

/** Exported, called from somewhere, or what a call could mean. */
const indexed = (project: Project, symbol: SymbolFact): ReadonlyArray<Indexed> => {
  const { container, doc, exported, kind, signature } = symbol.value
  const { callers, importers, tests } = usesOf(project, symbol)
  if (!exported && !ALWAYS.has(kind) && callers.length + tests.length === 0) return []
  const at = placeOfFact(symbol)
  const broken = new Set([...callers, ...importers].map(pathOf)).size
  const uses = {
    symbol: kind === "method" && container !== null ? `${container}.${symbol.subject}` : symbol.subject,
    defined: at,
    "who calls it": placeList(callers) ?? (tests.some((one) => one.kind === "call") ? "only tests" : undefined),
    "who imports it": placeList(importers),
    "breaks if it changes": broken === 0 ? undefined : count(broken, "file"),
    tests: placeList(tests)
  }
  return [{
    uses: cited(uses, symbol, ...callers, ...importers, ...tests),
    signature: cited({ signature, at, doc: doc ?? undefined }, symbol)
  }]
}

export const symbolIndex = (project: Project): Artifact => {
  const symbols = project.facts("symbol").filter((symbol) => symbol.value.kind !== "module" && !isTestFile(project, pathOf(symbol)))
    .toSorted((one, other) => byText(one.subject, other.subject))
    .flatMap((symbol) => indexed(project, symbol))
  const routes = routesOf(project).map((route) => routeLine(project, route))
  const commands = commandLines(project)
  if (symbols.length + routes.length + commands.length === 0) {
    return jsonLines({ symbols: [], searched: `symbols, routes and commands, in ${project.searched()} files` })
  }
  return jsonLines({
    symbols: symbols.map(({ uses }) => uses),
    errors: errors(project),
    routes,
    commands,
    signatures: symbols.map(({ signature }) => signature)
  })
}
