/** What of one file is too long or takes too much: its lines, its functions, their parameters. */
import { parseSync } from "vite"

export const COLUMNS = 140
export const FUNCTION_LINES = 120
export const PARAMETERS = 4

export interface Excess {
  readonly line: number
  readonly text: string
}

/** By the name of the rule. */
export type Excesses = Readonly<Record<Rule, ReadonlyArray<Excess>>>
export const rules = ["long_lines", "long_functions", "many_parameters"] as const
export type Rule = (typeof rules)[number]

export type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value && "end" in value

const FUNCTIONS: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

/** Every node below a value, the outer one first. */
export const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) { for (const item of value) walk(item, visit) }
  else if (isNode(value)) {
    visit(value)
    for (const child of Object.values(value)) if (typeof child === "object") walk(child, visit)
  }
}

/** A line without what cannot be broken: a row of a table has none left, an address none of its characters. */
const breakable = (path: string, line: string): string =>
  path.endsWith(".md") ? line.startsWith("|") ? "" : line.replaceAll(/\]\([^)]*\)/gu, "]") : line.replaceAll(/https?:\/\/[^\s"'`)]+/gu, "")

const longLines = (path: string, text: string): ReadonlyArray<Excess> =>
  text.split("\n").flatMap((line, n) => {
    const columns = Array.from(breakable(path, line)).length
    return columns > COLUMNS ? [{ line: n + 1, text: `${columns} columns; at most ${COLUMNS}` }] : []
  })

/** The functions that hold tests, which a test file hands to `describe` or `layer`, are as long as what they hold. */
const isSuite = ({ params }: Node, text: string): boolean => {
  const [first] = Array.isArray(params) ? params : []
  return (isNode(first) && first["name"] === "it") || /\n\s+it(?:\.\w+)*\(/u.test(text)
}

/** Lines of code: blank ones and those of comments alone do not count. */
const linesOf = (text: string): number => text.split("\n").filter((line) => !/^\s*(?:$|\/\/|\/?\*)/u.test(line)).length

const functionsOf = (path: string, text: string): Pick<Excesses, "long_functions" | "many_parameters"> => {
  const long_functions: Array<Excess> = []
  const many_parameters: Array<Excess> = []
  walk(parseSync(path, text).program, (node) => {
    if (!FUNCTIONS.has(node.type)) return
    const line = text.slice(0, node.start).split("\n").length
    const body = text.slice(node.start, node.end)
    const [lines, parameters] = [linesOf(body), Array.isArray(node["params"]) ? node["params"].length : 0]
    if (parameters > PARAMETERS) {
      many_parameters.push({ line, text: `${parameters} parameters; at most ${PARAMETERS}: what travels together is one value` })
    }
    if (lines > FUNCTION_LINES && !(path.endsWith(".test.ts") && isSuite(node, body))) {
      long_functions.push({ line, text: `a function of ${lines} lines; at most ${FUNCTION_LINES}` })
    }
  })
  return { long_functions, many_parameters }
}

/** What is wrong with a file of this path and text. */
export const measure = (path: string, text: string): Excesses => ({
  long_lines: longLines(path, text),
  ...(path.endsWith(".ts") ? functionsOf(path, text) : { long_functions: [], many_parameters: [] })
})
