/** capability-map.yaml: what can be asked, by what it is about, with its handler, what happens below, and its tests. */
import { cited, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { callsBelow } from "../map/calls.ts"
import { folderOf } from "../map/graph.ts"
import { pathOf } from "../map/uses.ts"
import { searchedText } from "../mcp/none.ts"
import { NO_OPERATIONS } from "../mcp/operations.ts"
import { type Known, knownOperations } from "./operations.ts"

const MOST = 60

/** Tables and refusals of the functions below. */
const below = (project: Project, { operation: { evidence: [first] }, symbol }: Known): ReadonlyArray<Value> => {
  const start = symbol ?? (first.kind === "route" ? first : undefined)
  if (start === undefined) return []
  const facts = callsBelow(project, start).flatMap(({ facts }) => facts)
  const effects = facts.flatMap((fact): ReadonlyArray<readonly [string, AnyFact]> => {
    if (fact.kind === "sql") return fact.value.tables.map((table) => [`${fact.subject} ${table}`, fact] as const)
    return fact.value.style === "catch" ? [] : [[`refuses: ${fact.subject}`, fact]]
  })
  return Array.from(new Map(effects.toReversed()), ([text, fact]) => cited(clip(text, 80), fact)).toReversed()
}

const listOf = (values: ReadonlyArray<Value>): ReadonlyArray<Value> | undefined => values.length === 0 ? undefined : values

const entryOf = (project: Project, known: Known): Value => {
  const { operation: { description, handler, name }, symbol, tests } = known
  const [first, ...rest] = known.operation.evidence
  const handled = handler ?? symbol?.subject
  return {
    asked: cited(name, first, ...rest),
    does: description === null
      ? undefined
      : cited(clip(symbol === undefined ? description : `${symbol.subject}: ${description}`, 120), symbol ?? first),
    handler: handled === undefined || handled === name || symbol === undefined ? undefined : cited(handled, symbol),
    below: listOf(below(project, known)),
    tests: listOf(
      [...new Map(tests.map((one) => [pathOf(one), one])).values()].slice(0, 3).map((one) =>
        cited(`${pathOf(one)}: ${one.value.names[0] ?? one.subject}`, one)
      )
    )
  }
}

const areaOf = ({ operation: { kind, name, path } }: Known): string =>
  kind === "route" ? name.split("/").find((part) => /^[A-Za-z][\w-]*$/u.test(part) && !/^(?:api|v\d+)$/u.test(part)) ?? "/" : folderOf(path)

export const capabilityMap = (project: Project): Artifact => {
  const operations = knownOperations(project).slice(0, MOST)
  if (operations.length === 0) return yaml({ capabilities: {}, searched: searchedText(project, NO_OPERATIONS) })
  const areas = Array.from(
    Map.groupBy(operations, areaOf),
    ([area, group]) => [area, group.map((known) => entryOf(project, known))] as const
  )
  return yaml({ capabilities: Object.fromEntries(areas) })
}
