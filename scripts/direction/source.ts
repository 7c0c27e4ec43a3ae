/**
 * What one source file asks for: its imports, the ambient clock and randomness that the code must not use, and the words it is written in.
 */
import { parseSync } from "vite"

export interface Finding {
  readonly line: number
  readonly text: string
}

export interface Source {
  readonly imports: ReadonlyArray<Finding>
  /** Imports whose target is only known when the program runs. */
  readonly computed: ReadonlyArray<Finding>
  /** Uses of the machine's clock and of unseeded randomness. */
  readonly ambient: ReadonlyArray<Finding>
  /** Names and texts of the code; no comments, and not the paths of imports. */
  readonly words: ReadonlyArray<Finding>
  /** The values of properties named `table`. */
  readonly tables: ReadonlyArray<Finding>
  /** Reads of Effect's clock, which is that of the world. */
  readonly worldly: ReadonlyArray<Finding>
  readonly errors: ReadonlyArray<string>
}

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value

const isIdentifier = (value: unknown, name: string): boolean => isNode(value) && value.type === "Identifier" && value["name"] === name

const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) { for (const item of value) walk(item, visit) }
  else if (isNode(value)) {
    visit(value)
    for (const child of Object.values(value)) if (typeof child === "object") walk(child, visit)
  }
}

const ambientUse = (node: Node): string | undefined => {
  const bare = Array.isArray(node["arguments"]) && node["arguments"].length === 0
  if (node.type === "NewExpression" && isIdentifier(node["callee"], "Date") && bare) return "new Date()"
  if (node.type === "CallExpression" && isIdentifier(node["callee"], "Date")) return "Date()"
  if (node.type !== "MemberExpression") return undefined
  if (isIdentifier(node["object"], "Date") && isIdentifier(node["property"], "now")) return "Date.now"
  if (isIdentifier(node["object"], "Math") && isIdentifier(node["property"], "random")) return "Math.random"
  return undefined
}

const worldlyUse = (node: Node): string | undefined => {
  const property = node["property"]
  if (node.type !== "MemberExpression" || !isNode(property) || property.type !== "Identifier") return undefined
  const name = String(property["name"])
  if (isIdentifier(node["object"], "Clock") && name.startsWith("currentTime")) return `Clock.${name}`
  return isIdentifier(node["object"], "DateTime") && name.startsWith("now") ? `DateTime.${name}` : undefined
}

const literal = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : undefined

/** The name or text that a node is. */
const wordOf = (node: Node): string | undefined => {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return typeof node["name"] === "string" ? node["name"] : undefined
  const { value } = node
  if (node.type === "TemplateElement" && typeof value === "object" && value !== null && "raw" in value && typeof value.raw === "string") {
    return value.raw
  }
  return literal(node)
}

/** Reads the text of a TypeScript file. `path` is only used in messages. */
export const readSource = (path: string, text: string): Source => {
  const { program, errors } = parseSync(path, text)
  const imports: Array<Finding> = []
  const computed: Array<Finding> = []
  const ambient: Array<Finding> = []
  const words: Array<Finding> = []
  const paths = new Set<unknown>()
  const worldly: Array<Finding> = []
  const tables: Array<Finding> = []
  const at = (node: Node, found: string): Finding => ({ line: text.slice(0, node.start).split("\n").length, text: found })
  walk(program, (node) => {
    const use = ambientUse(node)
    if (use !== undefined) ambient.push(at(node, use))
    const word = paths.has(node) ? undefined : wordOf(node)
    if (word !== undefined) words.push(at(node, word))
    const table = node.type === "Property" && isIdentifier(node["key"], "table") ? literal(node["value"]) : undefined
    if (table !== undefined) tables.push(at(node, table))
    const read = worldlyUse(node)
    if (read !== undefined) worldly.push(at(node, read))
    // Types can be imported in passing too: import("…").T
    if (!["ImportDeclaration", "ExportAllDeclaration", "ExportNamedDeclaration", "ImportExpression", "TSImportType"].includes(node.type)) {
      return
    }
    const source = node["source"] ?? node["argument"]
    if (source === undefined || source === null) return
    paths.add(source)
    const target = literal(source) ?? literal(isNode(source) ? source["literal"] : undefined)
    if (target === undefined) computed.push(at(node, node.type))
    else imports.push(at(node, target))
  })
  return { imports, computed, ambient, words, tables, worldly, errors: errors.map((error) => error.message) }
}
