/**
 * What a repository can do when it is asked: its HTTP routes, its commands, and, where it has neither, the functions that its entries
 * export. Each is a candidate for a tool of the Model Context Protocol.
 */
import type { Evidence } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"

export interface Parameter {
  readonly name: string
  readonly required: boolean
}

/** By RFC 9110, section 9.2: safe methods only read; PUT and DELETE may be repeated. Unknown for what is no HTTP route. */
export interface Effects {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
}

export interface Operation {
  /** As the protocol allows it: letters, digits, `_` and `-`, at most 64. */
  readonly tool: string
  readonly kind: "route" | "command" | "function"
  /** As the repository writes it, such as `GET /orders/:id`. */
  readonly name: string
  readonly description: string | null
  readonly handler: string | null
  readonly parameters: ReadonlyArray<Parameter>
  readonly effects: Effects | undefined
  readonly evidence: Evidence
  readonly path: string
}

/** More tools than a client shows at once (tools of one request, in editors that say so, end at 128). */
export const MOST_OPERATIONS = 100

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])

export const toolName = (text: string): string =>
  text.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "_").replace(/^_+/u, "").replace(/_{1,64}$/u, "").slice(0, 64) || "tool"

/** `:id`, `{id}`, `<int:id>` and `[id]` are how routers write a parameter of the path. */
export const pathParameters = (path: string): ReadonlyArray<Parameter> =>
  Array.from(
    path.matchAll(/:([A-Za-z_]\w*)|\{\*?([A-Za-z_]\w*)(?:[^\w{}][^{}]*)?\}|<(?:\w+:)?([A-Za-z_]\w*)>|\[\.{0,3}([A-Za-z_]\w*)\]/gu),
    ([, colon, brace, angle, bracket]) => ({ name: colon ?? brace ?? angle ?? bracket ?? "", required: true })
  )

const ofRoute = (project: Project, route: Fact<"route">): Operation => {
  const { handler, method, path } = route.value
  const symbol = handler === null
    ? undefined
    : project.factsOf(route.evidence[0].path, "symbol").find(({ subject }) => subject === handler)
  return {
    tool: toolName(`${method} ${path}`),
    kind: "route",
    name: `${method} ${path}`,
    description: symbol?.value.doc ?? null,
    handler,
    parameters: pathParameters(path),
    effects: method === "ANY" || method === "*" ? undefined : {
      readOnly: SAFE.has(method),
      destructive: method === "DELETE",
      idempotent: REPEATABLE.has(method)
    },
    evidence: symbol === undefined ? [route] : [route, symbol],
    path: route.evidence[0].path
  }
}

const ofCommand = (command: Fact<"command">): Operation => ({
  tool: toolName(command.subject),
  kind: "command",
  name: command.subject,
  description: command.value.description,
  handler: null,
  parameters: [],
  effects: undefined,
  evidence: [command],
  path: command.evidence[0].path
})

const ofFunction = (symbol: Fact<"symbol">): Operation => ({
  tool: toolName(symbol.subject),
  kind: "function",
  name: symbol.subject,
  description: symbol.value.doc,
  handler: symbol.subject,
  parameters: [],
  effects: undefined,
  evidence: [symbol],
  path: symbol.evidence[0].path
})

/** Exported functions of files that no other file of the repository imports, or that a manifest names: what users come in by. */
const entryFunctions = (project: Project): ReadonlyArray<Fact<"symbol">> => {
  const named = new Set(
    project.facts("manifest").flatMap(({ value: { entries } }) => entries.map(({ target }) => target.replace(/^\.\//u, "")))
  )
  const functions = project.facts("symbol").filter(({ evidence: [{ path }], value: { container, exported, kind } }) =>
    kind === "function" && exported && container === null && project.factsOf(path, "file").every(({ value }) => value.role === "source")
  )
  const ofEntries = functions.filter(({ evidence: [{ path }] }) => named.has(path))
  return ofEntries.length > 0 ? ofEntries : functions.filter(({ evidence: [{ path }] }) => project.links.importers(path).length === 0)
}

/** Names are numbered where two would be the same. */
const distinct = (operations: ReadonlyArray<Operation>): ReadonlyArray<Operation> => {
  const seen = new Map<string, number>()
  return operations.map((operation) => {
    const count = (seen.get(operation.tool) ?? 0) + 1
    seen.set(operation.tool, count)
    return count === 1 ? operation : { ...operation, tool: `${operation.tool.slice(0, 60)}_${count}` }
  })
}

export const operationsOf: (project: Project) => ReadonlyArray<Operation> = memo((project) => {
  const routes = project.facts("route").filter(({ evidence: [{ path }] }) =>
    project.factsOf(path, "file").every(({ value: { role } }) => role !== "test")
  )
  const asked = [...routes.map((route) => ofRoute(project, route)), ...project.facts("command").map(ofCommand)]
  const all = asked.length > 0 ? asked : entryFunctions(project).map(ofFunction)
  return distinct(all.toSorted((one, other) => byText(one.tool, other.tool) || byText(one.path, other.path)).slice(0, MOST_OPERATIONS))
})

/** What an absence of operations has searched. */
export const NO_OPERATIONS = "No HTTP route, command or exported function."
